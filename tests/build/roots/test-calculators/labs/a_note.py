"""The lab."""


def size_of(layers: int, element: int, tokens: int) -> float:
    """MiB."""
    return layers * element * tokens / 2**20
