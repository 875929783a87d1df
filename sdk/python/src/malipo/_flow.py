"""What a call does, step by step, without doing it: a generator that yields steps and gets their results. `_runners.py`
takes the steps, with blocking or with asynchronous functions, so the rules about money exist once.
"""

from __future__ import annotations

import dataclasses
import random
import time
from typing import Generator, Sequence, TypeVar, Union, cast

from ._exchange import Answer, Answered, Call, Trouble
from .journal import JournalEntry

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Pause:
    seconds: float


@dataclasses.dataclass(frozen=True)
class Unsettled:
    pass


@dataclasses.dataclass(frozen=True)
class Remember:
    entries: Sequence[JournalEntry]


@dataclasses.dataclass(frozen=True)
class Settle:
    entries: Sequence[JournalEntry]


Step = Union[Call, Pause, Unsettled, Remember, Settle]
Flow = Generator[Step, object, T]


def send(call: Call) -> Flow[Answer]:
    return cast(Answer, (yield call))


#: The first retry is almost immediate; later ones give an overloaded gateway time.
_FIRST_SECONDS = 0.1
_LONGEST_SECONDS = 5.0


def backoff(attempts: int) -> float:
    """The delay after failed attempts. Half of it is random, so that clients do not retry at the same time."""
    whole: float = min(_FIRST_SECONDS * 2 ** max(0, attempts - 1), _LONGEST_SECONDS)
    return whole / 2 + whole / 2 * random.random()


def send_until_clear(call: Call, deadline: float) -> Flow[Answer]:
    """Repeats a request until its answer is clear or the time is over: ``deadline`` of ``time.monotonic``."""
    attempts = 0
    while True:
        answer = yield from send(call)
        attempts += 1
        if isinstance(answer, Answered):
            return answer
        wait = max(backoff(attempts), answer.retry_after)
        if time.monotonic() + wait > deadline:
            return answer
        yield Pause(wait)


def ask(call: Call, deadline: float) -> Flow[Answered]:
    """For requests that can be repeated safely."""
    answer = yield from send_until_clear(call, deadline)
    if isinstance(answer, Trouble):
        raise answer.cause
    return answer
