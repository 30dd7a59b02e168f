"""Search by Pagefind: the list of pages for our script, and the full-text index, once all pages are written.

The index is made anew as a whole from the kept texts, into a folder that is then renamed: it is never half
there, and where no text has changed it stays. Where texts change without it (a preview, a build of one named
file) there is none, as it would show what is no longer published.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.errors import ConfigError, ExtensionError

from sphinx_writing.core.search import DATA, PAGE, data
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.record import is_as_it_was, names_below, print_of, texts_of, write_whole
from sphinx_writing.sphinx_ext.search_text import is_wanted, text_file
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config

    from sphinx_writing.sphinx_ext.output import Output

PAGEFIND = "pagefind"
INSTALL = 'pip install "pagefind[bin]>=1.5,<1.6"'
FOLDER = "_pagefind"
"""Where the index lies in the output folder."""
_SIGNS = "+#"
"""What belongs to a word beside letters, digits and ``_``: C++ and C# are names."""
_SHIPPED = ("pagefind.js", "pagefind-worker.js", "pagefind-entry.json")
"""What a page of ours asks for, beside index, fragments and the program for the language."""


def register(app: Sphinx) -> None:
    """Add the value that chooses the search, and what follows from it before anything is read."""
    app.add_config_value("writing_search", "", "html", types=frozenset({str}))
    app.add_config_value("writing_search_engine", "", "html", types=frozenset({str}))
    app.connect("config-inited", choose)
    app.connect("builder-inited", replace_sphinx_search)


def choose(_app: Sphinx, config: Config) -> None:
    """Check the value, and note the version of what makes the index: another one makes other bytes."""
    value = config.writing_search
    if value not in ("", PAGEFIND):
        raise ConfigError(
            f'writing_search = {value!r} in conf.py: expected "{PAGEFIND}", or "" for Sphinx\'s own search'
        )
    if value:
        name = program().name  # an error if there is none, before its version is asked for
        config.writing_search_engine = f"{name} {metadata.version(PAGEFIND)}"


def program() -> Path:
    """Pagefind's program; an error that says how to install it where there is none."""
    try:
        from pagefind.service import get_executable

        found = get_executable()
    except ImportError:
        found = None
    if found is None:
        raise ConfigError(f'writing_search = "{PAGEFIND}" in conf.py needs Pagefind: {INSTALL}')
    return Path(found)


def replace_sphinx_search(app: Sphinx) -> None:
    """Put our script on every page, and make neither Sphinx's index nor its page."""
    if app.config.writing_search and makes_pages(app.builder):
        app.add_js_file("writing-search.js", defer="defer")
        app.builder.search = False


def add_to_context(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Tell the theme that there is a page to search from, though Sphinx makes none."""
    if app.config.writing_search and makes_pages(app.builder):
        before = context["hasdoc"]
        context["hasdoc"] = lambda name: name == PAGE or before(name)


def collect(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Describe our page to browsers (``html_use_opensearch``), as Sphinx does for its own."""
    builder = app.builder
    if app.config.writing_search and makes_pages(builder) and app.config.html_use_opensearch:
        out = Path(builder.outdir, "_static", "opensearch.xml")
        builder.handle_page("opensearch", {}, "opensearch.xml", outfilename=out)
    yield from ()


def lost_texts(app: Sphinx, out: Output) -> set[str]:
    """The documents whose kept text is not as the last build left it; their pages are written again."""
    if not is_wanted(app):
        return set()
    return {docname for docname in indexed(app) if not _is_kept(app, out, docname)}


def _is_kept(app: Sphinx, out: Output, docname: str) -> bool:
    return is_as_it_was(texts_of(app.builder) / text_file(app, docname), out.last.texts.get(docname))


def indexed(app: Sphinx) -> list[str]:
    """The documents that are searched: all that are published, but those that say ``nosearch``."""
    known = app.env.metadata
    return [docname for docname in sorted(app.env.all_docs) if "nosearch" not in known.get(docname, {})]


def forget_gone(app: Sphinx, _builder: Builder) -> None:
    """Before pages are written, remove an index that still has the words of a document that is gone."""
    out = writing_domain(app.env).output
    if out is not None and out.last.texts.keys() - indexed(app):
        shutil.rmtree(out.folder / FOLDER, ignore_errors=True)


def make(app: Sphinx, exception: Exception | None) -> None:
    """Make index and list as they must now be."""
    domain = writing_domain(app.env)
    out = domain.output
    if exception is not None or out is None or out.idle:
        return
    shutil.rmtree(half_of(out.folder / FOLDER), ignore_errors=True)  # of a build that was killed
    if not app.config.writing_search or not makes_pages(app.builder):
        if texts_of(app.builder).exists():  # the record does not know those of a first build that was killed
            remove(app.builder, out)
        return
    docnames = indexed(app)
    ids = make_index(app, out, docnames) if is_wanted(app) else remove(app.builder, out)
    text = data(domain.site, docnames, app.builder.get_target_uri, ids)
    path = out.folder / DATA
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)


def remove(builder: Builder, out: Output) -> dict[str, str]:
    """Remove index and texts of this output; no page has a name in the index then."""
    shutil.rmtree(out.folder / FOLDER, ignore_errors=True)
    shutil.rmtree(texts_of(builder), ignore_errors=True)
    return {}


def make_index(app: Sphinx, out: Output, docnames: list[str]) -> dict[str, str]:
    """Bring the index up to date; the name that it has for each document."""
    texts = texts_of(app.builder)
    files = {text_file(app, docname): docname for docname in docnames}
    for name in names_below(texts, but=texts) - files.keys():
        (texts / name).unlink()
    prints = {d: print_of(texts / name, out.last.texts.get(d)) for name, d in files.items()}
    out.texts = {docname: known for docname, known in prints.items() if known is not None}
    folder = out.folder / FOLDER
    if not out.is_whole or out.texts.keys() != prints.keys():
        shutil.rmtree(folder, ignore_errors=True)  # of a named file: the others are owed
        return {}
    out.index = index_key(app, out.texts)
    harmed = any(name.startswith(f"{FOLDER}/") for name in out.harmed)
    if harmed or out.index != out.last.index or not folder.is_dir():
        run(app, texts, folder)
    return {files[name]: known for name, known in names_in(folder).items() if name in files}


def index_key(app: Sphinx, texts: Mapping[str, list[int | str]]) -> str:
    """What stands for all that the index is made from."""
    parts = [str(app.config.writing_search_engine), str(app.config.language)]
    parts += [f"{docname} {known[2]}" for docname, known in sorted(texts.items())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def run(app: Sphinx, texts: Path, folder: Path) -> None:
    """Make the index of *texts* in *folder*, whole or not at all."""
    half = half_of(folder)
    language = str(app.config.language or "en").partition("_")[0]
    options = ["--site", str(texts), "--output-path", str(half), "--keep-index-url", "--silent"]
    options += ["--force-language", language, "--include-characters", _SIGNS]
    done = subprocess.run([program(), *options], capture_output=True, text=True, check=False)  # noqa: S603  # ours
    if done.returncode or not (half / _SHIPPED[0]).is_file():
        raise ExtensionError(f"Pagefind made no index: {(done.stderr or done.stdout).strip()}")
    leave_only_shipped(half)
    shutil.rmtree(folder, ignore_errors=True)
    half.rename(folder)


def half_of(folder: Path) -> Path:
    """Where the index lies until it is whole and becomes *folder*."""
    return folder.with_name(f"{folder.name}.half")


def leave_only_shipped(folder: Path) -> None:
    """Remove what no page of ours asks for: Pagefind's own interfaces, a third of a megabyte."""
    entry = json.loads((folder / "pagefind-entry.json").read_text(encoding="utf-8"))
    wanted = {
        *_SHIPPED,
        *(f"wasm.{one['wasm'] or 'unknown'}.pagefind" for one in entry["languages"].values()),
    }
    for path in folder.iterdir():
        if path.is_file() and path.name not in wanted and path.suffix != ".pf_meta":
            path.unlink()


_SIGNATURE = b"pagefind_dcd"


def names_in(folder: Path) -> dict[str, str]:
    """The name in the index of each text, by its file."""
    found = {}
    for path in sorted((folder / "fragment").glob("*.pf_fragment")):
        content = gzip.decompress(path.read_bytes()).removeprefix(_SIGNATURE)
        found[json.loads(content)["url"].removeprefix("/")] = path.stem
    return found
