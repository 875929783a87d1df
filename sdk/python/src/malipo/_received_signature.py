"""Checks that a received request has a valid signature of the gateway: by one of its keys, over everything that
matters, and recent. The rules are checked in order, and the first broken one is raised.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime
from typing import Mapping, NamedTuple, Optional, Sequence

from ._algorithms import ALGORITHMS, fits, is_signed_by, load_public_key
from ._signature_base import LABEL, Signable, SignatureInput, components_for, digest_fault
from ._signature_base import read_dictionary, read_input, signature_base
from .errors import CallbackRefused
from .schema import PublicKey

#: The allowed clock difference.
_CLOCK_SKEW_SECONDS = 60

_BYTES = re.compile(r":([A-Za-z0-9+/]*={0,2}):")


class ReceivedSignature(NamedTuple):
    input: SignatureInput
    input_text: str
    value: bytes


def check_signature(
    request: Signable,
    body: bytes,
    keys: Sequence[PublicKey],
    now: datetime,
    age_max: float,
    merchant_id: Optional[str],
) -> None:
    signature = read_signature(request.headers)
    _check_form(signature, request)
    _check_merchant(signature, merchant_id)
    _check_time(signature, now, age_max)
    pem = _find_key(signature, keys)
    key = load_public_key(pem)
    algorithm = str(signature.input.parameters["alg"])
    if key is not None and not fits(algorithm, key):
        raise CallbackRefused("ALGORITHM", f"{algorithm} does not fit the published key")
    fault = digest_fault(request.headers.get("content-digest", ""), body)
    if fault is not None:
        raise CallbackRefused("DIGEST", fault)
    base = signature_base(request, signature.input.components, signature.input_text)
    if base is None:
        raise CallbackRefused("COMPONENTS", "the signature covers what the request does not have")
    if key is None or not is_signed_by(algorithm, key, signature.value, base.encode()):
        raise CallbackRefused("SIGNATURE", "the signature does not fit: check that public_url is your public address")


def read_signature(headers: Mapping[str, str]) -> ReceivedSignature:
    inputs = read_dictionary(headers.get("signature-input", ""))
    signatures = read_dictionary(headers.get("signature", ""))
    if inputs is None or signatures is None:
        raise CallbackRefused("HEADERS", "Signature-Input or Signature is missing or cannot be read")
    label = LABEL if LABEL in inputs else next(iter(inputs))
    read = read_input(inputs[label])
    value = _decode(signatures.get(label, ""))
    if read is None or value is None:
        raise CallbackRefused("HEADERS", f"the signature {label} cannot be read")
    return ReceivedSignature(read, inputs[label], value)


def _decode(text: str) -> "bytes | None":
    encoded = _BYTES.fullmatch(text)
    try:
        return None if encoded is None else base64.b64decode(encoded[1], validate=True)
    except binascii.Error:
        return None


def _check_form(signature: ReceivedSignature, request: Signable) -> None:
    components, parameters = signature.input
    for name in ("alg", "keyid", "created", "expires"):
        if name not in parameters:
            raise CallbackRefused("PARAMETERS", f"the signature lacks the parameter {name}")
    for name in components_for(request.url):
        if name not in components:
            raise CallbackRefused("COMPONENTS", f"the signature does not cover {name}")
    if parameters["alg"] not in ALGORITHMS:
        raise CallbackRefused("ALGORITHM", "the gateway does not sign with this algorithm")


def _check_merchant(signature: ReceivedSignature, merchant_id: Optional[str]) -> None:
    if merchant_id is None:
        return
    tag = signature.input.parameters.get("tag")
    if not isinstance(tag, str):
        raise CallbackRefused("MERCHANT", "the signature names no merchant")
    if tag.lower() != merchant_id.lower():
        raise CallbackRefused("MERCHANT", "the callback is for another merchant")


def _check_time(signature: ReceivedSignature, now: datetime, age_max: float) -> None:
    seconds = now.timestamp()
    created, expires = signature.input.parameters["created"], signature.input.parameters["expires"]
    if not isinstance(created, int) or not isinstance(expires, int):
        raise CallbackRefused("TIME", "created and expires are not times")
    if created > seconds + _CLOCK_SKEW_SECONDS:
        raise CallbackRefused("TIME", "it was signed in the future")
    if seconds - created > age_max + _CLOCK_SKEW_SECONDS:
        raise CallbackRefused("TIME", f"it was signed more than {age_max:g} seconds ago")
    if seconds > expires + _CLOCK_SKEW_SECONDS:
        raise CallbackRefused("TIME", "the signature has expired")


def _find_key(signature: ReceivedSignature, keys: Sequence[PublicKey]) -> str:
    key_id = signature.input.parameters["keyid"]
    pem = next((key.key for key in keys if key.id == key_id), None)
    if pem is None:
        raise CallbackRefused("KEY", "the gateway publishes no key of this keyid")
    return pem
