"""A lab with <markup> in it."""


@staticmethod
def power(base: float) -> float:
    """The square."""
    return base**2


class C:
    """A class."""

    def method(self) -> None:
        """Nothing."""
        # region inner
        if self:
            print("inside")
        # endregion
