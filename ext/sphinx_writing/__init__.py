"""sphinx-writing: series, a Writing index, tags and post navigation for technical notes in Sphinx.

``setup`` is a table of contents: it registers everything, in the order of the build.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext import (
    assets,
    audit,
    boxes,
    calculators,
    check_boxes,
    code_boxes,
    collect,
    context,
    dependents,
    diagrams,
    emit,
    feed_settings,
    feeds,
    foot_links,
    formulas,
    garbage,
    headings,
    icons,
    kept,
    labs,
    markdown,
    markdown_settings,
    metadata,
    pages,
    previews,
    redirects,
    render,
    search,
    search_index,
    search_text,
    settings,
    side_notes,
    site,
    sitemap,
    social_cards,
    sources,
    table_boxes,
    terms,
    theme,
    twins,
    zoom,
)
from sphinx_writing.sphinx_ext.directives import WritingList, WritingRole, writing_count, writing_list
from sphinx_writing.sphinx_ext.domain import WritingDomain
from sphinx_writing.sphinx_ext.equations import NameEquations
from sphinx_writing.sphinx_ext.render import skip, visit_html, writing_html
from sphinx_writing.sphinx_ext.roles import PostRole
from sphinx_writing.sphinx_ext.toctree import WritingTocTree
from sphinx_writing.sphinx_ext.transforms import FillPlaceholders, LinkLabs, TakeIdsFromWrappers

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__version__ = "0.1.0"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    # Configuration
    settings.register(app)
    foot_links.register(app)
    feed_settings.register(app)
    sitemap.register(app)
    social_cards.register(app)
    markdown_settings.register(app)
    icons.register(app)
    app.connect("config-inited", garbage.load_without, priority=900)
    app.connect("builder-inited", garbage.collect_rarely)
    search.register(app)
    app.add_css_file("writing.css", priority=700)
    app.connect("builder-inited", add_static_folder)
    app.connect("builder-inited", emit.forget_broken_build_info)
    app.connect("builder-inited", render.keep_compiled)
    theme.register(app)
    # Reading
    app.setup_extension("myst_parser")
    app.add_domain(WritingDomain)
    app.connect("env-get-outdated", sources.withhold)
    app.add_directive("toctree", WritingTocTree, override=True)
    app.add_directive("writing", WritingList)
    app.add_role("writing", WritingRole())
    app.add_role("post", PostRole())
    labs.register(app)
    audit.register(app)
    diagrams.register(app)
    twins.register(app)
    app.add_transform(NameEquations)
    app.connect("doctree-read", collect.note_page)
    app.connect("env-purge-doc", site.note_touched)
    app.connect("env-before-read-docs", sources.begin_reading)
    app.connect("source-read", sources.hide_unreadable_block)
    app.connect("env-check-consistency", sources.end_reading)
    # Once all is read
    app.connect("env-updated", site.restore_labels)
    app.connect("env-updated", site.look_at_output)
    app.connect("env-updated", site.make_catalogue)
    app.connect("env-updated", pages.report_taken_names)
    app.connect("env-updated", feeds.report)
    app.connect("env-updated", redirects.report)
    app.connect("env-get-updated", site.make_views)
    app.connect("env-get-updated", dependents.pages_to_rewrite)
    # Writing
    app.connect("write-started", emit.begin)
    app.connect("write-started", search.forget_gone)
    app.connect("doctree-resolved", dependents.note_written)
    app.add_post_transform(terms.LinkTerms)
    app.add_post_transform(FillPlaceholders)
    app.add_post_transform(LinkLabs)
    app.add_post_transform(TakeIdsFromWrappers)
    zoom.register(app)
    boxes.register(app)
    calculators.register(app)
    code_boxes.register(app)
    table_boxes.register(app)
    side_notes.register(app)
    check_boxes.register(app)
    headings.register(app)
    for placeholder in (writing_list, writing_count):
        app.add_node(placeholder, html=(skip, None), latex=(skip, None), text=(skip, None))
    app.add_node(writing_html, html=(visit_html, None), latex=(skip, None), text=(skip, None))
    formulas.register(app)
    assets.register(app)
    previews.register(app)
    app.connect("html-page-context", context.add_to_context, priority=400)
    app.connect("html-page-context", context.fold_sidebar, priority=600)
    app.connect("html-page-context", feeds.link)
    app.connect("html-page-context", metadata.add_to_context)
    app.connect("html-page-context", markdown.link)
    app.connect("html-page-context", search.add_to_context)
    app.connect("html-page-context", search_text.keep_text)
    app.connect("html-page-context", kept.keep)
    app.connect("html-collect-pages", pages.collect)
    app.connect("html-collect-pages", search.collect)
    app.connect("html-collect-pages", search_index.forget_words)
    app.connect("html-collect-pages", emit.leave_search_index)
    # The output folder
    app.connect("build-finished", emit.hide_dropped_lines)
    app.connect("build-finished", search.make, priority=990)
    app.connect("build-finished", social_cards.forget_unused, priority=990)
    app.connect("build-finished", emit.finish, priority=999)  # themes write files here, too
    app.connect("build-finished", emit.say_what_is_withheld)
    app.connect("build-finished", garbage.collect_as_before)
    return {
        "version": __version__,
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def add_static_folder(app: Sphinx) -> None:
    """Ship our style sheets; after the builder has put the configuration into ``.buildinfo``.

    There the folder would tell where the package is installed, and no two machines would agree.
    """
    app.config.html_static_path = [*app.config.html_static_path, str(Path(__file__).parent / "static")]
