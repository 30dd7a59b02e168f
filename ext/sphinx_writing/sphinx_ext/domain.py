"""The domain ``writing``: what was read, by docname, and the site made from it once all is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from docutils import nodes
from sphinx.domains import Domain, ObjType

from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.frontmatter import Scan
from sphinx_writing.core.inline import NOT_YET
from sphinx_writing.core.posts import find
from sphinx_writing.core.records import Page
from sphinx_writing.core.views import PageView, Site
from sphinx_writing.sphinx_ext.paths import PathsFile
from sphinx_writing.sphinx_ext.report import Noted
from sphinx_writing.sphinx_ext.roles import PostRole, post_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Set

    from docutils.nodes import Element, reference
    from jinja2 import Environment
    from sphinx.addnodes import pending_xref
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.problems import Kind
    from sphinx_writing.sphinx_ext.katex import Typesetter
    from sphinx_writing.sphinx_ext.output import Output


Stamp = tuple[int, int, int]
"""The size of a file and the times of its change and of its status, in nanoseconds; -1 where there is none.

The first time can be set, and some tools give every file the same; the other cannot.
"""


@dataclass(frozen=True)
class Source:
    """The front matter of a document, with a digest of its text and the stamp of its file.

    *fields* are those that it may have beside ours.
    """

    scan: Scan
    digest: str = ""
    stamp: Stamp = (-1, -1, -1)
    fields: str = ""


class WritingDomain(Domain):
    """Records by docname. ``site`` and ``views`` are made anew when a build needs them, never stored."""

    name = "writing"
    label = "Writing"
    object_types: ClassVar = {"post": ObjType("post", "post", searchprio=-1)}
    roles: ClassVar = {"post": PostRole()}
    initial_data: ClassVar = {
        "scans": {},
        "withheld": {},
        "pages": {},
        "dropped": {},
        "noted": {},
        "drawings": {},
        "objects": [],
        "state": "",
    }
    data_version = 18

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        self.views: dict[str, PageView] = {}
        self.builder: Builder
        self.templates: Environment | None = None
        self.typesetter: Typesetter | None = None
        self.output: Output | None = None
        self.paths = PathsFile()
        self.page_files: dict[str, str] = {}
        self.touched: set[str] = set()
        self.numbered = False
        self.make_site: Callable[[], Site] = lambda: Site(Catalogue(), {}, "", {})
        self._site: Site | None = None

    @property
    def site(self) -> Site:
        """The site as it is in this build, made when it is first asked for."""
        if self._site is None:
            self._site = self.make_site()
        return self._site

    @site.setter
    def site(self, site: Site | None) -> None:
        self._site = site

    @property
    def scans(self) -> dict[str, Source]:
        """The front matter of every document in the source folder."""
        return cast("dict[str, Source]", self.data["scans"])

    @property
    def withheld(self) -> dict[str, str]:
        """The documents that are left out of this build, and why."""
        return cast("dict[str, str]", self.data["withheld"])

    @property
    def pages(self) -> dict[str, Page]:
        """What reading each document found."""
        return cast("dict[str, Page]", self.data["pages"])

    @property
    def dropped(self) -> dict[str, dict[str, str]]:
        """For each document, the withheld ones that its toctrees name, each with the line that does."""
        return cast("dict[str, dict[str, str]]", self.data["dropped"])

    @property
    def noted(self) -> dict[str, list[Noted]]:
        """For each document, what was found to be wrong in reading it."""
        return cast("dict[str, list[Noted]]", self.data["noted"])

    @property
    def drawings(self) -> dict[str, set[str]]:
        """For each document, the names of the drawings that its diagrams are kept as."""
        return cast("dict[str, set[str]]", self.data["drawings"])

    def note(self, kind: Kind, message: str, location: str) -> None:
        """Keep a problem of the document that is being read."""
        self.noted.setdefault(self.env.docname, []).append(Noted(kind, message, location))

    def note_once(self, kind: Kind, message: str, location: str) -> None:
        """Keep a problem of the document that is being read, unless it has one with the same message."""
        if not any(known.message == message for known in self.noted.get(self.env.docname, ())):
            self.note(kind, message, location)

    def view(self, docname: str) -> PageView:
        """What *docname* shows from elsewhere; of a generated page, only the sidebar."""
        return self.views.get(docname) or self.site.page(docname)

    def clear_doc(self, docname: str) -> None:
        """Forget what reading *docname* found; its front matter stays, as it is scanned before reading."""
        self.pages.pop(docname, None)
        self.dropped.pop(docname, None)
        self.noted.pop(docname, None)
        self.drawings.pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process found in *docnames*."""
        for name in ("pages", "dropped", "noted", "drawings"):
            self.data[name].update({d: v for d, v in otherdata[name].items() if d in docnames})

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        """Every visible post, for the inventory that other projects link through."""
        for docname, title in self.data["objects"]:
            yield docname.removesuffix("/index"), title, "post", docname, "", -1

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> reference | None:
        """The reference that ``{post}`` makes; its text alone where no such post is (which is reported)."""
        docname = find(target, self.site.catalogue.posts)
        if docname is None and not node["refexplicit"] and find(target, self.withheld):
            contnode = nodes.inline("", NOT_YET, classes=contnode["classes"])
        if docname is None:
            return cast("reference", contnode)  # any element does; None would be reported a second time
        title = None if node["refexplicit"] else self.site.catalogue.titles[docname]
        return post_reference(builder, fromdocname, docname, title, contnode)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, reference]]:
        """Posts are named by their role only: nothing for ``{any}``."""
        return []


def writing_domain(env: BuildEnvironment) -> WritingDomain:
    """The domain object of *env*."""
    return cast(WritingDomain, env.get_domain("writing"))
