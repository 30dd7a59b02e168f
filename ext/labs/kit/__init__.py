"""What labs share: values with units, plots in light, dark and print, and the files they go to."""

from labs.kit.figures import Draw, Palette
from labs.kit.values import Value

__all__ = ["Draw", "Palette", "Value"]
