"""Checked by mypy and not run: each of these lines must be an error. One that stops being an error is an unused ignore,
which mypy reports.
"""

from __future__ import annotations

from typing import Union

from malipo import Accepted, AsyncMalipo, Callback, Deposit, DepositRequest, Malipo, PayoutRequest, Still
from malipo import mobile_money

WALLET = mobile_money("MTN_MOMO_RWA", "250783456789")
REQUEST = DepositRequest(amount="100", currency="RWF", payer=WALLET)


def refused(malipo: Malipo, callback: Callback) -> None:
    Malipo(base_url="https://gateway.example")  # type: ignore[call-arg]
    DepositRequest(amount=0.1, currency="RWF", payer=WALLET)  # type: ignore[arg-type]
    DepositRequest(currency="RWF", payer=WALLET)  # type: ignore[call-arg]
    malipo.payouts.create(REQUEST)  # type: ignore[arg-type]

    started = malipo.deposits.create(REQUEST)
    started.status  # type: ignore[union-attr]
    started.paid  # type: ignore[union-attr]
    started.failure_reason  # type: ignore[union-attr]
    if started.outcome == "paid":  # type: ignore[comparison-overlap]
        pass

    found = malipo.deposits.get(started.id)
    found.paid  # type: ignore[union-attr]
    if found is not None and found.status == "FOUND":  # type: ignore[comparison-overlap]
        pass

    callback.payment.paid  # type: ignore[union-attr]


def taken(malipo: Malipo, callback: Callback) -> None:
    started = malipo.deposits.create(REQUEST)
    if started.outcome == "rejected":
        print(started.failure_reason.failure_code)
    elif started.outcome == "unknown":
        print(started.cause.what_to_do)
    else:
        accepted: Accepted = started
        print(accepted.created.year, started.next_step)
    ended: Union[Deposit, Still] = malipo.deposits.wait_for_final(started.id)
    if ended.paid and isinstance(ended, Deposit):
        print(ended.amount)
    if isinstance(callback.payment, Deposit) and callback.payment.paid:
        print(callback.payment.amount)
    print([one.id for one in malipo.payouts.create_many([PayoutRequest("1", "RWF", WALLET)])])


async def taken_async(malipo: AsyncMalipo) -> None:
    started = await malipo.deposits.create(REQUEST)
    found = await malipo.deposits.get(started.id)
    if found is not None and found.paid:
        print(found.amount)
