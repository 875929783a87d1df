"""The signature cases that the SDKs of every language share."""

from __future__ import annotations

import base64
import json
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List

import pytest

from malipo import Callback, CallbackRefused, OtherRecord, PublicKey, ReceivedCallback, Record, Signing
from malipo import verify_callback
from malipo._algorithms import is_signed_by, load_public_key
from malipo._signature_base import Signable, components_for, signature_base
from malipo._struct import read_time
from malipo.signing import RequestSigner

VECTORS: Dict[str, Any] = json.loads((Path(__file__).parent / "../../conformance/vectors.json").read_text())
KEYS = [PublicKey.from_json(key) for key in VECTORS["keys"]]


def cases(name: str) -> pytest.MarkDecorator:
    listed: List[Dict[str, Any]] = VECTORS[name]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in listed])


def received(case: Dict[str, Any]) -> ReceivedCallback:
    return ReceivedCallback(**case["request"])


def verified(case: Dict[str, Any]) -> Callback:
    return verify_callback(received(case), KEYS, now=read_time(case["now"]), merchant_id=case.get("merchantId"))


@cases("accepted")
def test_a_genuine_callback_is_verified_and_says_what_it_says(case: Dict[str, Any]) -> None:
    callback = verified(case)
    payment, expected = callback.payment, case["expected"]
    assert (callback.kind, callback.id) == (expected["kind"], expected["id"])
    if isinstance(payment, OtherRecord):
        assert callback.kind == "other"
        return
    assert isinstance(payment, Record)
    assert payment.to_json()["status"] == expected["status"]
    assert (payment.is_final, payment.paid) == (expected["isFinal"], expected.get("paid", False))


@cases("refused")
def test_a_callback_that_was_changed_is_refused_by_its_rule(case: Dict[str, Any]) -> None:
    with pytest.raises(CallbackRefused) as raised:
        verified(case)
    assert raised.value.rule == case["rule"]


@cases("requests")
def test_a_request_is_signed_as_the_other_languages_sign_it(case: Dict[str, Any]) -> None:
    now = read_time(case["now"]) or datetime.max
    signing = Signing(case["keyId"], case["privateKey"], case["algorithm"])
    request = case["request"]
    headers = RequestSigner(signing, lambda: now).sign(
        request["url"], request["headers"], request["body"].encode()
    )
    label, _, encoded = headers.pop("signature").partition("=")
    assert {**request["headers"], **headers} == case["expected"]
    input_text = headers["signature-input"].partition("=")[2]
    signable = Signable(request["method"], request["url"], {**request["headers"], **headers})
    base = signature_base(signable, components_for(request["url"]), input_text)
    assert (label, base) == ("sig-pp", case["base"])
    signature, key = base64.b64decode(encoded.strip(":")), load_public_key(case["publicKey"])
    assert base is not None and key is not None
    for one in (signature, base64.b64decode(case["signature"])):
        assert is_signed_by(case["algorithm"], key, one, base.encode())
        assert not is_signed_by(case["algorithm"], key, one, base.encode() + b"x")
    if case["isDeterministic"]:
        assert base64.b64encode(signature).decode() == case["signature"]


def test_there_are_enough_cases_to_mean_something() -> None:
    assert len(VECTORS["refused"]) >= 43
    algorithms = {(case["algorithm"], case["encoding"]) for case in VECTORS["accepted"]}
    for algorithm in ("ecdsa-p256-sha256", "ecdsa-p384-sha384"):
        assert {(algorithm, "der"), (algorithm, "raw")} <= algorithms
    assert {"rsa-v1_5-sha256", "rsa-pss-sha512"} <= {algorithm for algorithm, _ in algorithms}
