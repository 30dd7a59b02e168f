"""Configuration: one frozen object, made from the values in ``conf.py``, with the only clock in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from sphinx_writing.core import dates, options
from sphinx_writing.core.problems import Kind
from sphinx_writing.sphinx_ext.frame import fingerprint
from sphinx_writing.sphinx_ext.report import say

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config


@dataclass(frozen=True)
class Settings:
    """The configuration of a build. *as_of* is the moment it is made for; drafts show in *preview* only."""

    as_of: datetime
    preview: bool
    extra_fields: frozenset[str]
    units: frozenset[str]


def register(app: Sphinx) -> None:
    """Add the configuration values, and freeze the clock when they have been read."""
    app.add_config_value("writing_as_of", None, "", types=(str, date, type(None)))
    app.add_config_value("writing_preview", False, "", types=(bool,))
    app.add_config_value("writing_paths", "", "", types=(str,))
    app.add_config_value("writing_map", False, "html", types=(bool,))
    app.add_config_value("writing_glossary", "", "html", types=(str,))
    app.add_config_value("writing_sidebar", True, "html", types=(bool,))
    app.add_config_value("writing_sidebar_limit", 30, "html", types=(int,))
    app.add_config_value("writing_fingerprint", "", "env", types=(str,))
    app.add_config_value("writing_extra_fields", [], "", types=(list, tuple, set, frozenset))
    app.connect("config-inited", check, priority=50)  # before anything uses a value
    app.connect("config-inited", freeze, priority=100)


def check(app: Sphinx, config: Config) -> None:
    """Stop at a value that cannot be used, and report names that begin like ours and are none."""
    if faults := list(options.faults({value.name: value.value for value in config})):
        raise ConfigError("; ".join(faults))
    written = getattr(config, "_raw_config", {})  # nothing public tells what conf.py has defined
    file = Path(app.confdir, "conf.py")
    found = options.unknown(written, (value.name for value in config))
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    say((Kind.CONFIG.subtype, why, f"{file}:{options.line_of(name, text)}") for name, why in found)


def freeze(app: Sphinx, config: Config) -> None:
    """Read the clock once, and give the base address its final slash."""
    config.writing_fingerprint = fingerprint(app)
    config.writing_as_of = as_of(config.writing_as_of, os.environ.get("SOURCE_DATE_EPOCH")).isoformat()
    if config.html_baseurl:
        config.html_baseurl = config.html_baseurl.rstrip("/") + "/"


def as_of(value: str | date | None, epoch: str | None) -> datetime:
    """The moment a build is made for: the config value, else ``SOURCE_DATE_EPOCH``, else today in UTC."""
    if value is not None:
        try:
            return dates.parse(value if isinstance(value, str) else value.isoformat()).instant
        except (ValueError, OverflowError) as error:
            raise ConfigError(f"writing_as_of = {value!r} in conf.py: {error}") from None
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise ConfigError(
                f"SOURCE_DATE_EPOCH={epoch!r}: expected whole seconds since 1970 ({error})"
            ) from None
    today = datetime.now(UTC)
    return today.replace(hour=0, minute=0, second=0, microsecond=0)


def settings_of(config: Config) -> Settings:
    """The settings in a configuration that has been frozen."""
    return Settings(
        as_of=datetime.fromisoformat(config.writing_as_of),
        preview=bool(config.writing_preview),
        extra_fields=frozenset(config.writing_extra_fields),
        units=frozenset(config.writing_units),
    )
