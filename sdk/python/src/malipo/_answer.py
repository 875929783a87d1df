"""Reads answers of the gateway. An answer that is not recognised is None, and the request stays unclear."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._exchange import Answered, unreadable
from ._kind import A, Kind, R
from ._struct import read_time
from .errors import MalipoError
from .outcome import Acted, Done, Rejected, Started
from .schema import FailureReason

Fields = Mapping[str, Any]


def read_started(kind: Kind[R, A], ids: Sequence[str], answer: Answered) -> Optional[List[Started[A]]]:
    """The result of each request, in the same order."""
    reason = read_reason(answer.body)
    if reason is not None and answer.status >= 400:
        return [Rejected(id, reason) for id in ids]
    said = answer.body if isinstance(answer.body, list) else [answer.body]
    if answer.status >= 300 or len(said) != len(ids):
        return None
    read = [_read_one(kind, id, fields_of(one)) for id, one in zip(ids, said)]
    known = [one for one in read if one is not None]
    return known if len(known) == len(read) else None


def _read_one(kind: Kind[R, A], id: str, said: Fields) -> Optional[Started[A]]:
    if str(said.get(kind.id_name)).lower() != id.lower():
        return None
    reason = read_reason(said)
    status = said.get("status")
    if status == "REJECTED" and reason is not None:
        return Rejected(id, reason)
    if status not in ("ACCEPTED", "DUPLICATE_IGNORED"):
        return None
    return accepted(kind, id, said, "accepted" if status == "ACCEPTED" else "duplicate")


def accepted(kind: Kind[R, A], id: str, said: Fields, outcome: str) -> Optional[A]:
    """From the answer to a request, or from a record, which proves that the gateway has the request."""
    facts: Dict[str, Any] = {"created": read_time(said.get("created"))}
    for name, wire in kind.extras.items():
        facts[name] = read_time(said.get(wire)) if name.endswith("_at") else said.get(wire)
    missing = [name for name, value in facts.items() if value is None and name != "next_step"]
    return None if missing else kind.accepted(outcome=outcome, id=id, **facts)  # type: ignore[arg-type]


def read_lookup(answer: Answered) -> Union[Fields, None, MalipoError]:
    """The gateway's record; None if it has none, and an error if that was not answered."""
    said = fields_of(answer.body)
    if answer.status == 200 and said.get("status") == "NOT_FOUND":
        return None
    data = said.get("data")
    if answer.status == 200 and said.get("status") == "FOUND" and isinstance(data, dict):
        return data
    return refused_as(answer)


def read_action(id: str, answer: Answered) -> Optional[Acted]:
    reason = read_reason(answer.body)
    if reason is not None and answer.status in (200, 404):
        return Rejected(id, reason)
    return Done(id) if fields_of(answer.body).get("status") in ("ACCEPTED", "EXPIRED") else None


def read_refusal(answer: Answered) -> Optional[MalipoError]:
    """The gateway refuses the client: token, scope, IP address.

    It says nothing about the request, which an earlier attempt may have brought in.
    """
    reason = read_reason(answer.body)
    if reason is None or answer.status <= 400:
        return None
    if answer.status == 403 and reason.failure_code != "AUTHORISATION_ERROR":
        return None
    return _failure(reason, answer.status)


def refused_as(answer: Answered) -> MalipoError:
    reason = read_reason(answer.body)
    return unreadable(answer.status) if reason is None else _failure(reason, answer.status)


def _failure(reason: FailureReason, status: int) -> MalipoError:
    what_to_do = _WHAT_TO_DO.get(reason.failure_code, "Fix what the message names, and call again.")
    return MalipoError(reason.failure_code, reason.failure_message, what_to_do, status)


_WHAT_TO_DO = {
    "AUTHENTICATION_ERROR": (
        "Check the token, that it is of this environment, and, if your account requires signatures, signing."
    ),
    "AUTHORISATION_ERROR": "Use a token with the scope that the message names.",
    "ROUTE_NOT_FOUND": "Check base_url: it is the address of the gateway, without /v2.",
}


def read_reason(body: object) -> Optional[FailureReason]:
    reason = FailureReason.from_json(fields_of(fields_of(body).get("failureReason")))
    is_complete = hasattr(reason, "failure_code") and hasattr(reason, "failure_message")
    return reason if is_complete else None


def fields_of(value: object) -> Fields:
    return value if isinstance(value, dict) else {}
