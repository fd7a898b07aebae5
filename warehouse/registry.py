"""Families of interchangeable parts (parsers, chunkers, rules, embedders): one file, one member.

A member is the object named `member` in a module of the family's package; its name is the module's. A module that holds
several related members has them by name in `members` instead. There is no other list, so a new file is a new
member.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Generic, TypeVar

from warehouse.errors import BadInput

Member = TypeVar("Member")


class Family(Mapping[str, Member], Generic[Member]):
    """The members of a package by name, imported on first use; if a module has the member's name, only that module."""

    def __init__(self, package: str, noun: str) -> None:
        """`package` is a dotted name; `noun` says what a member is, for messages."""
        self.package = package
        self.noun = noun

    @cached_property
    def _modules(self) -> tuple[str, ...]:
        return tuple(module.name for module in pkgutil.iter_modules(import_module(self.package).__path__))

    @cached_property
    def _members(self) -> dict[str, Member]:
        members: dict[str, Member] = {}
        for name in self._modules:
            content = import_module(f"{self.package}.{name}")
            members.update(getattr(content, "members", {}))
            member = getattr(content, "member", None)
            if member is not None:
                members[name] = member
        return members

    def __getitem__(self, name: str) -> Member:
        """Raises `BadInput` with the names of all members."""
        if name in self._modules:
            member: Member | None = getattr(import_module(f"{self.package}.{name}"), "member", None)
            if member is not None:
                return member
        try:
            return self._members[name]
        except KeyError:
            raise BadInput(f"no {self.noun} is named '{name}'", f"choose from {', '.join(sorted(self))}") from None

    def __contains__(self, name: object) -> bool:
        """Whether a member has this name."""
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        """Names in alphabetical order."""
        return iter(sorted(self._members))

    def __len__(self) -> int:
        """How many members there are."""
        return len(self._members)
