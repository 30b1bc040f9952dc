"""The one way in which a reader refuses a file."""

from __future__ import annotations


class SceneFormatError(ValueError):
    """The file is not what its format promises; the message says where."""
