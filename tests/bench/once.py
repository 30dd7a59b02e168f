"""What is measured once, beside the runs in turn: diagrams, edits against clean builds, page weight, stages."""

from __future__ import annotations

import json
import shutil
import sys

from . import corpus, flavours, output
from .figures import add
from .flavours import FLAVOURS, OURS, Flavour, command
from .measure import Work, clean, cost
from .turns import Bench, say

EXACT_POSTS = 24
"""The size at which output after an edit is compared with a clean build."""


def draw_pictures(bench: Bench) -> None:
    """A cold build of ours that has to draw its diagrams, once; the drawings serve all that follows."""
    if not bench.has("ours"):
        return
    posts = min(bench.sizes)
    source = flavours.write_source(bench.work, OURS, posts)
    shutil.rmtree(source.folder / corpus.PICTURES, ignore_errors=True)
    out = bench.work.out / "pictures"
    clean(out)
    add(bench.figures, f"ours/{posts}/pictures", cost(bench.work, flavours.sphinx(source.folder, out)))
    kept = bench.work.pictures / corpus.PICTURES
    shutil.copytree(source.folder / corpus.PICTURES, kept, dirs_exist_ok=True)


def draw_missing(bench: Bench) -> None:
    """Draw the diagrams that are not drawn yet, so that no other build has to."""
    if not any(map(bench.has, ("ours", "ours-j2", "ours-search"))):
        return
    corpus.write_pictures(bench.work.pictures, max(*bench.sizes, EXACT_POSTS))
    out = bench.work.out / "pictures"
    clean(out)
    cost(bench.work, flavours.sphinx(bench.work.pictures, out))
    say("all diagrams are drawn")


def exactness(bench: Bench) -> None:
    """How many files differ from a clean build after a body edit and after a title edit."""
    for name in filter(bench.has, ("ours", "stock")):
        flavour = FLAVOURS[name]
        source = flavours.write_source(bench.work, flavour.form, EXACT_POSTS)
        grown, fresh = bench.work.out / "grown", bench.work.out / "fresh"
        flavours.put_conf(flavour, source.folder)
        clean(grown)
        cost(bench.work, command(bench.work, flavour, source.folder, grown))
        for kind, edit in (("body", source.edit_body), ("title", source.edit_title)):
            edit()
            clean(fresh)
            cost(bench.work, command(bench.work, flavour, source.folder, grown))
            cost(bench.work, command(bench.work, flavour, source.folder, fresh))
            count = len(output.differing(grown, fresh))
            add(bench.figures, f"{name}/{EXACT_POSTS}/exact", {f"{kind}_files": count})
    say("output after edits is compared with clean builds")


def weight(bench: Bench) -> None:
    """The same posts' pages in the smallest and the largest site, both with as many series."""
    small, large = min(bench.sizes), max(bench.sizes)
    series = corpus.series_of(small)
    same = {corpus.address(post)[:-3] + ".html" for post in corpus.posts(small) if post.series < series - 1}
    if not bench.has("ours") or small == large or not same:
        return
    pages = {}
    for posts in (small, large):
        source = corpus.write_ours(bench.work.sources / f"weight-{posts}", posts, series)
        bench.work.copy_pictures(source.folder)
        out = bench.work.out / f"weight-{posts}"
        clean(out)
        cost(bench.work, flavours.sphinx(source.folder, out))
        pages[posts] = output.weight(out, OURS, same)
    add(bench.figures, f"ours/{large}/weight", {"page_ratio": pages[large] / pages[small]})
    say("pages of the same posts are weighed")


def stages(bench: Bench, sizes: list[int]) -> None:
    """Where the time of a cold build goes, for ours and mended."""
    for posts in sizes:
        for name in filter(bench.has, ("ours", "mended")):
            place, flavour = f"{name}/{posts}/stages", FLAVOURS[name]
            add(bench.figures, place, stages_of(bench.work, flavour, posts))
            say(f"{posts} posts by stage: {name}")


def stages_of(work: Work, flavour: Flavour, posts: int) -> dict[str, float]:
    """CPU seconds by stage of a cold build, which times itself."""
    source = flavours.write_source(work, flavour.form, posts)
    flavours.put_conf(flavour, source.folder)
    out, result = work.out / "stages", work.folder / "stages.json"
    clean(out)
    inner = [sys.executable, "-m", f"{__package__}.stages", str(source.folder), str(out), str(result)]
    spent = cost(work, inner)["cpu_s"]
    found: dict[str, float] = json.loads(result.read_text(encoding="utf-8"))
    return found | {"exit": spent - sum(found.values())}
