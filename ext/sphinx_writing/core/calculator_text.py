"""The text of a calculator: YAML, read from its nodes like front matter, each fault with its line.

What does not fit is one :class:`Fault`, and the rest is still checked. A calculator with a fault is none.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sphinx_writing.core import expressions, fields, inline
from sphinx_writing.core.calculators import (
    DEFAULT,
    Calculator,
    Case,
    Input,
    Output,
    Value,
    number,
    results,
    typed,
)
from sphinx_writing.core.expressions import Expression, ExpressionError, Number
from sphinx_writing.core.fields import FieldError, found
from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import hint

_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FUNCTION = re.compile(r"[A-Za-z_]\w*")
MOST = 40
"""Inputs, choices, presets or outputs of one calculator."""
MOST_DIGITS = 15
_NEAR = 1e-9
"""How near to a step a value must be, as a part of the step: 0.3 is three steps of 0.1."""

Read = Callable[[Node], Any]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in the text, and its line, from 1."""

    line: int
    message: str


def read(text: str) -> tuple[Calculator | None, tuple[Fault, ...]]:
    """The calculator that *text* describes, if nothing is wrong with it, and what is."""
    errors: list[FieldError] = []
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        why = f"is not valid YAML: {shown(reason, 200)}; quote texts that hold a colon, a comma or a bracket"
        return None, (Fault(mark.line + 1 if mark else 1, why),)
    except (RecursionError, ValueError, OverflowError):
        return None, (Fault(1, "cannot be read as YAML; write it flatter"),)
    if not isinstance(root, MappingNode):
        what = "nothing" if root is None else found(root)
        return None, (Fault(1, f'needs "inputs" and "outputs", found {what}'),)
    made = _calculator(root, errors)
    faults = tuple(Fault(_line(error.node), str(error)) for error in errors)
    return (None if faults else made), faults


def _calculator(root: MappingNode, errors: list[FieldError]) -> Calculator | None:
    """The calculator at *root*, as far as it can be made."""
    readers: Mapping[str, Read] = {"inputs": _same, "presets": _same, "outputs": _same, "note": fields.text}
    parts = _fields(root, "a calculator", readers, ("inputs", "outputs"), errors)
    if "inputs" not in parts or "outputs" not in parts:
        return None
    entries = list(_named(parts["inputs"], "inputs", errors))
    names = [key.value for key, _ in entries]  # one with a fault is known all the same
    inputs = [one for key, node in entries if (one := _input(key, node, errors))]
    presets = list(_presets(parts["presets"], names, inputs, errors)) if "presets" in parts else []
    outputs = _outputs(parts["outputs"], names, errors)
    if errors:
        return None
    inputs = [_with_step(one, presets, i) for i, one in enumerate(inputs)]
    made = Calculator(tuple(inputs), tuple(outputs), tuple(presets), parts.get("note", ""))
    errors += _off_step(made, parts)
    errors += _unused(made, parts["inputs"])
    errors += _without_value(made, parts)
    return made


def _line(node: Node) -> int:
    line: int = node.start_mark.line + 1
    return line


def _same(node: Node) -> Node:
    return node


def _fields(
    node: Node, what: str, readers: Mapping[str, Read], required: Sequence[str], errors: list[FieldError]
) -> dict[str, Any]:
    """The values of the fields of *node*, as far as they can be read."""
    values: dict[str, Any] = {}
    if not isinstance(node, MappingNode):
        message = f"{what}: expected fields such as {required[0]}, found {found(node)}"
        errors.append(FieldError(node, message))
        return values
    seen: set[str] = set()
    for key, value in node.value:
        name = key.value if isinstance(key, ScalarNode) else ""
        try:
            if name not in readers:
                raise FieldError(key, f'unknown field "{shown(name)}"; {hint(name, readers)}')
            if name in seen:
                raise FieldError(key, f'"{name}" is written twice; remove one')
            seen.add(name)
            values[name] = readers[name](value)
        except FieldError as error:
            errors.append(
                FieldError(
                    error.node, f"{what}: {error}" if error.node is key else f"{what}: {name}: {error}"
                )
            )
    missing = (name for name in required if name not in seen)
    errors += [FieldError(node, f'{what} needs "{name}"; add it') for name in missing]
    return values


def _named(node: Node, what: str, errors: list[FieldError]) -> Iterator[tuple[ScalarNode, Node]]:
    """The entries of a mapping of names, each name once."""
    of = f"{what}: " if what else ""
    if not isinstance(node, MappingNode) or not node.value:
        errors.append(FieldError(node, f"{of}expected a mapping of names, found {_found(node)}"))
        return
    if len(node.value) > MOST:
        errors.append(FieldError(node, f"{of}expected at most {MOST}, found {len(node.value)}; drop some"))
        return
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            errors.append(FieldError(key, f"{of}expected a name, found {found(key)}"))
        elif key.value in seen:
            errors.append(FieldError(key, f'{of}"{shown(key.value)}" is written twice; remove one'))
        else:
            seen.add(key.value)
            yield key, value


def _found(node: Node) -> str:
    """How *node* is described where names are missing."""
    return "none" if isinstance(node, MappingNode) else found(node)


def _variable(key: ScalarNode, errors: list[FieldError]) -> bool:
    """Whether *key* is a name that expressions can use; if not, it is an error."""
    name, why = key.value, ""
    if not _NAME.fullmatch(name):
        why = "use lower-case letters, digits and _"
    elif keyword.iskeyword(name) or name in expressions.FUNCTIONS:
        why = "the language of expressions has it already; choose another"
    if why:
        errors.append(FieldError(key, f'"{shown(name)}" is no name for a value: {why}'))
    return not why


def _input(key: ScalarNode, node: Node, errors: list[FieldError]) -> Input | None:
    """The input that *node* describes; None where it cannot be one."""
    readers: Mapping[str, Read] = {
        "label": _label,
        "unit": fields.text,
        "range": _range,
        "step": _positive,
        "choices": _choices,
        "default": _same,
    }
    what, before = f'input "{shown(key.value)}"', len(errors)
    values = _fields(node, what, readers, ("label",), errors)
    if not _variable(key, errors) or len(errors) > before:
        return None
    if ("range" in values) == ("choices" in values):
        errors.append(FieldError(node, f'{what} needs either a "range" or "choices"'))
        return None
    if "choices" in values and "step" in values:
        errors.append(FieldError(node, f'{what} has choices, which have no "step"; remove it'))
        return None
    low, high = values.get("range", (0.0, 0.0))
    choices = values.get("choices")
    made = Input(
        key.value, values["label"], 0.0, values.get("unit", ""), low, high, values.get("step", 0), choices
    )
    if "default" not in values and not choices:
        errors.append(FieldError(node, f'{what} needs a "default"; give a number from {_span(made)}'))
        return None
    try:
        default = _value(made, values["default"]) if "default" in values else next(iter(choices or ()))
    except FieldError as error:
        errors.append(FieldError(error.node, f"{what}: default: {error}"))
        return None
    return replace(made, default=default, line=_line(key))


def _label(node: Node) -> inline.Inline:
    return inline.parse(fields.text(node))


def _float(node: Node) -> float:
    """A number; underscores may part its digits."""
    if isinstance(node, ScalarNode) and not node.style and _NUMBER.fullmatch(node.value):
        value = float(node.value)
        if math.isfinite(value):
            return value
    raise FieldError(node, f"expected a number, found {found(node)}")


def _positive(node: Node) -> float:
    if (value := _float(node)) > 0:
        return value
    raise FieldError(node, f"expected a number above 0, found {found(node)}")


def _range(node: Node) -> tuple[float, float]:
    if not isinstance(node, SequenceNode) or len(node.value) != 2:
        raise FieldError(node, f"expected [lowest, highest], found {found(node)}")
    low, high = map(_float, node.value)
    if low >= high:
        raise FieldError(node, f"{typed(low)} is not below {typed(high)}; write [lowest, highest]")
    return low, high


def _choices(node: Node) -> dict[str, float]:
    """The number of each choice; of a list of numbers, each is its own name."""
    errors: list[FieldError] = []
    if isinstance(node, SequenceNode):
        pairs: Sequence[tuple[Node, Node]] = [(child, child) for child in node.value]
    else:
        pairs = list(_named(node, "", errors))
    if errors:
        raise errors[0]
    made = {_choice(key): _float(value) for key, value in pairs}
    if len(made) < 2 or len(made) < len(pairs) or len(made) > MOST:
        raise FieldError(node, f"expected from two to {MOST} different choices, found {len(made)}")
    return made


def _choice(node: Node) -> str:
    """The name of a choice or a preset, which may look like a number."""
    if not isinstance(node, ScalarNode):
        raise FieldError(node, f"expected a name, found {found(node)}")
    as_text = ScalarNode("tag:yaml.org,2002:str", node.value, node.start_mark, node.end_mark)
    return fields.text(as_text)


def _value(one: Input, node: Node) -> Value:
    """What *node* gives this input."""
    if one.choices is not None:
        name = _choice(node)
        if name not in one.choices:
            raise FieldError(node, f'"{shown(name)}" is no choice; {hint(name, one.choices)}')
        return name
    value = _float(node)
    if not one.low <= value <= one.high:
        raise FieldError(node, f"{typed(value)} is not in the range, {_span(one)}")
    return value


def _span(one: Input) -> str:
    return f"{typed(one.low)} to {typed(one.high)}"


def _presets(node: Node, names: list[str], inputs: list[Input], errors: list[FieldError]) -> Iterator[Case]:
    """The presets; what one does not name is as by default."""
    readable = {one.name: one for one in inputs}
    for key, values in _named(node, "presets", errors):
        what = f'preset "{shown(key.value)}"'
        given: dict[str, Value] = {}
        try:
            name = _choice(key)
            if not isinstance(values, MappingNode):
                raise FieldError(values, f"expected values of inputs, found {found(values)}")
            for part, value in values.value:
                of = part.value if isinstance(part, ScalarNode) else ""
                if of not in names:
                    raise FieldError(part, f'unknown input "{shown(of)}"; {hint(of, names)}')
                if of in given:
                    raise FieldError(part, f'"{of}" is written twice; remove one')
                if of not in readable:
                    continue
                try:
                    given[of] = _value(readable[of], value)
                except FieldError as error:
                    raise FieldError(error.node, f"{of}: {error}") from None
        except FieldError as error:
            errors.append(FieldError(error.node, f"{what}: {error}"))
            continue
        yield Case(name, tuple(given.get(one.name, one.default) for one in inputs))


def _with_step(one: Input, presets: list[Case], index: int) -> Input:
    """*one* with steps of 1, if it names none and all its numbers are whole."""
    if one.step or one.choices:
        return one
    used = (one.low, one.high, number(one, one.default), *(number(one, p.values[index]) for p in presets))
    return replace(one, step=1.0) if all(value == math.floor(value) for value in used) else one


def _outputs(node: Node, inputs: list[str], errors: list[FieldError]) -> list[Output]:
    """The outputs in their order, each by the names of *inputs* and of the outputs before it."""
    entries = list(_named(node, "outputs", errors))
    names = list(inputs)
    made: list[Output] = []
    for i, (key, value) in enumerate(entries):
        later = [other.value for other, _ in entries[i:]]
        if output := _output(key, value, names, later, errors):
            made.append(output)
        names.append(key.value)
    return made


def _output(
    key: ScalarNode, node: Node, names: list[str], later: list[str], errors: list[FieldError]
) -> Output | None:
    """The output that *node* describes, by *names*; None where it cannot be one."""
    readers: Mapping[str, Read] = {
        "label": _label,
        "unit": fields.text,
        "value": lambda value: (_formula(value), _expression(value, names, later)),
        "digits": _digits,
        "lab": _function,
    }
    what, before = f'output "{shown(key.value)}"', len(errors)
    values = _fields(node, what, readers, ("label", "value"), errors)
    if key.value in names:
        errors.append(FieldError(key, f"{what} has the name of another value; choose another"))
    if not _variable(key, errors) or len(errors) > before:
        return None
    formula, expression = values.pop("value")
    return Output(key.value, formula=formula, expression=expression, line=_line(key), **values)


def _formula(node: Node) -> str:
    """An expression as it is written; a bare number is one, too."""
    return _choice(node)


def _expression(node: Node, names: list[str], later: list[str]) -> Expression:
    text = _formula(node)
    try:
        made = expressions.parse(text, names, later)
    except ExpressionError as error:
        raise FieldError(node, f'"{shown(text)}" {error} (character {error.column})') from None
    if isinstance(made, Number):
        raise FieldError(node, f'"{shown(text)}" is always the same; use the inputs')
    return made


def _digits(node: Node) -> int:
    if (value := _float(node)) in range(1, MOST_DIGITS + 1):
        return int(value)
    raise FieldError(node, f"expected a whole number from 1 to {MOST_DIGITS}, found {found(node)}")


def _function(node: Node) -> str:
    name = fields.text(node)
    if not _FUNCTION.fullmatch(name):
        raise FieldError(node, f'"{shown(name)}" is no name of a function of the lab')
    return name


def _off_step(made: Calculator, parts: Mapping[str, Node]) -> Iterator[FieldError]:
    """Values between the steps that their inputs allow."""
    for case in (made.default, *made.presets):
        for one, value in zip(made.inputs, case.values, strict=True):
            if one.step and isinstance(value, float):
                steps = (value - one.low) / one.step
                if abs(steps - round(steps)) > _NEAR:
                    off = f"{typed(value)} is none of the steps of {typed(one.step)} from {typed(one.low)}"
                    yield FieldError(_at(case, made, parts), f"{_of(case)}: {one.name}: {off}")


def _unused(made: Calculator, node: MappingNode) -> Iterator[FieldError]:
    """Inputs that change nothing."""
    used = {name for output in made.outputs for name in expressions.names_in(output.expression)}
    for key, _ in node.value:
        if key.value not in used:
            yield FieldError(key, f'input "{key.value}" is used by no output; use it, or remove it')


def _without_value(made: Calculator, parts: Mapping[str, Node]) -> Iterator[FieldError]:
    """Outputs that come to nothing for the default or a preset."""
    for case in made.cases:
        for output, value in zip(made.outputs, results(made, case.values), strict=True):
            if value is None and not expressions.may_be_none(output.expression):
                message = (
                    f'{_of(case)}: output "{output.name}" has no value: it divides by zero or is too large'
                )
                yield FieldError(_at(case, made, parts), message)


def _of(case: Case) -> str:
    return "the default" if case.name == DEFAULT else f'preset "{shown(case.name)}"'


def _at(case: Case, made: Calculator, parts: Mapping[str, Node]) -> Node:
    """Where *case* is written: its preset, or the inputs."""
    if case in made.presets:
        node: Node = parts["presets"].value[made.presets.index(case)][0]
        return node
    return parts["inputs"]
