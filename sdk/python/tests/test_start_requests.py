"""Requests over connections that break: each payment is started once, and no outcome is reported that is not known."""

from __future__ import annotations

import time
from typing import Callable, List

import httpx
import pytest

from malipo import Accepted, CheckoutRequest, FailureCode, MalipoError, MemoryJournal, PaymentPageRequest, Rejected
from malipo import SplitPaymentRequest, SplitRequest, Unknown
from malipo.testing import FakeGateway

from .both import WALLET, Use, both, deposit_request, payout_request, run, run_with


@both
def test_a_request_is_accepted_then_found_then_paid(is_async: bool) -> None:
    gateway = FakeGateway()
    request = deposit_request(client_reference_id="invoice-7")
    started = run(is_async, gateway, lambda malipo: malipo.deposits.create(request))
    assert (started.outcome, started.id, started.next_step) == ("accepted", request.deposit_id, "FINAL_STATUS")
    waiting = run(is_async, gateway, lambda malipo: malipo.deposits.get(request.deposit_id))
    assert (waiting.status, waiting.is_final, waiting.paid, waiting.failed) == ("ACCEPTED", False, False, False)
    gateway.complete(request.deposit_id)
    paid = run(is_async, gateway, lambda malipo: malipo.deposits.wait_for_final(request.deposit_id))
    assert (paid.is_final, paid.paid, paid.failed, paid.amount) == (True, True, False, "100")
    assert run(is_async, gateway, lambda malipo: malipo.deposits.get("no-such-id")) is None


@both
def test_the_same_request_sent_again_is_the_same_payment(is_async: bool) -> None:
    gateway, request = FakeGateway(), deposit_request()
    outcomes = [run(is_async, gateway, lambda malipo: malipo.deposits.create(request)).outcome for _ in range(2)]
    assert outcomes == ["accepted", "duplicate"]
    assert gateway.ids("deposit") == [request.deposit_id]


@both
@pytest.mark.parametrize("lost", [["request"], ["answer"], ["answer", "answer"], ["answer", "request", "answer"]])
def test_after_lost_requests_and_answers_a_payment_exists_once_and_is_accepted(is_async: bool, lost: List[str]) -> None:
    requests = [
        lambda malipo: malipo.deposits.create(deposit_request()),
        lambda malipo: malipo.split_payments.create(
            SplitPaymentRequest(
                amount="9", currency="RWF", payer=WALLET, splits=[SplitRequest(amount="4", recipient=WALLET)]
            )
        ),
        lambda malipo: malipo.checkouts.create(CheckoutRequest(return_url="https://shop.example/")),
        lambda malipo: malipo.payouts.create(payout_request()),
    ]
    for use in requests:
        gateway = FakeGateway()
        for what in lost:
            gateway.lose_next_request() if what == "request" else gateway.lose_next_answer()
        started = run(is_async, gateway, use)
        assert isinstance(started, Accepted) and started.outcome == "accepted"
        kinds = ("deposit", "splitPayment", "checkout", "payout")
        assert [id for kind in kinds for id in gateway.ids(kind)] == [started.id]


@both
def test_a_list_with_a_lost_answer_is_started_once_and_keeps_its_order(is_async: bool) -> None:
    gateway = FakeGateway()
    requests = [payout_request() for _ in range(25)]
    gateway.lose_next_answer()
    results = run(is_async, gateway, lambda malipo: malipo.payouts.create_many(requests))
    assert [one.id for one in results] == [one.payout_id for one in requests]
    assert {one.outcome for one in results} == {"accepted"}
    assert len(gateway.ids("payout")) == 25


@both
def test_a_rejected_request_has_its_reason_and_leaves_nothing_in_the_journal(is_async: bool) -> None:
    gateway, journal = FakeGateway(), MemoryJournal()
    gateway.reject_next(FailureCode.AMOUNT_OUT_OF_BOUNDS)
    started = run(is_async, gateway, lambda malipo: malipo.deposits.create(deposit_request()), journal=journal)
    assert isinstance(started, Rejected)
    assert started.failure_reason.failure_code == FailureCode.AMOUNT_OUT_OF_BOUNDS
    assert journal.unsettled() == []


@both
def test_a_request_is_in_the_journal_before_it_is_sent_and_stays_there_while_its_outcome_is_not_known(
    is_async: bool,
) -> None:
    journal = MemoryJournal()
    seen: List[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.extend(entry.id for entry in journal.unsettled())
        raise httpx.ConnectError("no network")

    request = payout_request(client_reference_id="invoice 7")
    started = run_with(
        is_async, handler, lambda malipo: malipo.payouts.create(request), journal=journal, retry_for=0.3
    )
    assert isinstance(started, Unknown) and started.cause.code == "NETWORK"
    assert set(seen) == {request.payout_id} and len(seen) > 1
    [entry] = journal.unsettled()
    assert (entry.kind, entry.id, entry.client_reference_id) == ("payout", started.id, "invoice 7")


CREATED = "2026-01-01T00:00:00.000Z"


class Interruption(BaseException):
    pass


@both
def test_an_interruption_leaves_the_request_in_the_journal(is_async: bool) -> None:
    journal = MemoryJournal()

    def handler(request: httpx.Request) -> httpx.Response:
        raise Interruption

    with pytest.raises(Interruption):
        run_with(is_async, handler, lambda malipo: malipo.payouts.create(payout_request()), journal=journal)
    assert len(journal.unsettled()) == 1


REFUSED = httpx.Response(
    401, json={"failureReason": {"failureCode": "AUTHENTICATION_ERROR", "failureMessage": "The token is wrong."}}
)


@both
def test_a_wrong_token_raises_says_what_to_do_and_leaves_nothing_in_the_journal(is_async: bool) -> None:
    journal = MemoryJournal()
    with pytest.raises(MalipoError, match="token") as raised:
        run_with(
            is_async, lambda _: fresh(REFUSED), lambda malipo: malipo.payouts.create(payout_request()), journal=journal
        )
    assert (raised.value.code, raised.value.status) == ("AUTHENTICATION_ERROR", 401)
    assert journal.unsettled() == []


@both
def test_a_refused_repeat_of_a_request_with_an_unknown_outcome_stays_in_the_journal(is_async: bool) -> None:
    request = deposit_request()
    page = PaymentPageRequest(return_url="https://shop.example/", deposit_id=request.deposit_id)
    uses: List[Use] = [
        lambda malipo: malipo.deposits.create(request),
        lambda malipo: malipo.payment_pages.create(page),
    ]
    for use in uses:
        journal = MemoryJournal()
        started = run_with(is_async, lambda _: lost_answer(), use, journal=journal, retry_for=0)
        assert isinstance(started, Unknown)
        with pytest.raises(MalipoError, match="token"):
            run_with(is_async, lambda _: fresh(REFUSED), use, journal=journal)
        assert [entry.id for entry in journal.unsettled()] == [request.deposit_id]


@both
def test_a_refusal_after_a_lost_answer_is_unknown_because_the_lost_one_may_have_been_accepted(is_async: bool) -> None:
    journal = MemoryJournal()
    handler = in_turn(lost_answer, always=lambda: fresh(REFUSED))
    started = run_with(
        is_async, handler, lambda malipo: malipo.payouts.create(payout_request()), journal=journal, retry_for=0.5
    )
    assert isinstance(started, Unknown) and started.cause.code == "AUTHENTICATION_ERROR"
    assert len(journal.unsettled()) == 1


@both
def test_when_a_later_list_is_refused_the_outcome_of_the_earlier_ones_is_still_returned(is_async: bool) -> None:
    gateway = FakeGateway()
    transport = httpx.MockTransport(gateway._handle)

    def handler(request: httpx.Request) -> httpx.Response:
        return fresh(REFUSED) if gateway.requests else transport.handle_request(request)

    results = run_with(
        is_async,
        handler,
        lambda malipo: malipo.payouts.create_many([payout_request() for _ in range(22)]),
    )
    assert [one.outcome for one in results] == ["accepted"] * 20 + ["unknown"] * 2


@both
def test_retry_after_is_waited_for_and_a_throttled_request_was_not_done(is_async: bool) -> None:
    gateway = FakeGateway()
    transport = httpx.MockTransport(gateway._handle)
    busy = [httpx.Response(429, headers={"retry-after": "1"}), httpx.Response(503, headers={"retry-after": "1"})]
    times: List[float] = []

    def handler(request: httpx.Request) -> httpx.Response:
        times.append(time.monotonic())
        return busy.pop(0) if busy else transport.handle_request(request)

    started = run_with(is_async, handler, lambda malipo: malipo.payouts.create(payout_request()))
    assert started.outcome == "accepted"
    # Sent, sent again, asked for after the 503, sent again.
    assert len(times) == 4
    assert times[1] - times[0] > 0.99 and times[2] - times[1] > 0.99


@both
def test_with_a_token_that_may_not_read_a_duplicate_after_a_lost_answer_is_the_own_request(is_async: bool) -> None:
    gateway = FakeGateway()
    transport = httpx.MockTransport(gateway._handle)
    reason = {"failureCode": "AUTHORISATION_ERROR", "failureMessage": "The token lacks a scope."}

    def handler(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(403, json={"failureReason": reason})
        return transport.handle_request(request)

    gateway.lose_next_answer()
    started = run_with(is_async, handler, lambda malipo: malipo.payouts.create(payout_request()))
    assert started.outcome == "accepted" and gateway.ids("payout") == [started.id]


@both
def test_a_second_attempt_that_is_rejected_because_the_first_was_accepted_late_is_accepted(is_async: bool) -> None:
    request = payout_request()
    reason = {"failureCode": "WALLET_OUT_OF_FUNDS", "failureMessage": "The first one took the money."}
    rejected = {"payoutId": request.payout_id, "status": "REJECTED", "failureReason": reason}
    found = {"status": "FOUND", "data": {**request.to_json(), "status": "ACCEPTED", "created": CREATED}}
    handler = in_turn(
        lost_answer,
        lambda: httpx.Response(200, json={"status": "NOT_FOUND"}),
        lambda: httpx.Response(200, json=rejected),
        always=lambda: httpx.Response(200, json=found),
    )
    started = run_with(is_async, handler, lambda malipo: malipo.payouts.create(request))
    assert (started.outcome, started.id) == ("accepted", request.payout_id)


@both
def test_an_answer_that_is_not_the_gateways_is_not_believed(is_async: bool) -> None:
    odd: List[Callable[[], httpx.Response]] = [
        lambda: httpx.Response(200, text="<html>Welcome to the hotel</html>"),
        lambda: httpx.Response(200, json={"payoutId": "another", "status": "ACCEPTED", "created": CREATED}),
        lambda: httpx.Response(302, headers={"location": "https://elsewhere.test/"}),
        lambda: httpx.Response(200, json=[]),
    ]
    for answer in odd:
        started = run_with(
            is_async, lambda _: answer(), lambda malipo: malipo.payouts.create(payout_request()), retry_for=0
        )
        assert isinstance(started, Unknown) and started.cause.code == "UNREADABLE_ANSWER"


@both
def test_a_payment_page_with_a_lost_answer_is_asked_for_again_under_the_same_identifier(is_async: bool) -> None:
    seen: List[bytes] = []

    def page(request: httpx.Request) -> httpx.Response:
        seen.append(request.content)
        if len(seen) == 1:
            raise httpx.ReadError("cut")
        return httpx.Response(201, json={"redirectUrl": "https://pay.test/p"})

    request = PaymentPageRequest(return_url="https://shop.example/")
    opened = run_with(is_async, page, lambda malipo: malipo.payment_pages.create(request))
    assert (opened.outcome, opened.id, opened.redirect_url) == ("accepted", request.deposit_id, "https://pay.test/p")
    assert len(seen) == 2 and len(set(seen)) == 1


@both
def test_two_requests_of_a_list_with_one_identifier_are_refused_before_anything_is_sent(is_async: bool) -> None:
    gateway, request = FakeGateway(), payout_request()
    with pytest.raises(MalipoError, match="identifier"):
        run(is_async, gateway, lambda malipo: malipo.payouts.create_many([request, request]))
    assert gateway.requests == []


def lost_answer() -> httpx.Response:
    raise httpx.ReadError("cut")


def fresh(response: httpx.Response) -> httpx.Response:
    """A response can be read once."""
    return httpx.Response(response.status_code, content=response.content)


def in_turn(
    *first: Callable[[], httpx.Response], always: Callable[[], httpx.Response]
) -> Callable[[httpx.Request], httpx.Response]:
    left = list(first)
    return lambda _: (left.pop(0) if left else always)()
