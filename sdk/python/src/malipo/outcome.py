"""The results of calls. None has an attribute ``status``: that name belongs to payments, and an accepted request says
nothing about money. None is true or false by itself either.
"""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Literal, Optional, Sequence, TypeVar, Union

from ._struct import Unambiguous
from .errors import MalipoError
from .schema import Event, FailureReason, NextStep, PredictedProvider


@dataclasses.dataclass(frozen=True)
class EventPage(Unambiguous):
    """Events, the oldest first."""

    events: Sequence[Event]
    #: The cursor to go on with. Store it when you have processed the events.
    next: str
    #: Whether there are more events now.
    has_more: bool
    #: The cursor could not be followed: events are deleted when they are old, and have other numbers after a restore.
    #: Then ``events`` is empty, and from ``next`` on no event is missing that there is.
    expired: bool = False


@dataclasses.dataclass(frozen=True)
class Accepted(Unambiguous):
    """The gateway has the request, and will end it once.

    ``duplicate``: a request with this identifier was accepted before, and nothing was done now. After a lost answer the
    outcome comes from a status check, which cannot show which of several requests with one identifier was the first.
    """

    outcome: Literal["accepted", "duplicate"]
    id: str
    created: datetime


@dataclasses.dataclass(frozen=True)
class AcceptedDeposit(Accepted):
    """Of a deposit or a split payment."""

    next_step: Optional[NextStep] = None


@dataclasses.dataclass(frozen=True)
class AcceptedCheckout(Accepted):
    #: Where to redirect the customer.
    redirect_url: str
    expires_at: datetime
    checkout_code: str


@dataclasses.dataclass(frozen=True)
class Rejected(Unambiguous):
    """Nothing was done, and nothing will be."""

    id: str
    failure_reason: FailureReason
    outcome: Literal["rejected"] = "rejected"


@dataclasses.dataclass(frozen=True)
class Unknown(Unambiguous):
    """The gateway could not be reached in time.

    Ask later with ``get(id)``, or send the same request again. A new identifier could pay twice.
    """

    id: str
    cause: MalipoError
    outcome: Literal["unknown"] = "unknown"


A = TypeVar("A", bound=Accepted)

#: The outcome of a request.
Started = Union[A, Rejected, Unknown]


@dataclasses.dataclass(frozen=True)
class AcceptedPage(Unambiguous):
    """``id`` is that of the deposit, which exists once the customer has pressed Pay."""

    id: str
    #: Where to redirect the customer.
    redirect_url: str
    outcome: Literal["accepted"] = "accepted"


@dataclasses.dataclass(frozen=True)
class AcceptedStatement(Unambiguous):
    id: str
    created: datetime
    outcome: Literal["accepted"] = "accepted"


@dataclasses.dataclass(frozen=True)
class RejectedStatement(Unambiguous):
    """The gateway gives statements their identifiers, so a rejected one has none."""

    failure_reason: FailureReason
    outcome: Literal["rejected"] = "rejected"


@dataclasses.dataclass(frozen=True)
class Done(Unambiguous):
    """An action on a payment was accepted: resend its callback, cancel it."""

    id: str
    outcome: Literal["accepted"] = "accepted"


#: The result of an action on a payment.
Acted = Union[Done, Rejected]


@dataclasses.dataclass(frozen=True)
class Still(Unambiguous):
    """The wait is over, and the payment is not final.

    ``still`` is its last known status; NOT_FOUND if the gateway has no such payment, UNREACHABLE if it never answered.
    """

    still: str
    is_final: Literal[False] = False
    paid: Literal[False] = False
    failed: Literal[False] = False


@dataclasses.dataclass(frozen=True)
class NotPredicted(Unambiguous):
    """The phone number is not one of a provider that is known."""

    failure_reason: FailureReason


Prediction = Union[PredictedProvider, NotPredicted]
