"""For your own tests: a gateway in memory, and genuine signed callbacks. Nothing here opens a connection."""

from __future__ import annotations

import base64
import dataclasses
import json
import uuid
from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import httpx
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from ._kind import BY_IDENTIFIER, Kind
from ._received import ReceivedCallback
from ._signature_base import LABEL, Signable, components_for, signature_base, write_digest, write_input
from ._struct import Record, write_time
from .client import AsyncMalipo, Malipo
from .outcome import Accepted
from .schema import FailureCode, PublicKey

_ALGORITHM = "ecdsa-p256-sha256"
_LIFETIME_SECONDS = 300


class CallbackSigner:
    """Signs callbacks as the gateway does, with a key of its own."""

    def __init__(self, key_id: str = "HTTP_EC_P256_KEY:1") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._key_id = key_id
        pem = self._key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        #: The answer of GET /v2/public-key/http.
        self.keys: Sequence[PublicKey] = [PublicKey(id=key_id, key=pem.decode())]

    def sign(
        self,
        url: str,
        payment: Mapping[str, Any],
        now: Optional[datetime] = None,
        merchant_id: Optional[str] = None,
    ) -> ReceivedCallback:
        """A callback with this record, as your server receives it. ``merchant_id`` is the merchant for which it is
        signed; default: none is named.
        """
        created = now or datetime.now(timezone.utc)
        body = json.dumps(payment, ensure_ascii=False).encode()
        headers = {
            "content-type": "application/json; charset=UTF-8",
            "content-digest": write_digest(body),
            "signature-date": write_time("now", created),
            "malipo-event-id": str(uuid.uuid4()),
        }
        components = components_for(url)
        text = write_input(components, _ALGORITHM, self._key_id, created, _LIFETIME_SECONDS, merchant_id)
        base = signature_base(Signable("POST", url, headers), components, text) or ""
        signature = base64.b64encode(self._key.sign(base.encode(), ec.ECDSA(hashes.SHA256()))).decode()
        signed = {"signature-input": f"{LABEL}={text}", "signature": f"{LABEL}=:{signature}:"}
        return ReceivedCallback(url, {**headers, **signed}, body)


class SentRequest(NamedTuple):
    method: str
    path: str
    body: Any


@dataclasses.dataclass
class _Held:
    """A payment that the fake has."""

    kind: Kind[Record, Accepted]
    record: Dict[str, Any]


class FakeGateway:
    """A gateway in memory. Payments stay ACCEPTED until your test ends them.

    >>> gateway = FakeGateway()
    >>> malipo = gateway.client()

    It checks neither tokens nor amounts: the sandbox does that, and everything else a real gateway does.
    """

    base_url = "https://gateway.test"

    def __init__(self) -> None:
        #: Every request, oldest first.
        self.requests: List[SentRequest] = []
        self.signer = CallbackSigner()
        self._held: Dict[str, _Held] = {}
        self._events: List[Dict[str, Any]] = []
        self._mishaps: List[str] = []
        self._rejections: List[str] = []
        self._transport = httpx.MockTransport(self._handle)

    def client(self, **options: Any) -> Malipo:
        """A client of this gateway."""
        http_client = httpx.Client(transport=self._transport)
        return Malipo(base_url=self.base_url, token="test", http_client=http_client, **options)

    def async_client(self, **options: Any) -> AsyncMalipo:
        http_client = httpx.AsyncClient(transport=self._transport)
        return AsyncMalipo(base_url=self.base_url, token="test", http_client=http_client, **options)

    def ids(self, kind: str) -> List[str]:
        """The identifiers of the payments of a kind that it has."""
        return [id for id, held in self._held.items() if held.kind.name == kind]

    def complete(self, id: str) -> None:
        """The payment is paid."""
        self.change(id, status="COMPLETED")

    def fail(self, id: str, failure_code: str = FailureCode.PAYMENT_NOT_APPROVED) -> None:
        """The payment fails finally."""
        reason = {"failureCode": failure_code, "failureMessage": "A test made it fail."}
        self.change(id, status="FAILED", failureReason=reason)

    def change(self, id: str, **fields: Any) -> None:
        """Sets fields of the record, in the spelling of the API."""
        held = self._held[id.lower()]
        held.record.update(fields)
        if "status" in fields:
            self._add_event(held)

    def callback(self, id: str, url: str, merchant_id: Optional[str] = None) -> ReceivedCallback:
        """The callback about a payment, as your server would receive it now."""
        return self.signer.sign(url, self._held[id.lower()].record, merchant_id=merchant_id)

    def reject_next(self, failure_code: str = FailureCode.INVALID_PHONE_NUMBER) -> None:
        """The next payment that is requested is rejected."""
        self._rejections.append(failure_code)

    def lose_next_request(self) -> None:
        """The next request does not arrive."""
        self._mishaps.append("request")

    def lose_next_answer(self) -> None:
        """The next request arrives, and its answer does not come back."""
        self._mishaps.append("answer")

    def _handle(self, request: httpx.Request) -> httpx.Response:
        mishap = self._mishaps.pop(0) if self._mishaps else None
        if mishap == "request":
            raise httpx.ConnectError("the request was lost", request=request)
        body = json.loads(request.content) if request.content else None
        self.requests.append(SentRequest(request.method, request.url.path, body))
        answer = self._answer(request, body)
        if mishap == "answer":
            raise httpx.ReadError("the answer was lost", request=request)
        return answer

    def _answer(self, request: httpx.Request, body: Any) -> httpx.Response:
        path = request.url.path
        if path == "/v2/public-key/http":
            return httpx.Response(200, json=[key.to_json() for key in self.signer.keys])
        if path == "/v2/events":
            return self._read_events(request.url.params)
        kind = next((one for one in BY_IDENTIFIER if f"{path}/".startswith(f"{one.path}/")), None)
        if kind is None:
            return _failure(404, "ROUTE_NOT_FOUND", "The fake gateway does not have this path.")
        if request.method == "GET" and path == kind.path:
            return self._list(kind, request.url.params)
        if request.method == "GET":
            return self._look_up(path.rsplit("/", 1)[1])
        if isinstance(body, list):
            return httpx.Response(200, json=[self._start(kind, one) for one in body])
        if body is not None:
            return httpx.Response(200, json=self._start(kind, body))
        return self._act(kind, path)

    def _look_up(self, id: str) -> httpx.Response:
        held = self._held.get(id.lower())
        found: Dict[str, Any] = {"status": "NOT_FOUND"} if held is None else {"status": "FOUND", "data": held.record}
        return httpx.Response(200, json=found)

    def _list(self, kind: Kind[Record, Accepted], query: httpx.QueryParams) -> httpx.Response:
        """The newest first. It does not look at times; the cursor is how many were on the pages before."""
        of_kind = [held.record for held in reversed(list(self._held.values())) if held.kind is kind]
        records = [record for record in of_kind if _fits(record, query)]
        first, size = int(query.get("cursor", "0")), int(query.get("limit", "50"))
        page: Dict[str, Any] = {"data": records[first : first + size]}
        if len(records) > first + size:
            page["next"] = str(first + size)
        return httpx.Response(200, json=page)

    def _read_events(self, query: httpx.QueryParams) -> httpx.Response:
        """Every status of payments; no movements of wallets. The cursor is the number of the last event."""
        after, size = query.get("after", "0"), int(query.get("limit", "50"))
        first = len(self._events) if after == "latest" else int(after)
        events = self._events[first : first + size]
        last = first + len(events)
        return httpx.Response(200, json={"data": events, "next": str(last), "hasMore": len(self._events) > last})

    def _add_event(self, held: _Held) -> None:
        name, record = held.kind.name, dict(held.record)
        if name not in ("deposit", "payout", "refund", "remittance"):
            return
        about = {"kind": name.upper(), "id": record[held.kind.id_name], "status": record["status"], name: record}
        times = {"occurredAt": write_time("now", datetime.now(timezone.utc))}
        number = len(self._events) + 1
        self._events.append({"eventId": str(uuid.uuid4()), "number": number, "type": "STATUS", **times, **about})

    def _start(self, kind: Kind[Record, Accepted], body: Dict[str, Any]) -> Dict[str, Any]:
        id = body.get(kind.id_name) or str(uuid.uuid4())
        known = self._held.get(id.lower())
        if known is not None:
            return {**_initiation(known), "status": "DUPLICATE_IGNORED"}
        if self._rejections:
            reason = {"failureCode": self._rejections.pop(0), "failureMessage": "A test made it rejected."}
            return {kind.id_name: id, "status": "REJECTED", "failureReason": reason}
        self._held[id.lower()] = held = _Held(kind, _record(kind, id, body))
        self._add_event(held)
        return {**_initiation(held), "status": "ACCEPTED"}

    def _act(self, kind: Kind[Record, Accepted], path: str) -> httpx.Response:
        held = next((held for id, held in self._held.items() if id in path.lower()), None)
        if held is None:
            return _failure(200, FailureCode.NOT_FOUND, "There is no such payment.")
        if path.endswith("/expire"):
            held.record["status"] = "EXPIRED"
            return httpx.Response(200, json={"status": "EXPIRED"})
        is_final = kind.record.from_json(held.record).is_final
        if ("/resend-callback/" in path) != is_final:
            return _failure(200, FailureCode.INVALID_STATE, f"The payment is {held.record['status']}.")
        if "/fail-enqueued/" in path:
            held.record["status"] = "FAILED"
            self._add_event(held)
        return httpx.Response(200, json={"status": "ACCEPTED"})


def _fits(record: Dict[str, Any], query: httpx.QueryParams) -> bool:
    party = record.get("payer") or record.get("recipient") or {}
    facts = {**record, **party.get("accountDetails", {})}
    names = ("status", "clientReferenceId", "phoneNumber", "provider")
    is_like = all(facts.get(name) == query[name] for name in names if name in query)
    return is_like and ("metadata" not in query or query["metadata"] in record.get("metadata", {}).values())


def _failure(status: int, code: str, message: str) -> httpx.Response:
    reason = {"failureCode": code, "failureMessage": message}
    return httpx.Response(status, json={"status": "REJECTED", "failureReason": reason})


_OF_CHECKOUT = {"redirectUrl": "https://pay.test/c", "expiresAt": "2099-01-01T00:00:00.000Z", "checkoutCode": "TEST"}


def _record(kind: Kind[Record, Accepted], id: str, body: Dict[str, Any]) -> Dict[str, Any]:
    created = write_time("now", datetime.now(timezone.utc))
    given = {key: value for key, value in body.items() if key != "metadata"}
    metadata = {key: value for one in body.get("metadata", []) for key, value in one.items() if key != "isPII"}
    record = {**given, kind.id_name: id, "status": "ACCEPTED", "created": created, "country": "RWA"}
    if kind.name == "checkout":
        record.update(_OF_CHECKOUT, status="WAITING_PAYMENT")
    return {**record, "metadata": metadata} if metadata else record


def _initiation(held: _Held) -> Dict[str, Any]:
    names = (held.kind.id_name, "created", *held.kind.extras.values())
    return {"nextStep": "FINAL_STATUS", **{name: held.record[name] for name in names if name in held.record}}
