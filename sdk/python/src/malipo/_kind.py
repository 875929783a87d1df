"""The kinds of requests: path, name of the identifier, the classes of their records and outcomes."""

from __future__ import annotations

import dataclasses
from typing import Generic, Mapping, Tuple, Type, TypeVar
from urllib.parse import quote

from ._struct import Record
from .outcome import Accepted, AcceptedCheckout, AcceptedDeposit
from .schema import Checkout, Deposit, Payout, Refund, Remittance, SplitPayment, Statement

R = TypeVar("R", bound=Record)
A = TypeVar("A", bound=Accepted)
R_co = TypeVar("R_co", bound=Record, covariant=True)
A_co = TypeVar("A_co", bound=Accepted, covariant=True)


@dataclasses.dataclass(frozen=True)
class Kind(Generic[R_co, A_co]):
    #: ``deposit``: its name in the journal and in callbacks, the same in every language.
    name: str
    #: ``/v2/deposits``.
    path: str
    #: ``depositId``.
    id_name: str
    record: Type[R_co]
    accepted: Type[A_co]
    #: Further fields of the answer to an accepted request, by their name in Python.
    extras: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def path_of(self, id: str) -> str:
        return f"{self.path}/{quote(id, safe='')}"


_NEXT_STEP = {"next_step": "nextStep"}
_ADDRESS = {"redirect_url": "redirectUrl", "expires_at": "expiresAt", "checkout_code": "checkoutCode"}

DEPOSIT = Kind("deposit", "/v2/deposits", "depositId", Deposit, AcceptedDeposit, _NEXT_STEP)
PAYOUT = Kind("payout", "/v2/payouts", "payoutId", Payout, Accepted)
REFUND = Kind("refund", "/v2/refunds", "refundId", Refund, Accepted)
REMITTANCE = Kind("remittance", "/v2/remittances", "remittanceId", Remittance, Accepted)
SPLIT_PAYMENT = Kind(
    "splitPayment", "/v2/split-payments", "splitPaymentId", SplitPayment, AcceptedDeposit, _NEXT_STEP
)
CHECKOUT = Kind("checkout", "/v2/checkouts", "checkoutId", Checkout, AcceptedCheckout, _ADDRESS)
STATEMENT = Kind("statement", "/v2/statements", "statementId", Statement, Accepted)

#: A refund also contains its deposit's identifier, so its own is looked for first.
BY_IDENTIFIER: Tuple[Kind[Record, Accepted], ...] = (
    REFUND,
    CHECKOUT,
    SPLIT_PAYMENT,
    STATEMENT,
    PAYOUT,
    REMITTANCE,
    DEPOSIT,
)
