"""What the environment stores between builds, and the number that says which form it has."""

from __future__ import annotations

import dataclasses

from sphinx_writing.core import dates, frontmatter, inline, lab_files, problems, records
from sphinx_writing.sphinx_ext.domain import Source, WritingDomain
from sphinx_writing.sphinx_ext.report import Noted

STORED = {
    dates.Stamp: "instant day_only",
    frontmatter.Scan: "front problems",
    inline.Span: "text mark",
    problems.Place: "line column",
    problems.Problem: "kind docname place message",
    records.Definition: "names meaning",
    records.Entry: "target title outside generated",
    records.FrontMatter: "date updated summary tags prerequisites draft authors redirect_from feed_id image unlinked_terms "
    "title series part "
    "series_info readable places",
    lab_files.Column: "head unit",
    lab_files.LabFile: "values tables lines",
    lab_files.Measured: "machine day command values lines versions runs",
    lab_files.Quantity: "value unit",
    lab_files.Table: "columns rows",
    records.Lab: "folder quoted measured names_machine file measurements source digest",
    records.Link: "kind target sentence line",
    records.Page: "title first words characters links toctrees queries references images patterns awaited "
    "headings formulas_in_titles content files lab units vocabulary picture terms noindex social_picture",
    records.Picture: "light dark width height",
    records.SocialPicture: "address file width height",
    records.Query: "series category tag year limit sort group style feature faceted line",
    records.SeriesInfo: "key label category numbered description status",
    records.UsedUnit: "unit of location",
    records.Toctree: "entries caption line hidden options",
    Noted: "kind message location",
    Source: "scan digest stamp fields",
}
DATA = {"scans", "withheld", "pages", "dropped", "noted", "drawings", "objects", "state"}
VERSION = 18


def test_a_change_of_what_is_stored_raises_the_version() -> None:
    """Where this fails, raise ``data_version`` of the domain, and the number here, with the new fields."""
    for record, fields in STORED.items():
        assert " ".join(field.name for field in dataclasses.fields(record)) == fields, record
    assert set(WritingDomain.initial_data) == DATA
    assert WritingDomain.data_version == VERSION
