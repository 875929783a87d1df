"""Starts payments so that each is started at most once. The identifier is stored before anything is sent; after an
unclear result the gateway is asked what it has; and what it does not have is sent again with the same identifier, which
the gateway processes once. A new identifier is never created.
"""

from __future__ import annotations

import dataclasses
import time
from typing import Dict, Generic, List, Optional, Sequence, TypeVar, Union, cast

from ._answer import Fields, accepted, read_lookup, read_refusal, read_started
from ._exchange import Answered, Call, Trouble, unreadable
from ._flow import Flow, Pause, Remember, Settle, Unsettled, backoff, send, send_until_clear
from ._kind import A, Kind, R
from .errors import MalipoError
from .journal import JournalEntry, key_of
from .outcome import Accepted, Rejected, Started, Unknown

T = TypeVar("T")


def start_requests(
    kind: Kind[R, A], bodies: Sequence[Fields], retry_for: float, *, is_list: bool
) -> Flow[List[Started[A]]]:
    """The outcome of each, in the same order. Raises a MalipoError only if the gateway certainly has none of them."""
    entries = [journal_entry(kind, body) for body in bodies]
    pursuit = _Pursuit(kind, bodies, is_list, time.monotonic() + retry_for)
    return (yield from send_stored(entries, pursuit.run()))


def send_stored(entries: Sequence[JournalEntry], sending: Flow[List[T]]) -> Flow[List[T]]:
    """Stores the entries, sends, and settles those whose outcome is known."""
    before = {key_of(entry) for entry in cast(Sequence[JournalEntry], (yield Unsettled()))}
    yield Remember(entries)
    try:
        results = yield from sending
    except MalipoError:
        # A refusal of the only request. It says nothing about an earlier one with the same identifier, so an entry that
        # was there before stays. After other exceptions, such as an interruption, all do.
        yield from _try_settle([entry for entry in entries if key_of(entry) not in before])
        raise
    yield from _try_settle([entry for entry, one in zip(entries, results) if not isinstance(one, Unknown)])
    return results


def _try_settle(entries: Sequence[JournalEntry]) -> Flow[None]:
    """An entry that stays does no harm; a result that is lost does."""
    try:
        yield Settle(entries)
    except Exception:
        return


def journal_entry(kind: Kind[R, A], body: Fields) -> JournalEntry:
    return JournalEntry(kind.name, str(body[kind.id_name]), client_reference_id=body.get("clientReferenceId"))


class _Pursuit(Generic[R, A]):
    """Requests in progress, until each outcome is known or the time is over."""

    def __init__(self, kind: Kind[R, A], bodies: Sequence[Fields], is_list: bool, deadline: float) -> None:
        self._kind = kind
        self._bodies: Dict[str, Fields] = {str(body[kind.id_name]): body for body in bodies}
        self._is_list = is_list
        self._deadline = deadline
        self._results: Dict[str, Started[A]] = {}
        #: Set once a request may have been accepted without an answer, and never unset.
        self._is_in_doubt = False

    def run(self) -> Flow[List[Started[A]]]:
        trouble = yield from self._send()
        attempts = 1
        while trouble is not None and (yield from self._is_worth_another(trouble, attempts)):
            attempts += 1
            trouble = (yield from self._ask(self._open())) if self._is_in_doubt else None
            if trouble is None:
                trouble = yield from self._send()
        if self._is_in_doubt:
            yield from self._ask_again()
        cause = unreadable(200) if trouble is None else trouble.cause
        return [self._results.get(id, Unknown(id, cause)) for id in self._bodies]

    def _open(self) -> List[str]:
        return [id for id in self._bodies if id not in self._results]

    def _is_worth_another(self, trouble: Trouble, attempts: int) -> Flow[bool]:
        wait = max(backoff(attempts), trouble.retry_after)
        if time.monotonic() + wait > self._deadline:
            return False
        yield Pause(wait)
        return True

    def _send(self) -> Flow[Optional[Trouble]]:
        """Sends what has no answer yet. None if everything has an answer."""
        bodies = [self._bodies[id] for id in self._open()]
        if not bodies:
            return None
        path = f"{self._kind.path}/bulk" if self._is_list else self._kind.path
        answer = yield from send(Call("POST", path, bodies if self._is_list else bodies[0], is_initiation=True))
        trouble = self._read(answer) if isinstance(answer, Answered) else answer
        if trouble is not None and trouble.is_unclear:
            self._is_in_doubt = True
        return trouble

    def _read(self, answer: Answered) -> Optional[Trouble]:
        refusal = read_refusal(answer)
        # A refusal means that this request did nothing; it says nothing about earlier ones.
        if refusal is not None and not self._is_in_doubt:
            raise refusal
        if refusal is not None:
            return Trouble(refusal)
        started = read_started(self._kind, self._open(), answer)
        if started is None:
            return Trouble(unreadable(answer.status))
        for one in started:
            self._keep(one)
        return None

    def _keep(self, one: Started[A]) -> None:
        """In doubt, a duplicate means our own earlier request."""
        if isinstance(one, Accepted) and one.outcome == "duplicate" and self._is_in_doubt:
            one = cast(A, dataclasses.replace(one, outcome="accepted"))
        self._results[one.id] = one

    def _ask(self, ids: Sequence[str]) -> Flow[Optional[Trouble]]:
        """Finds out which of these the gateway has. Returns the problem that prevented it."""
        for id in ids:
            problem = yield from self._look_up(id)
            # A token may be allowed to pay but not to read. Sending again with the same identifier is as safe.
            if isinstance(problem, Trouble):
                return problem
        return None

    def _look_up(self, id: str) -> Flow[Union[Trouble, MalipoError, None]]:
        """None if the gateway said whether it has the request."""
        answer = yield from send_until_clear(Call("GET", self._kind.path_of(id)), self._deadline)
        if isinstance(answer, Trouble):
            return answer
        record = read_lookup(answer)
        if record is None or isinstance(record, MalipoError):
            return record
        known = accepted(self._kind, id, record, "accepted")
        if known is None:
            return unreadable(answer.status)
        self._results[id] = known
        return None

    def _ask_again(self) -> Flow[None]:
        """A second attempt may be rejected because the first one was accepted late. Unless verified, it is unknown."""
        cause: Optional[MalipoError] = None
        for id in [id for id, one in self._results.items() if isinstance(one, Rejected)]:
            if cause is None:
                problem = yield from self._look_up(id)
                cause = problem.cause if isinstance(problem, Trouble) else problem
            if cause is not None:
                self._results[id] = Unknown(id, cause)
