"""In web pages the picture of a figure is a link to its file, so that it can be seen as large as it is.

Serves the writing phase. Sphinx does the same to pictures that have a size, and would leave an empty link
where a theme hides one, so these are linked here, too. Its option ``html_scaled_image_link`` and its class
``no-scaled-link`` switch it off.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.targets import chosen
from sphinx_writing.sphinx_ext.transforms import ancestors, prints_templates
from sphinx_writing.sphinx_ext.twins import THEME_CLASSES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SIZES = ("scale", "width", "height")
TITLE = "Open the picture by itself"


class LinkPictures(SphinxPostTransform):
    """Links the pictures of figures, and those that have a size, to their files."""

    default_priority = 900  # after pictures are converted for the builder

    def run(self, **kwargs: Any) -> None:
        """Link the pictures of all figures that lead nowhere yet."""
        if not (prints_templates(writing_domain(self.env).builder) and self.config.html_scaled_image_link):
            return
        for image in list(self.document.findall(nodes.image)):
            if _is_to_be_linked(image) and (address := self._address(image)):
                _link(image, address)

    def _address(self, image: nodes.image) -> str:
        """The address of the file of *image* in the output, seen from the page; empty if it has none."""
        builder = writing_domain(self.env).builder
        path = image["uri"] if "*" in image["candidates"] else chosen(builder, image["candidates"])
        if "?" in image["candidates"] or path not in self.env.images:
            return ""
        images = relative_uri(builder.get_target_uri(self.env.docname), builder.imagedir)
        return posixpath.join(images, quote(self.env.images[path][1]))


def _is_to_be_linked(image: nodes.image) -> bool:
    """Whether *image* is the picture of a figure or has a size, and is in no link."""
    linked = any(isinstance(parent, nodes.reference) for parent in ancestors(image))
    shown_smaller = isinstance(image.parent, nodes.figure) or any(name in image for name in _SIZES)
    return shown_smaller and not linked and "no-scaled-link" not in image["classes"]


def _link(image: nodes.image, address: str) -> None:
    """Put a link around *image*, which is hidden with it."""
    classes = [name for name in image["classes"] if name in THEME_CLASSES]
    link = nodes.reference(
        "", "", internal=True, refuri=address, reftitle=TITLE, classes=["writing-zoom", *classes]
    )
    image.replace_self(link)
    link += image


def register(app: Sphinx) -> None:
    """Add the step."""
    app.add_post_transform(LinkPictures)
