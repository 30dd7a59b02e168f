"""Dark twins: beside `plot.svg` lies `plot-dark.svg`, and HTML pages show the one that fits the theme.

Reading: a second image node is added, so that Sphinx collects the dark file and its dependency
like any other. Writing: builders other than HTML lose it again.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

LIGHT_CLASS = "only-light"
DARK_CLASS = "only-dark"
THEME_CLASSES = {LIGHT_CLASS, DARK_CLASS}
WEB_ENDINGS = (".svg", ".png", ".webp", ".jpg", ".jpeg", ".gif")
"""What a browser shows, best first."""


class AddTwins(SphinxTransform):
    """Adds the dark image after each light one that has it."""

    default_priority = 250  # after substitutions are resolved, long before images are collected

    def apply(self, **kwargs: Any) -> None:
        """Pair every image of the document that has a dark file."""
        for image in list(self.document.findall(nodes.image)):
            uri = self._dark_uri(image["uri"])
            if uri and not THEME_CLASSES & set(image["classes"]):
                _pair(image, uri)

    def _dark_uri(self, uri: str) -> str | None:
        """The address of the dark file of *uri*, if there is one."""
        if "://" in uri or uri.startswith("data:"):
            return None
        _, file = self.env.relfn2path(uri, self.env.current_document.docname)
        dark = dark_file(Path(file))
        return str(PurePosixPath(uri).with_name(dark.name)) if dark else None


class DropTwinsInEpub(SphinxPostTransform):
    """Removes the dark images, since an EPUB has one theme."""

    default_priority = 5  # before images are converted for the builder
    builders: tuple[str, ...] = ("epub",)

    def run(self, **kwargs: Any) -> None:
        """Leave the light image of each pair."""
        for image in list(self.document.findall(nodes.image)):
            if DARK_CLASS in image["classes"]:
                image.parent.remove(image)


class DropTwinsBesideHtml(DropTwinsInEpub):
    """Removes them for every builder whose pages no browser shows."""

    builders = ()
    formats = ("html",)

    def is_supported(self) -> bool:
        """Whether the builder is none of those that the class names."""
        return not super().is_supported()


class SplitLinks(SphinxPostTransform):
    """Gives each image of a pair its own link: Sphinx prints no more than one in a link that is a block."""

    default_priority = 850
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Move the dark image of each such link into a second one."""
        for link in list(self.document.findall(nodes.reference)):
            images = [child for child in link.children if isinstance(child, nodes.image)]
            dark = [image for image in images if DARK_CLASS in image["classes"]]
            if len(images) > 1 and dark and not isinstance(link.parent, nodes.TextElement):
                _split(link, dark[0])


def _split(link: nodes.reference, dark: nodes.image) -> None:
    """Put a link around *dark* after *link*, alike in everything else."""
    link.remove(dark)
    second = link.copy()
    second["ids"], second["names"] = [], []
    link["classes"].append(LIGHT_CLASS)
    second["classes"].append(DARK_CLASS)
    second += dark
    link.parent.insert(link.parent.index(link) + 1, second)


def dark_file(light: Path) -> Path | None:
    """The dark file beside *light*, whose ending may be `*`."""
    endings = WEB_ENDINGS if light.suffix == ".*" else (light.suffix,)
    candidates = (light.with_name(f"{light.stem}-dark{ending}") for ending in endings)
    try:
        return next((path for path in candidates if path.is_file()), None)
    except OSError:  # a name longer than the file system takes
        return None


def _pair(light: nodes.image, dark_uri: str) -> None:
    """Put a dark image after *light*, alike in everything but its file."""
    dark = light.deepcopy()
    dark["uri"] = dark_uri
    dark["ids"], dark["names"] = [], []
    light["classes"].append(LIGHT_CLASS)
    dark["classes"].append(DARK_CLASS)
    light.parent.insert(light.parent.index(light) + 1, dark)


def documents_with_new_twins(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Documents that show an image which has got a dark file since they were read."""
    found = set()
    for image, (docnames, _) in env.images.items():
        twin = dark_file(env.srcdir / image)
        if twin and twin.relative_to(env.srcdir).as_posix() not in env.images:
            found |= docnames
    return sorted(found - removed)


def register(app: Sphinx) -> None:
    """Add the steps and the style sheet that shows one image of each pair."""
    app.add_transform(AddTwins)
    app.add_post_transform(DropTwinsInEpub)
    app.add_post_transform(DropTwinsBesideHtml)
    app.add_post_transform(SplitLinks)
    app.connect("env-get-outdated", documents_with_new_twins)
    app.add_css_file("writing-twins.css")
