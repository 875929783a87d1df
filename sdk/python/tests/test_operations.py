"""The SDK has every operation of openapi/v2.json, and its generated files are current."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from typing import Any, Dict, List, Set, Tuple

import httpx

import generate
from malipo import CheckoutRequest, FailureCode, MalipoError, PaymentPageRequest, RefundRequest, RemittanceRequest
from malipo import SplitPaymentRequest, SplitRequest, StatementRequest, Wallet

from .both import WALLET, both, deposit_request, everything, payout_request, run_with

DOCUMENT = json.loads(generate.DOCUMENT.read_text())
ID = "2f4b6c1e-0000-4000-8000-000000000001"

STATEMENT = StatementRequest(
    wallet=Wallet(country="RWA", currency="RWF"),
    callback_url="https://shop.example/statements",
    start_date="2026-01-01T00:00:00Z",
    end_date="2026-01-02T00:00:00Z",
)
SPLIT = SplitPaymentRequest(
    amount="100", currency="RWF", payer=WALLET, splits=[SplitRequest(amount="60", recipient=WALLET)]
)


def remittance_request() -> RemittanceRequest:
    with_sender: Dict[str, Any] = {"amount": "100", "currency": "RWF", "recipient": {}, "sender": {}}
    return RemittanceRequest.from_json({**with_sender, "remittanceId": ID})


#: Everything at once, which a gateway refuses: only what is sent is looked at.
FILTER: Dict[str, Any] = {
    "from_": "2026-01-01",
    "to": datetime(2026, 1, 2, tzinfo=timezone.utc),
    "client_reference_id": "INV-1",
    "metadata": "ORD-1",
    "phone_number": "250783456789",
    "status": "FAILED",
    "provider": "MTN_MOMO_RWA",
    "page_size": 10,
}

#: Every call of the client.
CALLS = (
    lambda malipo: malipo.deposits.create(deposit_request()),
    lambda malipo: everything(malipo.deposits.list(**FILTER)),
    lambda malipo: malipo.deposits.get(ID),
    lambda malipo: malipo.deposits.wait_for_final(ID, timeout=0.05),
    lambda malipo: malipo.deposits.resend_callback(ID),
    lambda malipo: malipo.payouts.create(payout_request()),
    lambda malipo: malipo.payouts.create_many([payout_request()]),
    lambda malipo: everything(malipo.payouts.list(**FILTER)),
    lambda malipo: malipo.payouts.get(ID),
    lambda malipo: malipo.payouts.resend_callback(ID),
    lambda malipo: malipo.payouts.cancel(ID),
    lambda malipo: malipo.refunds.create(RefundRequest(deposit_id=ID)),
    lambda malipo: everything(malipo.refunds.list(**FILTER)),
    lambda malipo: malipo.refunds.get(ID),
    lambda malipo: malipo.refunds.resend_callback(ID),
    lambda malipo: malipo.refunds.cancel(ID),
    lambda malipo: malipo.remittances.create(remittance_request()),
    lambda malipo: malipo.remittances.create_many([remittance_request()]),
    lambda malipo: everything(malipo.remittances.list(**FILTER)),
    lambda malipo: malipo.remittances.get(ID),
    lambda malipo: malipo.remittances.resend_callback(ID),
    lambda malipo: malipo.remittances.cancel(ID),
    lambda malipo: malipo.split_payments.create(SPLIT),
    lambda malipo: malipo.split_payments.get(ID),
    lambda malipo: malipo.checkouts.create(CheckoutRequest(return_url="https://shop.example/")),
    lambda malipo: malipo.checkouts.get(ID),
    lambda malipo: malipo.checkouts.expire(ID),
    lambda malipo: malipo.payment_pages.create(PaymentPageRequest(return_url="https://shop.example/")),
    lambda malipo: malipo.statements.create(STATEMENT),
    lambda malipo: malipo.statements.get(ID),
    lambda malipo: malipo.events.read(after="latest", limit=10, wait=20),
    lambda malipo: malipo.wallets.balances(country="RWA"),
    lambda malipo: malipo.toolkit.active_configuration(country="RWA", operation_type="DEPOSIT"),
    lambda malipo: malipo.toolkit.availability(country="RWA", operation_type="PAYOUT"),
    lambda malipo: malipo.toolkit.predict_provider("+250 783 456 789"),
    lambda malipo: malipo.public_keys.list(),
)


def documented() -> Dict[Tuple[str, str], Dict[str, Any]]:
    return {
        (method.upper(), path): operation
        for path, operations in DOCUMENT["paths"].items()
        for method, operation in operations.items()
    }


@both
def test_every_operation_of_the_document_is_called_by_the_client(is_async: bool) -> None:
    seen: List[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"status": "NOT_FOUND"})

    for call in CALLS:
        try:
            run_with(is_async, handler, call, retry_for=0)
        except MalipoError as error:
            assert error.code == "UNREADABLE_ANSWER"
    assert {operation_of(request) for request in seen} == set(documented())
    for request in seen:
        known = {one["name"] for one in documented()[operation_of(request)].get("parameters", [])}
        assert set(request.url.params) <= known


def operation_of(request: httpx.Request) -> Tuple[str, str]:
    for method, path in documented():
        pattern = re.sub(r"\{\w+\}", "[0-9a-f-]{36}", path)
        if method == request.method and re.fullmatch(pattern, request.url.path):
            return method, path
    raise AssertionError(f"the document has no {request.method} {request.url.path}")


def test_the_generated_files_are_those_that_generate_py_writes() -> None:
    for name, text in generate.render_all().items():
        assert (generate.PACKAGE / name).read_text() == text, f"run python3 generate.py: {name} is not current"


def test_every_failure_code_of_the_document_has_a_name() -> None:
    known: Set[str] = {value for name, value in vars(FailureCode).items() if name.isupper()}
    assert known == set(generate.failure_codes(DOCUMENT))
    assert FailureCode.PAYMENT_NOT_APPROVED in known
