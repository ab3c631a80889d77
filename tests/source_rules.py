"""Questions put to Python source: what does it import, call, catch, and how long is it?

Every checker takes source text and gives findings, so that each can be shown a bad sample.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

PACKAGE = "vault_memory"
ROOT = ""
"""The name that `vault_memory/__init__.py` itself has among the modules of the package."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach: `module` is its name below the package, `line` counts from 1."""

    module: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.module or '__init__'}:{self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class Layer:
    """A row of the layer table.

    A member is a module or folder below the package; `x.*` makes everything directly below the
    folder x a unit of its own. `siblings` says whether one unit of the row may import another:
    "free", "never", or "launch" (inside a function only, by the one that starts the other)."""

    members: tuple[str, ...]
    may_import: tuple[str, ...]
    siblings: str = "free"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: a module of the package below `PACKAGE`, or a foreign one in full."""

    target: str
    ours: bool
    line: int
    in_function: bool


def within(module: str, place: str) -> bool:
    """Whether `module` is `place` or lies below it; the root holds itself alone."""
    return module == place or (place != ROOT and module.startswith(place + "."))


def unit_of(module: str, member: str) -> str | None:
    """The unit of a row's member that `module` belongs to, `None` where it is no part of it."""
    if not member.endswith(".*"):
        return member if within(module, member) else None
    folder = member.removesuffix(".*")
    if not within(module, folder):
        return None
    return ".".join(module.split(".")[: folder.count(".") + 2])


def row_of(module: str, layers: Sequence[Layer]) -> tuple[Layer, str] | None:
    """The row and the unit of a module, `None` where the table has none."""
    for layer in layers:
        for member in layer.members:
            unit = unit_of(module, member)
            if unit is not None:
                return layer, unit
    return None


def imports_of(
    module: str, source: str, modules: Collection[str], *, is_package: bool = False
) -> list[Import]:
    """Every import, wherever it stands (`TYPE_CHECKING` blocks too), and `import_module("…")`."""
    found: list[Import] = []

    def add(target: str, line: int, in_function: bool) -> None:
        ours = target == PACKAGE or target.startswith(PACKAGE + ".")
        name = target[len(PACKAGE) + 1 :] if ours else target
        while ours and name and name not in modules:
            name = name.rpartition(".")[0]
        found.append(Import(name, ours, line, in_function))

    def visit(node: ast.AST, in_function: bool) -> None:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    add(alias.name, node.lineno, in_function)
            case ast.ImportFrom(names=names, module=origin, level=level):
                base = _absolute(module, origin, level, is_package=is_package)
                for alias in names:
                    add(f"{base}.{alias.name}", node.lineno, in_function)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__"), args=[ast.Constant(value=str(name)), *_]
            ):
                add(name, node.lineno, in_function)
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
                add(name, node.lineno, in_function)
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(ast.parse(source), in_function=False)
    return found


def _absolute(module: str, origin: str | None, level: int, *, is_package: bool) -> str:
    if level == 0:
        return origin or ""
    parts = [PACKAGE, *module.split(".")] if module else [PACKAGE]
    kept = parts[: len(parts) - level + (1 if is_package else 0)]
    return ".".join([*kept, *([origin] if origin else [])])


def forbidden_imports(
    module: str, source: str, layers: Sequence[Layer], modules: Collection[str], *, is_package: bool = False
) -> Iterator[Finding]:
    """Imports that the layer table does not allow, and modules that it has no row for."""
    row = row_of(module, layers)
    if row is None:
        yield Finding(module, 1, "the layer table has no row for this module")
        return
    layer, unit = row
    for seen in imports_of(module, source, modules, is_package=is_package):
        if not seen.ours or within(seen.target, unit):
            continue
        if any(within(seen.target, place) for place in layer.may_import):
            continue
        sibling = any(unit_of(seen.target, member) for member in layer.members)
        if sibling and (layer.siblings == "free" or (layer.siblings == "launch" and seen.in_function)):
            continue
        yield Finding(module, seen.line, f"imports {PACKAGE}.{seen.target}, which its layer may not")


def foreign_imports(
    module: str, source: str, allowed: Collection[str], *, is_package: bool = False
) -> Iterator[Finding]:
    """Imports from outside the package whose first name is not among the allowed ones."""
    for seen in imports_of(module, source, (), is_package=is_package):
        if not seen.ours and seen.target.partition(".")[0] not in allowed:
            yield Finding(module, seen.line, f"imports {seen.target}")


def uses(module: str, source: str, forbidden: Collection[str]) -> Iterator[Finding]:
    """Uses of names such as `os.environ` or `print`, whatever they were imported as.

    A builtin is written bare; a name in a module with dots, and its own parts count as uses."""
    tree = ast.parse(source)
    known = _imported_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                if f"{node.module}.{alias.name}" in forbidden:
                    yield Finding(module, node.lineno, f"uses {node.module}.{alias.name}")
        elif isinstance(node, ast.Attribute | ast.Name):
            name = _dotted(node, known)
            if name in forbidden:
                yield Finding(module, node.lineno, f"uses {name}")


def _imported_names(tree: ast.AST) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return names


def _dotted(node: ast.expr, known: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return known.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        head = _dotted(node.value, known)
        return f"{head}.{node.attr}" if head else None
    return None


def async_functions(module: str, source: str) -> Iterator[Finding]:
    """Every `async def`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AsyncFunctionDef):
            yield Finding(module, node.lineno, f"async def {node.name}")


BROAD = frozenset({"Exception", "BaseException"})


def broad_excepts(module: str, source: str) -> Iterator[tuple[str, Finding]]:
    """(function, finding) of everything that catches all errors, `contextlib.suppress` too."""

    def visit(node: ast.AST, function: str) -> Iterator[tuple[str, Finding]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}" if function else node.name
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _names(node.type) & BROAD):
            yield function, Finding(module, node.lineno, f"broad except in {function or 'the module'}")
        if isinstance(node, ast.Call) and _names(node.func) & {"suppress"} and _all_names(node.args) & BROAD:
            yield function, Finding(module, node.lineno, f"broad suppress in {function or 'the module'}")
        for child in ast.iter_child_nodes(node):
            yield from visit(child, function)

    yield from visit(ast.parse(source), "")


def _all_names(nodes: Sequence[ast.expr]) -> set[str]:
    return {name for node in nodes for name in _names(node)}


def _names(node: ast.expr) -> set[str]:
    if isinstance(node, ast.Tuple):
        return _all_names(node.elts)
    if isinstance(node, ast.Name):
        return {node.id}
    return {node.attr} if isinstance(node, ast.Attribute) else set()


def bound_twice(module: str, source: str) -> Iterator[Finding]:
    """Names of a module that a later line gives another value: the first one says what nobody reads."""
    seen: set[str] = set()
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for name in (one.id for one in targets if isinstance(one, ast.Name)):
            if name in seen and not isinstance(node, ast.AugAssign):
                yield Finding(module, node.lineno, f"{name} is given a second value")
            seen.add(name)


def long_files(module: str, source: str, most: int) -> Iterator[Finding]:
    """A file of more lines than `most`."""
    lines = len(source.splitlines())
    if lines > most:
        yield Finding(module, most + 1, f"{lines} lines, more than {most}")


def long_functions(module: str, source: str, most: int) -> Iterator[Finding]:
    """Functions whose body has more lines than `most`; parameters and decorators are declarations."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.body[0].lineno + 1
            if lines > most:
                yield Finding(module, node.lineno, f"{node.name} has {lines} lines, more than {most}")
