"""What labs share: values with units, tables, plots in light, dark and print, and the files they go to."""

from labs.kit.figures import Draw, Palette
from labs.kit.values import Column, Table, Value

__all__ = ["Column", "Draw", "Palette", "Table", "Value"]
