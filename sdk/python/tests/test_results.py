"""Results that cannot be misread, and objects of the API in Python's spelling."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest

from malipo import Accepted, Checkout, Deposit, MalipoError, Metadata, SplitPayment, Statement, StatementRequest, Still
from malipo import Unknown, Wallet

from .both import WALLET, deposit_request

NOW = datetime(2026, 1, 31, 8, tzinfo=timezone.utc)


def test_no_result_is_true_or_false() -> None:
    cause = MalipoError("NETWORK", "cut", "ask")
    for result in (Accepted("accepted", "1", NOW), Unknown("1", cause), Still("PROCESSING"), Deposit.from_json({})):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(result)


def test_no_outcome_of_a_request_has_a_status() -> None:
    assert not hasattr(Accepted("accepted", "1", NOW), "status")


@pytest.mark.parametrize(
    ("record", "is_final", "paid", "failed"),
    [
        (Deposit.from_json({"status": "COMPLETED"}), True, True, False),
        (Deposit.from_json({"status": "FAILED"}), True, False, True),
        (Deposit.from_json({"status": "IN_RECONCILIATION"}), False, False, False),
        (Deposit.from_json({"status": "ADDED_LATER"}), False, False, False),
        (Deposit.from_json({"status": 1}), False, False, False),
        (Deposit.from_json({}), False, False, False),
        (SplitPayment.from_json({"status": "PAYOUT_FAILED"}), True, False, False),
        (Checkout.from_json({"status": "EXPIRED"}), True, False, False),
        (Checkout.from_json({"status": "COMPLETED"}), True, True, False),
        (Statement.from_json({"status": "COMPLETED"}), True, False, False),
    ],
)
def test_only_a_completed_payment_is_paid(record: Deposit, is_final: bool, paid: bool, failed: bool) -> None:
    assert (record.is_final, record.paid, record.failed) == (is_final, paid, failed)


def test_a_field_that_is_missing_is_an_error_where_it_is_used() -> None:
    deposit = Deposit.from_json({"depositId": "1", "status": "COMPLETED", "payer": "not an object", "added": 1})
    assert deposit.deposit_id == "1" and deposit.failure_reason is None
    for name in ("amount", "payer"):
        with pytest.raises(AttributeError):
            getattr(deposit, name)


def test_an_object_is_written_as_the_api_spells_it_and_read_back() -> None:
    metadata: Metadata = [{"orderId": "7"}, {"customer": "a@shop.example", "isPII": True}]
    request = deposit_request(client_reference_id="7", metadata=metadata)
    written = request.to_json()
    assert written == {
        "depositId": request.deposit_id,
        "amount": "100",
        "currency": "RWF",
        "payer": {
            "type": "MMO",
            "accountDetails": {"provider": "MTN_MOMO_RWA", "phoneNumber": "250783456789"},
        },
        "clientReferenceId": "7",
        "metadata": metadata,
    }
    assert type(request).from_json(written).to_json() == written


def test_amounts_are_exact() -> None:
    assert deposit_request(amount=100).to_json()["amount"] == "100"
    assert deposit_request(amount=Decimal("1E+2")).to_json()["amount"] == "100"
    assert deposit_request(amount=Decimal("12.50")).to_json()["amount"] == "12.50"
    with pytest.raises(MalipoError, match="float"):
        deposit_request(amount=0.1).to_json()


def test_times_have_a_zone() -> None:
    wallet = Wallet(country="RWA", currency="RWF")
    start = datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    request = StatementRequest(wallet=wallet, callback_url="https://shop.example/", start_date=start, end_date=NOW)
    assert request.to_json()["startDate"] == "2026-01-01T00:00:00.000Z"
    with pytest.raises(MalipoError, match="time zone"):
        StatementRequest(
            wallet=wallet, callback_url="https://shop.example/", start_date=datetime(2026, 1, 1), end_date=NOW
        ).to_json()
    assert Deposit.from_json({"created": "2026-01-31T08:00:00.000Z"}).created == NOW


def test_what_gets_into_logs_has_no_personal_data() -> None:
    request = deposit_request(metadata=[{"name": "Aline"}], customer_message="Aline")
    assert "100" in repr(request) and request.deposit_id in repr(request)
    for text in (repr(request), repr(Deposit.from_json(request.to_json())), repr(WALLET)):
        assert "Aline" not in text and "250783456789" not in text


def test_equal_objects_are_equal_and_have_one_hash() -> None:
    request = deposit_request()
    copy = type(request).from_json(request.to_json())
    assert copy == request and hash(copy) == hash(request)
    assert deposit_request() != request
