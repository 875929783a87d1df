"""Calls that read, wait and act."""

from __future__ import annotations

import socket
import time
from datetime import datetime, timezone
from typing import Any, List

import anyio
import httpx
import pytest

from malipo import AsyncMalipo, Done, ListedRemittance, Malipo, MalipoError, NotPredicted, PredictedProvider
from malipo import Rejected, Still
from malipo.testing import FakeGateway

from .both import both, deposit_request, everything, first, payout_request, run, run_with


@both
def test_waiting_ends_in_time_and_returns_the_current_status(is_async: bool) -> None:
    gateway, request = FakeGateway(), deposit_request()
    run(is_async, gateway, lambda malipo: malipo.deposits.create(request))
    gateway.change(request.deposit_id, status="PROCESSING")
    waited = run(is_async, gateway, lambda malipo: malipo.deposits.wait_for_final(request.deposit_id, timeout=0.4))
    assert waited == Still("PROCESSING") and not waited.paid and not waited.is_final
    never = run(is_async, gateway, lambda malipo: malipo.payouts.wait_for_final("none", timeout=0.1))
    assert never == Still("NOT_FOUND")


@both
def test_waiting_for_a_gateway_that_does_not_answer_ends_in_time_too(is_async: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        waited = run_real(is_async, url)
        assert waited == Still("UNREACHABLE")
        assert time.monotonic() - began < 5


def run_real(is_async: bool, url: str) -> object:
    async def wait() -> object:
        async with AsyncMalipo(base_url=url, token="test") as malipo:
            return await malipo.deposits.wait_for_final("none", timeout=0.5)

    if is_async:
        return anyio.run(wait)
    with Malipo(base_url=url, token="test") as malipo:
        return malipo.deposits.wait_for_final("none", timeout=0.5)


def test_the_asynchronous_client_works_with_trio_too() -> None:
    gateway = FakeGateway()

    async def pay() -> str:
        malipo = gateway.async_client()
        gateway.lose_next_answer()
        started = await malipo.payouts.create(payout_request())
        gateway.complete(started.id)
        ended = await malipo.payouts.wait_for_final(started.id)
        callback = await malipo.callbacks.verify(gateway.callback(started.id, "https://shop.example/"))
        return f"{started.outcome} {ended.paid} {callback.kind}"

    assert anyio.run(pay, backend="trio") == "accepted True payout"


@both
def test_a_failed_payment_has_its_reason_and_is_not_paid(is_async: bool) -> None:
    gateway, request = FakeGateway(), deposit_request()
    run(is_async, gateway, lambda malipo: malipo.deposits.create(request))
    gateway.fail(request.deposit_id, "PAYER_NOT_FOUND")
    failed = run(is_async, gateway, lambda malipo: malipo.deposits.wait_for_final(request.deposit_id))
    assert (failed.is_final, failed.paid, failed.failed) == (True, False, True)
    assert failed.failure_reason.failure_code == "PAYER_NOT_FOUND"


@both
def test_an_action_is_done_or_rejected_with_the_reason(is_async: bool) -> None:
    gateway, request = FakeGateway(), payout_request()
    run(is_async, gateway, lambda malipo: malipo.payouts.create(request))
    assert run(is_async, gateway, lambda malipo: malipo.payouts.cancel(request.payout_id)) == Done(request.payout_id)
    rejected = run(is_async, gateway, lambda malipo: malipo.payouts.cancel(request.payout_id))
    assert isinstance(rejected, Rejected) and rejected.failure_reason.failure_code == "INVALID_STATE"
    resent = run(is_async, gateway, lambda malipo: malipo.payouts.resend_callback(request.payout_id))
    assert resent == Done(request.payout_id)


@both
def test_an_action_is_not_repeated_when_its_answer_is_lost(is_async: bool) -> None:
    gateway = FakeGateway()
    gateway.lose_next_answer()
    with pytest.raises(MalipoError, match="NETWORK"):
        run(is_async, gateway, lambda malipo: malipo.payouts.cancel("2f4b6c1e-0000-4000-8000-000000000001"))
    assert len(gateway.requests) == 1


@both
def test_a_reading_is_repeated_until_it_is_answered(is_async: bool) -> None:
    gateway = FakeGateway()
    gateway.lose_next_request()
    gateway.lose_next_answer()
    [key] = run(is_async, gateway, lambda malipo: malipo.public_keys.list())
    assert key.id == "HTTP_EC_P256_KEY:1" and len(gateway.requests) == 2


@both
def test_a_list_goes_through_all_pages_the_newest_first(is_async: bool) -> None:
    gateway = FakeGateway()
    requests = [deposit_request(client_reference_id=one, metadata=[{"order": f"order-{one}"}]) for one in "abaa"]
    for request in requests:
        gateway.client().deposits.create(request)
    gateway.complete(requests[0].deposit_id)
    before = len(gateway.requests)

    def listed(**query: Any) -> Any:
        return run(is_async, gateway, lambda malipo: everything(malipo.deposits.list(**query)))

    found = listed(client_reference_id="a", page_size=2)
    assert [one.deposit_id for one in found] == [requests[at].deposit_id for at in (3, 2, 0)]
    assert [one.paid for one in found] == [False, False, True] and len(gateway.requests) == before + 2
    assert len(listed(metadata="order-b")) == 1 and len(listed(status="COMPLETED")) == 1
    assert len(listed(phone_number="250783456789")) == 4 and listed(provider="AIRTEL_RWA") == []


@both
def test_an_empty_page_is_not_the_end_of_a_list_and_a_masked_sender_is_none(is_async: bool) -> None:
    seen: List[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url.query.decode()))
        record = {"remittanceId": "1", "status": "COMPLETED"}
        return httpx.Response(200, json={"data": [record]} if len(seen) == 2 else {"data": [], "next": "x y"})

    at = datetime(2026, 1, 2, tzinfo=timezone.utc)
    [one] = run_with(is_async, handler, lambda malipo: everything(malipo.remittances.list(from_=at)))
    assert isinstance(one, ListedRemittance) and one.paid and one.sender is None
    assert seen == [
        "from=2026-01-02T00%3A00%3A00.000Z&limit=50",
        "from=2026-01-02T00%3A00%3A00.000Z&limit=50&cursor=x+y",
    ]


@both
def test_following_goes_on_from_page_to_page_and_after_an_expired_cursor(is_async: bool) -> None:
    asked: List[str] = []
    event = {"eventId": "1", "number": 1, "type": "STATUS", "occurredAt": "2026-01-02T00:00:00.000Z"}

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.params["after"])
        if len(asked) == 1:
            return httpx.Response(410, json={"failureReason": {}, "restartAfter": "b"})
        return httpx.Response(200, json={"data": [event], "next": f"{len(asked)}", "hasMore": False})

    pages = run_with(is_async, handler, lambda malipo: first(3, malipo.events.follow(after="a")))
    told = [(page.next, page.expired, len(page.events)) for page in pages]
    assert told == [("b", True, 0), ("2", False, 1), ("3", False, 1)] and asked == ["a", "b", "2"]


def test_the_fake_gateway_has_a_feed_of_statuses() -> None:
    gateway, request = FakeGateway(), deposit_request()
    malipo = gateway.client()
    malipo.deposits.create(request)
    latest = malipo.events.read(after="latest")
    assert not latest.events
    gateway.complete(request.deposit_id)
    page = malipo.events.read(after=latest.next)
    assert [(event.number, event.id, event.status) for event in page.events] == [(2, request.deposit_id, "COMPLETED")]
    assert [event.number for event in malipo.events.read().events] == [1, 2]


@both
def test_an_address_with_a_path_is_named_as_the_mistake(is_async: bool) -> None:
    reason = {"failureCode": "ROUTE_NOT_FOUND", "failureMessage": "No route."}
    answer = httpx.Response(404, json={"failureReason": reason})
    with pytest.raises(MalipoError) as raised:
        run_with(is_async, lambda _: answer, lambda malipo: malipo.wallets.balances())
    assert raised.value.code == "ROUTE_NOT_FOUND" and "Check base_url" in raised.value.what_to_do


@both
def test_the_provider_of_a_number_is_predicted_or_the_reason_is_given(is_async: bool) -> None:
    known = {"country": "RWA", "provider": "MTN_MOMO_RWA", "phoneNumber": "250783456789"}
    reason = {"failureCode": "INVALID_PHONE_NUMBER", "failureMessage": "It is too short."}
    found = run_with(
        is_async, lambda _: httpx.Response(200, json=known), lambda malipo: malipo.toolkit.predict_provider("250")
    )
    assert isinstance(found, PredictedProvider) and found.provider == "MTN_MOMO_RWA"
    refused = httpx.Response(400, json={"status": "REJECTED", "failureReason": reason})
    nothing = run_with(is_async, lambda _: refused, lambda malipo: malipo.toolkit.predict_provider("250"))
    assert isinstance(nothing, NotPredicted) and nothing.failure_reason.failure_code == "INVALID_PHONE_NUMBER"


@both
def test_a_configuration_is_read_into_its_classes(is_async: bool) -> None:
    deposit = {"minAmount": "1", "maxAmount": "9", "decimalsInAmount": "NONE", "status": "OPERATIONAL"}
    currency = {"currency": "RWF", "displayName": "Fr", "operationTypes": {"DEPOSIT": deposit}}
    provider = {"provider": "MTN_MOMO_RWA", "displayName": "MTN", "currencies": [currency], "new": {"x": 1}}
    body = {"companyName": "Shop", "countries": [{"country": "RWA", "providers": [provider]}]}
    read = run_with(
        is_async, lambda _: httpx.Response(200, json=body), lambda malipo: malipo.toolkit.active_configuration()
    )
    operations = read.countries[0].providers[0].currencies[0].operation_types
    assert operations.deposit.max_amount == "9" and operations.payout is None


@both
def test_an_answer_that_is_not_a_list_is_not_an_empty_one(is_async: bool) -> None:
    with pytest.raises(MalipoError) as raised:
        run_with(is_async, lambda _: httpx.Response(200, json={}), lambda malipo: malipo.wallets.balances())
    assert raised.value.code == "UNREADABLE_ANSWER"


@pytest.mark.parametrize(
    ("base_url", "token"),
    [
        ("gateway.example", "t"),
        ("", "t"),
        ("ftp://x/", "t"),
        ("https://x", ""),
        ("https://x", "t\n"),
        ("https://x", "é"),
    ],
)
@both
def test_what_cannot_work_is_refused_at_once(is_async: bool, base_url: str, token: str) -> None:
    with pytest.raises(MalipoError) as raised:
        run_with(is_async, lambda _: httpx.Response(200), lambda malipo: malipo, base_url=base_url, token=token)
    assert raised.value.code == "MISUSE"
