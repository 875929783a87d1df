"""Objects of the API: written as JSON, and read from it.

A gateway may add fields and statuses at any time, so reading is tolerant: what is not known is ignored, and a field
that is missing is an AttributeError where it is used, not where the answer is read.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import json
import uuid
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, ClassVar, Dict, Mapping, NoReturn, Optional, Sequence, Tuple, Type, TypeVar, Union, cast
from typing import get_args, get_origin, get_type_hints

from .errors import misuse

#: An amount of money in a request. A float is refused, because it is not exact.
Amount = Union[str, int, Decimal]

#: A time in a request. A datetime needs its zone.
Time = Union[str, datetime]

#: At most ten. Each has one name of your own with a text, and ``"isPII": True`` if that is personal data.
Metadata = Sequence[Mapping[str, Union[str, bool]]]

S = TypeVar("S", bound="Struct")


def new_id() -> str:
    """A new identifier for a request: a random UUID."""
    return str(uuid.uuid4())


class Unambiguous:
    """Has no truth value: ``if payment:`` would look like "if paid" and mean "if there is an object"."""

    def __bool__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"a {name} is neither true nor false: ask for one of its attributes, such as .outcome or .paid")


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Struct:
    """An object of the API with attributes in Python's spelling: ``deposit_id`` for ``depositId``."""

    def to_json(self) -> Dict[str, Any]:
        """The object as the API spells it, without what is absent."""
        hints = _hints(type(self))
        given = ((field, self.__dict__.get(field.name)) for field in dataclasses.fields(self))
        return {
            _wire_name(field): _write_amount(value) if _is_amount(hints[field.name]) else _write(field.name, value)
            for field, value in given
            if value is not None
        }

    @classmethod
    def from_json(cls: Type[S], raw: Mapping[str, Any]) -> S:
        """The object that the API spells so. What is missing stays missing, but a request gets its identifier."""
        made = object.__new__(cls)
        hints = _hints(cls)
        for field in dataclasses.fields(cls):
            value = _read(hints[field.name], raw.get(_wire_name(field)))
            if value is None and field.default_factory is not dataclasses.MISSING:
                value = field.default_factory()
            if value is not None:
                object.__setattr__(made, field.name, value)
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _given(other) == _given(self)

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self.to_json(), sort_keys=True)))

    def __repr__(self) -> str:
        """Without personal data, because it gets into logs."""
        given = _given(self).items()
        shown = (f"{name}={value!r}" for name, value in given if isinstance(value, Struct) or _is_harmless(name))
        return f"{type(self).__name__}({', '.join(shown)})"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Record(Unambiguous, Struct):
    """What the gateway knows about one payment. Its ``status`` is the outcome; only a COMPLETED one is ``paid``."""

    final_statuses: ClassVar[Tuple[str, ...]] = ("COMPLETED", "FAILED")
    #: Whether COMPLETED means that money has moved.
    is_money: ClassVar[bool] = True

    @property
    def is_final(self) -> bool:
        """Whether the outcome is known and stays as it is."""
        return self.__dict__.get("status") in self.final_statuses

    @property
    def paid(self) -> bool:
        """Whether the money has moved. False says nothing yet, unless it ``is_final`` too."""
        return self.__dict__.get("status") == "COMPLETED" and self.is_money

    @property
    def failed(self) -> bool:
        """Whether it failed finally, for ``failure_reason``."""
        return self.__dict__.get("status") == "FAILED"


def _given(struct: object) -> Dict[str, Any]:
    return {name: value for name, value in struct.__dict__.items() if value is not None}


_HARMLESS = ("id", "kind", "status", "amount", "currency", "country", "provider", "created", "failure_code")


def _is_harmless(name: str) -> bool:
    return name in _HARMLESS or name.endswith("_id")


def _wire_name(field: dataclasses.Field[Any]) -> str:
    given = field.metadata.get("wire")
    if isinstance(given, str):
        return given
    first, *others = field.name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _is_amount(hint: Any) -> bool:
    return Decimal in get_args(hint)


def _write_amount(value: object) -> str:
    """The API writes every amount as text."""
    if isinstance(value, float):
        raise misuse("A float is not exact.", "Give amounts as str, int or Decimal.")
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _write(name: str, value: object) -> Any:
    if isinstance(value, Struct):
        return value.to_json()
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, datetime):
        return write_time(name, value)
    if isinstance(value, Mapping):
        return {str(key): _write(name, one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_write(name, one) for one in value]
    raise misuse(f"{name} cannot be a {type(value).__name__}.", "Give what the type of the field names.")


def write_time(name: str, time: datetime) -> str:
    if time.tzinfo is None:
        raise misuse(f"{name} has no time zone.", "Give a datetime with tzinfo, such as datetime.now(timezone.utc).")
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(text: object) -> Optional[datetime]:
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None


_known_hints: Dict[Type[Struct], Dict[str, Any]] = {}


def _hints(cls: Type[Struct]) -> Dict[str, Any]:
    if cls not in _known_hints:
        _known_hints[cls] = get_type_hints(cls)
    return _known_hints[cls]


def _read(hint: Any, value: object) -> Any:
    """The value as the hint has it; None if it is absent or something else."""
    if value is None:
        return None
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Union:
        read = (_read(part, value) for part in parts if part is not type(None))
        return next((one for one in read if one is not None), None)
    if origin is collections.abc.Sequence:
        return tuple(_read(parts[0], one) for one in value) if isinstance(value, list) else None
    if origin is not None:
        # Literals are not compared: a status may be added. Maps of texts are taken as they are.
        return value if isinstance(value, (str, dict)) else None
    if hint is datetime:
        return read_time(value) if isinstance(value, str) else None
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint.from_json(cast("Mapping[str, Any]", value)) if isinstance(value, dict) else None
    return value if isinstance(value, hint) else None
