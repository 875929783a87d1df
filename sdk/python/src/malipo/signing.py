"""Signs requests that start payments, for accounts that require it."""

from __future__ import annotations

import base64
import dataclasses
from datetime import datetime, timezone
from typing import Callable, Dict, Literal, Mapping, Optional, Union

from ._algorithms import PrivateKey, algorithm_for, load_private_key, sign
from ._signature_base import LABEL, Signable, components_for, signature_base, write_digest, write_input
from ._struct import write_time

SignatureAlgorithm = Literal["ecdsa-p256-sha256", "ecdsa-p384-sha384", "rsa-v1_5-sha256", "rsa-pss-sha512"]

#: The gateway accepts five minutes; a request arrives within seconds.
_LIFETIME_SECONDS = 60


@dataclasses.dataclass(frozen=True)
class Signing:
    """The key for signed requests."""

    #: The name under which the public key is registered.
    key_id: str
    #: In PEM form, as ``openssl genpkey`` writes it, or a private key of ``cryptography``.
    private_key: Union[str, bytes, PrivateKey] = dataclasses.field(repr=False)
    #: Default: detected from the key; for RSA keys rsa-pss-sha512.
    algorithm: Optional[SignatureAlgorithm] = None


def _now() -> datetime:
    return datetime.now(timezone.utc)


class RequestSigner:
    def __init__(self, signing: Signing, clock: Callable[[], datetime] = _now) -> None:
        self._key_id = signing.key_id
        self._key = load_private_key(signing.private_key)
        self._algorithm = algorithm_for(self._key, signing.algorithm)
        self._clock = clock

    def sign(self, url: str, headers: Mapping[str, str], content: bytes) -> Dict[str, str]:
        """The headers that sign a POST."""
        created = self._clock()
        added = {"content-digest": write_digest(content), "signature-date": write_time("now", created)}
        components = components_for(url)
        input_text = write_input(components, self._algorithm, self._key_id, created, _LIFETIME_SECONDS)
        base = signature_base(Signable("POST", url, {**headers, **added}), components, input_text) or ""
        signature = base64.b64encode(sign(self._algorithm, self._key, base.encode())).decode()
        return {**added, "signature-input": f"{LABEL}={input_text}", "signature": f"{LABEL}=:{signature}:"}
