"""Once all is read: whether anything has changed; then the catalogue, what is wrong, every page's view."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_writing.core import catalogue, glossary, lab_files, labs, lists
from sphinx_writing.core.inline import plain
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.problems import Kind, Place, Problem, hint
from sphinx_writing.core.views import Relations, Site
from sphinx_writing.sphinx_ext import (
    diagrams,
    feed_settings,
    foot_links,
    formulas,
    metadata,
    not_found,
    output,
    paths,
)
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied, frame_digest
from sphinx_writing.sphinx_ext.misplaced import copies_of_withheld, dead_links, root_marks, unlisted
from sphinx_writing.sphinx_ext.report import Noted, located, say
from sphinx_writing.sphinx_ext.settings import settings_of
from sphinx_writing.sphinx_ext.targets import headings, name_pictures, numbers, targets
from sphinx_writing.sphinx_ext.transforms import makes_pages, prints_templates

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.sphinx_ext.domain import WritingDomain


def note_touched(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Note that *docname* is read in this build, or is gone."""
    writing_domain(env).touched.add(docname)


def restore_labels(_app: Sphinx, env: BuildEnvironment) -> None:
    """Give back the labels of Sphinx's own pages, which went with a document of the same name."""
    domain = env.domains.standard_domain
    for mine, initial in ((domain.labels, "labels"), (domain.anonlabels, "anonlabels")):
        for name, target in domain.initial_data[initial].items():
            if target[0] not in env.all_docs:
                mine.setdefault(name, target)


def look_at_output(app: Sphinx, env: BuildEnvironment) -> None:
    """Look at the output folder; if all is as the last build left it, say again what that one reported."""
    domain = writing_domain(env)
    domain.builder, domain.site, domain.numbered, domain.page_files = app.builder, None, False, {}
    domain.make_site, domain.paths = partial(site_of, app, env), paths.read(app)
    changed = bool(domain.touched)
    domain.data["state"] = next_state(domain)
    frame, settings, unused = frame_digest(app), settings_of(app.config), diagrams.unused(env)
    parts = (
        frame,
        domain.data["state"],
        settings.as_of.isoformat(),
        str(settings.preview),
        *sorted(settings.units),
        *sorted(copied(app)),
        str(unused),
        domain.paths.name,
        domain.paths.digest,
    )
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    domain.output = out = output.look(app.builder, frame, key)
    out.idle = not changed and out.last.key == key and not out.harmed
    out.problems += unused
    say(out.last.problems if out.idle else unused)


def next_state(domain: WritingDomain) -> str:
    """What stands for all that has been read: another text after every build that read or lost something."""
    state: str = domain.data["state"]
    if domain.touched:
        read = (f"{d} {domain.pages[d].content if d in domain.pages else ''}" for d in sorted(domain.touched))
        state = hashlib.sha256("\n".join((state, *read)).encode()).hexdigest()
    domain.touched.clear()
    return state


def make_catalogue(app: Sphinx, env: BuildEnvironment) -> None:
    """Make the catalogue, and report everything that is wrong, in every build."""
    domain = writing_domain(env)
    if domain.output is None or domain.output.idle:
        return
    if env.toc_secnumbers:
        forget_numbers(env)
    name_pictures(env)
    posts = domain.site.catalogue.posts
    domain.data["objects"] = [(docname, plain(post.title)) for docname, post in sorted(posts.items())]
    found = [located(env, problem) for problem in problems(env, domain, app.config.root_doc)]
    found += [one.as_said for _, noted in sorted(domain.noted.items()) for one in noted]
    found += [one.as_said for one in lab_faults(env, domain, settings_of(app.config).units)]
    found += [one.as_said for one in unit_faults(domain, settings_of(app.config).units)]
    found += [one.as_said for one in glossary_faults(app, domain)]
    found += [one.as_said for one in paths.said(app, domain.paths, domain.site.catalogue.path_faults)]
    say(found)
    domain.output.problems += found


def lab_faults(env: BuildEnvironment, domain: WritingDomain, units: frozenset[str]) -> Iterator[Noted]:
    """What is wrong in the files that labs wrote."""
    for fault in labs.faults(domain.pages, units, domain.withheld):
        yield Noted(Kind.LAB, fault.message, f"{env.srcdir / fault.file}:{fault.line}")


def unit_faults(domain: WritingDomain, more: frozenset[str]) -> Iterator[Noted]:
    """The units of calculators that are not known; which are, may change without any document being read."""
    for _, page in sorted(domain.pages.items()):
        for used in page.units:
            for message in lab_files.unit_faults(used.unit, used.of, more):
                yield Noted(Kind.CALCULATOR, message, used.location)


def glossary_faults(app: Sphinx, domain: WritingDomain) -> Iterator[Noted]:
    """What is wrong with the glossary that the configuration names; one that waits is none."""
    name: str = app.config.writing_glossary
    if not name or name in domain.withheld or domain.site.glossary.entries:
        return
    if name in domain.pages:
        message = f'writing_glossary names "{name}", which has no terms; write them in a "glossary" directive'
    else:
        message = f'writing_glossary names "{name}", which is no document; {hint(name, domain.pages)}'
    yield Noted(Kind.GLOSSARY, message, place_in_conf(app.confdir / "conf.py", "writing_glossary"))


def place_in_conf(conf: Path, name: str) -> str:
    """The line of *conf* that sets *name*; the first where the value comes from elsewhere."""
    lines = conf.read_text(encoding="utf-8").splitlines() if conf.is_file() else []
    return f"{conf}:{next((i for i, line in enumerate(lines, 1) if line.startswith(name)), 1)}"


def forget_numbers(env: BuildEnvironment) -> None:
    """Forget the numbers of sections, which Sphinx is about to give anew, but never takes away."""
    for title in env.titles.values():
        title.attributes.pop("secnumber", None)
    for toc in env.tocs.values():
        for reference in toc.findall(nodes.reference):
            reference.attributes.pop("secnumber", None)


def site_of(app: Sphinx, env: BuildEnvironment) -> Site:
    """The catalogue with what it was made from."""
    domain = writing_domain(env)
    fronts = {docname: source.scan.front for docname, source in domain.scans.items()}
    as_of = settings_of(app.config).as_of
    sources = Sources(domain.pages, fronts, app.config.root_doc, as_of, labels(env), domain.withheld)
    built = catalogue.build(sources, domain.paths.written)
    made = makes_pages(app.builder)
    return Site(
        built,
        domain.pages,
        app.config.root_doc,
        sources.labels,
        relations(env) if prints_templates(app.builder) else {},
        sidebar_limit=app.config.writing_sidebar_limit,
        withheld=tuple(domain.withheld),
        search=bool(app.config.writing_search),
        map=app.config.writing_map,
        glossary=glossary.Glossary(
            app.config.writing_glossary, domain.pages.get(app.config.writing_glossary)
        ),
        previews=made and app.config.writing_previews and bool(built.posts),
        foot_links=foot_links.of_pages(app, built.titles) if made else {},
        has_facts=made and metadata.is_wanted(app),
        newest_in_feed=feed_settings.newest(app),
        not_found=made and bool(built.posts) and not_found.is_wanted(app),
    )


def labels(env: BuildEnvironment) -> dict[str, str]:
    """The document of each label."""
    return {name: target[0] for name, target in env.domains.standard_domain.anonlabels.items()}


def problems(env: BuildEnvironment, domain: WritingDomain, root: str) -> Iterator[Problem]:
    """What is wrong in front matter, in the catalogue and between documents."""
    for docname, source in sorted(domain.scans.items()):
        yield from source.scan.problems
        yield from glossary.problems(docname, source.scan.front, domain.site.glossary)
    yield from domain.site.catalogue.problems
    yield from formulas.problems(env)
    yield from root_marks(domain, root)
    yield from unlisted(domain, root)
    yield from copies_of_withheld(env, domain)
    for docname, page in sorted(domain.pages.items()):
        yield from dead_links(domain, docname)
        for query in page.queries:
            yield from lists.problems(domain.site.catalogue, docname, query)
            if query.style == "paths" and not domain.paths.name:
                message = "this list of learning paths is empty; name their file in writing_paths in conf.py"
                yield Problem(Kind.POST, docname, Place(query.line), message)


def make_views(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Make the view of every page, as Sphinx has now numbered sections and figures; names no page itself."""
    domain = writing_domain(env)
    domain.views = {}
    if domain.output is None or domain.output.idle:
        return []
    posts, pages = domain.site.catalogue.posts, domain.pages
    wanted = {name for page in pages.values() for name in page.references}
    domain.site = replace(
        domain.site,
        targets=targets(env, posts, wanted),
        contents=headings(env, pages),
        numbers=numbers(env, posts),
    )
    domain.views = {docname: domain.site.page(docname) for docname in sorted(pages)}
    return []


def relations(env: BuildEnvironment) -> dict[str, Relations]:
    """The documents above each one, before it and after it."""
    found = env.collect_relations()
    around: dict[str, Relations] = {}
    for docname, (parent, before, after) in found.items():
        above: list[str] = []
        while parent is not None and parent not in above:
            above.append(parent)
            parent = found[parent][0] if parent in found else None
        around[docname] = (tuple(above), before or "", after or "")
    return around
