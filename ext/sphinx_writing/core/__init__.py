"""The domain model: posts, series, tags and links. No Sphinx, no docutils, no disk, no clock."""
