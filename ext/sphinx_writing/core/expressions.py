"""Arithmetic that a calculator computes: a small part of Python's expressions, parsed by ``ast``.

An expression is a tree of numbers, names and operations on floats. The script in the page evaluates the same
tree, so every operation is one that JavaScript has, to the bit but for ``**`` with a broken exponent,
``exp`` and logarithms, whose last digit may differ. What is no finite number (a division by zero, an
overflow) has no value there and here.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from sphinx_writing.core.problems import hint

LONGEST = 500
"""Characters of an expression."""
DEEPEST = 32
"""How deep operations may lie in each other: neither language may run out of stack."""
LARGEST_EXPONENT = 256
"""Whole exponents up to this one are multiplied out, which gives the same bits everywhere."""


class ExpressionError(ValueError):
    """Text that is no expression; *column*, from 1, is where in it."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


@dataclass(frozen=True)
class Number:
    """A number as it was written."""

    value: float


@dataclass(frozen=True)
class Name:
    """The value of an input, or of an output that was computed before."""

    name: str


@dataclass(frozen=True)
class Operation:
    """An operation or a function, by its name in ``OPERATIONS``; or ``if``: test, then, else; or ``none``."""

    name: str
    of: tuple[Expression, ...]


Expression = Number | Name | Operation


def power(base: float, exponent: float) -> float:
    """*base* to the power *exponent*."""
    if exponent != math.floor(exponent) or abs(exponent) > LARGEST_EXPONENT:
        return math.pow(base, exponent)
    made, left = 1.0, int(abs(exponent))
    while left:
        made = made * base if left % 2 else made
        base, left = base * base, left // 2
    return 1 / made if exponent < 0 else made


def remainder(a: float, b: float) -> float:
    """What is left of *a* divided by *b*, with the sign of *b*, as in Python."""
    left = math.fmod(a, b)
    return left + b if left and (left < 0) != (b < 0) else left


def whole_quotient(a: float, b: float) -> float:
    """How often *b* goes into *a*, rounded down."""
    quotient = (a - remainder(a, b)) / b
    down = float(math.floor(quotient))
    return down + 1 if quotient - down > 0.5 else down


def logarithm(base: float, log: Callable[[float], float]) -> Callable[[float], float]:
    """*log*, exact for whole powers of its *base*: it is often rounded up or down."""

    def of(x: float) -> float:
        found = log(x)
        near = float(round(found))
        return near if power(base, near) == x else found

    return of


OPERATIONS: Mapping[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": whole_quotient,
    "%": remainder,
    "**": power,
    "neg": lambda a: -a,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "abs": abs,
    "ceil": lambda a: float(math.ceil(a)),
    "exp": math.exp,
    "floor": lambda a: float(math.floor(a)),
    "ln": math.log,
    "log10": logarithm(10.0, math.log10),
    "log2": logarithm(2.0, math.log2),
    "max": max,
    "min": min,
    "round": lambda a: float(round(a)),
    "sqrt": math.sqrt,
}
"""Every operation and function: what it gives for floats, which may be none or no finite number."""

FUNCTIONS = tuple(name for name in OPERATIONS if name.isidentifier() and name != "neg")
_SEVERAL = ("max", "min")
_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_LOOKALIKES = {"×": "*", "·": "*", "÷": "/", "−": "-", "^": "**", "≤": "<=", "≥": ">=", "≠": "!="}
KNOWN = f"numbers, names, + - * / // % **, comparisons, a if b else c, None, {', '.join(FUNCTIONS)}"
NONE = Operation("none", ())
"""What has no value, so that an output can say that it means nothing for some inputs."""


class _RefusedError(ValueError):
    """A part of the syntax tree that is no part of the language."""

    def __init__(self, node: ast.expr, message: str) -> None:
        super().__init__(message)
        self.node = node


def parse(text: str, names: Collection[str], later: Collection[str] = ()) -> Expression:
    """The tree of *text*, which may use *names*; those in *later* are known and not to be had yet."""
    if len(text) > LONGEST:
        message = f"is longer than {LONGEST} characters; give a part of it an output of its own"
        raise ExpressionError(message, LONGEST + 1)
    for column, char in enumerate(text, start=1):
        if char in _LOOKALIKES:
            raise ExpressionError(f'has a "{char}"; write {_LOOKALIKES[char]}', column)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python warns of is refused below, or does no harm
            tree = ast.parse(text, mode="eval")
        return _read(tree.body, names, later, DEEPEST)
    except _RefusedError as error:
        before = text.encode()[: error.node.col_offset]  # Python counts bytes
        raise ExpressionError(str(error), len(before.decode(errors="ignore")) + 1) from None
    except SyntaxError as error:
        raise ExpressionError(f"cannot be read: {error.msg}", error.offset or 1) from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError("cannot be read; write it simpler", 1) from None


def _read(node: ast.expr, names: Collection[str], later: Collection[str], depth: int) -> Expression:
    """The tree of *node*, which has at most *depth* operations in each other."""
    if depth == 0:
        message = f"is more than {DEEPEST} operations deep; give a part of it an output of its own"
        raise _RefusedError(node, message)
    if isinstance(node, ast.Constant):
        return NONE if node.value is None else _number(node)
    if isinstance(node, ast.Name):
        return _name(node, names, later)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return _read(node.operand, names, later, depth - 1)
    name, parts = _operation(node)
    return Operation(name, tuple(_read(part, names, later, depth - 1) for part in parts))


def _number(node: ast.Constant) -> Number:
    value = node.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            if math.isfinite(float(value)):
                return Number(float(value))
        except OverflowError:
            pass
        raise _RefusedError(node, "has a number that is too large")
    raise _RefusedError(node, f"has {value!r:.40}, which is no number")


def _name(node: ast.Name, names: Collection[str], later: Collection[str]) -> Name:
    if node.id in names:
        return Name(node.id)
    if node.id in later:
        message = f'uses "{node.id}", which is computed here or after it; outputs use those before them'
        raise _RefusedError(node, message)
    if node.id in FUNCTIONS:
        raise _RefusedError(node, f'has "{node.id}" without brackets; write {node.id}(…)')
    raise _RefusedError(node, f'has an unknown name "{node.id}"; {hint(node.id, names)}')


def _operation(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """The name of the operation that *node* is, and what it is of."""
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)], [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return "neg", [node.operand]
    if isinstance(node, ast.IfExp):
        return "if", [node.test, node.body, node.orelse]
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        if len(node.ops) > 1:
            raise _RefusedError(node, "compares more than two values; compare two")
        return _COMPARISONS[type(node.ops[0])], [node.left, node.comparators[0]]
    if isinstance(node, ast.Call):
        return _call(node), node.args
    raise _RefusedError(node, f"has something that is not allowed here; known: {KNOWN}")


def _call(node: ast.Call) -> str:
    """The function that *node* calls, with as many values as it takes."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in FUNCTIONS:
        raise _RefusedError(node, f'has an unknown function "{name}"; {hint(name, FUNCTIONS)}')
    wanted = "two or more values" if name in _SEVERAL else "one value"
    if node.keywords or (len(node.args) < 2 if name in _SEVERAL else len(node.args) != 1):
        raise _RefusedError(node, f"calls {name} with other than {wanted}; give it {wanted}")
    return name


def names_in(expression: Expression) -> Iterator[str]:
    """The names that *expression* uses, some more than once."""
    if isinstance(expression, Name):
        yield expression.name
    elif isinstance(expression, Operation):
        for part in expression.of:
            yield from names_in(part)


def may_be_none(expression: Expression) -> bool:
    """Whether the author has written that *expression* has no value somewhere."""
    return expression == NONE or (isinstance(expression, Operation) and any(map(may_be_none, expression.of)))


def evaluate(expression: Expression, values: Mapping[str, float | None]) -> float | None:
    """The value of *expression* for these *values*; None where there is none."""
    try:
        return _value(expression, values)
    except (ArithmeticError, ValueError):
        return None


def _value(expression: Expression, values: Mapping[str, float | None]) -> float:
    """The same, with an error where there is none."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name):
        found = values[expression.name]
        if found is None:
            raise ArithmeticError
        return found
    if expression.name == "if":
        test, yes, no = expression.of
        return _value(yes if _value(test, values) else no, values)
    if expression == NONE:
        raise ArithmeticError
    made = OPERATIONS[expression.name](*(_value(part, values) for part in expression.of))
    if not math.isfinite(made):
        raise ArithmeticError
    return made


Tree = float | str | list["Tree"]


def as_json(expression: Expression) -> Tree:
    """*expression* for the script: a number, a name, or a list of an operation and what it is of."""
    if isinstance(expression, Number):
        whole = expression.value == int(expression.value) and abs(expression.value) < 2**53
        return int(expression.value) if whole else expression.value
    if isinstance(expression, Name):
        return expression.name
    return [expression.name, *map(as_json, expression.of)]
