"""Callbacks in requests of real frameworks, and the keys that verify them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any, Awaitable, Callable, Dict, List, Optional, Sequence

import anyio
import django.conf
import django.test
import flask
import pytest
import starlette.requests

from malipo import AsyncCallbackVerifier, CallbackRefused, CallbackVerifier, Deposit, MalipoError, PublicKey
from malipo import ReceivedCallback, new_id
from malipo.testing import CallbackSigner, FakeGateway

from .both import both, deposit_request, run

URL = "https://shop.example/callbacks/caf%C3%A9?shop=1&b=%20"
TARGET = URL[len("https://shop.example") :]
RECORD = {"depositId": "2f4b6c1e-0000-4000-8000-000000000001", "status": "COMPLETED", "amount": "100"}

if not django.conf.settings.configured:
    django.conf.settings.configure(ALLOWED_HOSTS=["*"], USE_TZ=True)


def test_the_callback_of_a_payment_is_verified_with_the_keys_of_its_gateway() -> None:
    gateway, request = FakeGateway(), deposit_request()
    malipo = gateway.client()
    malipo.deposits.create(request)
    gateway.complete(request.deposit_id)
    callback = malipo.callbacks.verify(gateway.callback(request.deposit_id, URL))
    assert isinstance(callback.payment, Deposit) and callback.payment.paid
    assert (callback.kind, callback.id) == ("deposit", request.deposit_id)
    assert callback.event_id is not None


def django_request(received: ReceivedCallback, host: str, target: str = TARGET) -> Any:
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in dict(received.headers).items()}
    environ = {**headers, "HTTP_HOST": host, "wsgi.url_scheme": "https", "REQUEST_URI": target}
    content_type = dict(received.headers)["content-type"]
    return django.test.RequestFactory().generic("POST", target, received.body, content_type, **environ)


def flask_request(received: ReceivedCallback, host: str, target: str = TARGET) -> Any:
    app = flask.Flask("shop")
    path, _, query = target.partition("?")
    with app.test_request_context(
        path,
        base_url=f"https://{host}",
        query_string=query,
        method="POST",
        data=received.body,
        headers=dict(received.headers),
        environ_overrides={"REQUEST_URI": target},
    ):
        return flask.request._get_current_object()  # type: ignore[attr-defined]


def starlette_request(received: ReceivedCallback, host: str, target: str = TARGET) -> Any:
    path, _, query = target.partition("?")
    headers = {**dict(received.headers), "host": host}
    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "https",
        "server": ("10.0.0.1", 8000),
        "path": "/callbacks/café",
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> Dict[str, Any]:
        return {"type": "http.request", "body": received.body, "more_body": False}

    return starlette.requests.Request(scope, receive)


BLOCKING = [django_request, flask_request]
ALL = [*BLOCKING, starlette_request]
Framework = Callable[..., Any]


@pytest.mark.parametrize("framework", BLOCKING)
def test_a_request_of_a_framework_is_verified_in_one_call(framework: Framework) -> None:
    signer = CallbackSigner()
    verifier = CallbackVerifier(lambda: signer.keys)
    callback = verifier.verify(framework(signer.sign(URL, RECORD), "shop.example"))
    assert isinstance(callback.payment, Deposit) and callback.payment.paid
    with pytest.raises(CallbackRefused, match="SIGNATURE"):
        verifier.verify(framework(signer.sign(URL, RECORD), "other.example"))


@pytest.mark.parametrize("framework", ALL)
def test_a_request_is_verified_by_the_asynchronous_verifier_too(framework: Framework) -> None:
    signer = CallbackSigner()
    verifier = AsyncCallbackVerifier(reader(signer.keys))
    callback = anyio.run(verifier.verify, framework(signer.sign(URL, RECORD), "shop.example"))
    assert isinstance(callback.payment, Deposit) and callback.payment.paid
    with pytest.raises(CallbackRefused, match="SIGNATURE"):
        anyio.run(verifier.verify, framework(signer.sign(URL, RECORD), "other.example"))


@pytest.mark.parametrize("framework", ALL)
def test_behind_a_proxy_the_public_address_counts(framework: Framework) -> None:
    signer = CallbackSigner()
    verifier = AsyncCallbackVerifier(reader(signer.keys), public_url="https://shop.example")
    callback = anyio.run(verifier.verify, framework(signer.sign(URL, RECORD), "10.0.0.1:8000"))
    assert callback.id == RECORD["depositId"]


@pytest.mark.parametrize("framework", BLOCKING)
def test_a_server_that_does_not_tell_the_raw_path_is_served_too(framework: Framework) -> None:
    signer = CallbackSigner()
    received = signer.sign("https://shop.example/callbacks?shop=1", RECORD)
    request = framework(received, "shop.example", "/callbacks?shop=1")
    environ = getattr(request, "META", None) or request.environ
    del environ["REQUEST_URI"]
    assert CallbackVerifier(lambda: signer.keys).verify(request).id == RECORD["depositId"]


def test_a_request_of_an_unknown_framework_is_a_misuse() -> None:
    strange: Any = object()
    with pytest.raises(MalipoError, match="ReceivedCallback"):
        CallbackVerifier(lambda: []).verify(strange)


def test_any_changed_bit_of_the_body_is_refused() -> None:
    signer = CallbackSigner()
    verifier = CallbackVerifier(lambda: signer.keys)
    good = signer.sign(URL, RECORD)
    assert isinstance(good.body, bytes)
    for bit in range(len(good.body) * 8):
        bent = bytearray(good.body)
        bent[bit >> 3] ^= 1 << (bit & 7)
        with pytest.raises(CallbackRefused):
            verifier.verify(ReceivedCallback(good.url, good.headers, bytes(bent)))


def test_an_address_that_cannot_be_read_is_refused() -> None:
    signer = CallbackSigner()
    good = signer.sign(URL, RECORD)
    for url in ("https://shop.example:port/", "https://[::1/", "https://shop..example\udcff/"):
        with pytest.raises(CallbackRefused):
            CallbackVerifier(lambda: signer.keys).verify(ReceivedCallback(url, good.headers, good.body))


@both
@pytest.mark.parametrize(
    ("named", "cause"),
    [(new_id(), "the callback is for another merchant"), (None, "the signature names no merchant")],
)
def test_a_callback_that_is_not_for_the_merchant_is_refused(
    is_async: bool, named: Optional[str], cause: str
) -> None:
    gateway, merchant_id = FakeGateway(), new_id()
    own, other = (gateway.signer.sign(URL, RECORD, merchant_id=one) for one in (merchant_id, named))
    verify = partial(run, is_async, gateway, merchant_id=merchant_id)
    assert verify(lambda malipo: malipo.callbacks.verify(own)).id == RECORD["depositId"]
    with pytest.raises(CallbackRefused, match=f"MERCHANT: {cause}"):
        verify(lambda malipo: malipo.callbacks.verify(other))


def test_a_callback_of_another_time_is_refused() -> None:
    signer = CallbackSigner()
    good = signer.sign(URL, RECORD)
    for minutes in (-2, 7):
        at = datetime.now(timezone.utc) + timedelta(minutes=minutes)
        with pytest.raises(CallbackRefused, match="TIME"):
            CallbackVerifier(lambda: signer.keys, clock=lambda: at).verify(good)


def test_the_keys_are_read_once_for_many_callbacks_and_again_for_an_unknown_key() -> None:
    old, new = CallbackSigner("K:1"), CallbackSigner("K:2")
    published: List[Sequence[PublicKey]] = [old.keys]
    readings: List[int] = []

    def read() -> Sequence[PublicKey]:
        readings.append(1)
        return published[0]

    verifier = CallbackVerifier(read, reread_after=0)
    for _ in range(5):
        verifier.verify(old.sign(URL, RECORD))
    assert len(readings) == 1
    published[0] = [*old.keys, *new.keys]
    for signer in (new, old):
        verifier.verify(signer.sign(URL, RECORD))
    assert len(readings) == 2


def test_the_keys_are_not_read_for_every_forged_request() -> None:
    own, stranger = CallbackSigner("K:1"), CallbackSigner("K:9")
    readings: List[int] = []

    def read() -> Sequence[PublicKey]:
        readings.append(1)
        return own.keys

    verifier = CallbackVerifier(read)
    for _ in range(20):
        with pytest.raises(CallbackRefused, match="KEY"):
            verifier.verify(stranger.sign(URL, RECORD))
    assert len(readings) == 1


@both
def test_a_callback_is_not_called_forged_while_the_keys_cannot_be_read(is_async: bool) -> None:
    gateway = FakeGateway()
    received = CallbackSigner("K:1").sign(URL, RECORD)
    for _ in range(9):
        gateway.lose_next_request()
    with pytest.raises(MalipoError) as raised:
        run(is_async, gateway, lambda malipo: malipo.callbacks.verify(received), retry_for=0.1)
    assert raised.value.code == "NETWORK"


def reader(keys: Sequence[PublicKey]) -> Callable[[], Awaitable[Sequence[PublicKey]]]:
    async def read() -> Sequence[PublicKey]:
        return keys

    return read
