"""The signature algorithms of the API, by the names of RFC 9421. ECDSA signatures are two numbers: RFC 9421 writes them
one after the other (raw), many programs as DER; both are read.
"""

from __future__ import annotations

from typing import Iterator, Optional, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from .errors import MalipoError, misuse

PrivateKey = Union[ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey]
PublicKey = Union[ec.EllipticCurvePublicKey, rsa.RSAPublicKey]

#: The curves by their algorithm, with the bytes of one number.
_CURVES = {"ecdsa-p256-sha256": ("secp256r1", 32), "ecdsa-p384-sha384": ("secp384r1", 48)}
_ECDSA_HASHES = {"ecdsa-p256-sha256": hashes.SHA256, "ecdsa-p384-sha384": hashes.SHA384}

ALGORITHMS = (*_CURVES, "rsa-v1_5-sha256", "rsa-pss-sha512")

#: The salt length of RFC 9421: that of the hash.
_PSS = padding.PSS(mgf=padding.MGF1(hashes.SHA512()), salt_length=64)


def load_private_key(given: Union[str, bytes, PrivateKey]) -> PrivateKey:
    if isinstance(given, (ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey)):
        return given
    try:
        key = serialization.load_pem_private_key(given.encode() if isinstance(given, str) else given, None)
    except (ValueError, TypeError) as error:
        raise _not_a_key("It is not a private key in PEM form without a password.") from error
    if isinstance(key, (ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey)):
        return key
    raise _not_a_key("Its kind cannot sign requests.")


def load_public_key(pem: str) -> Optional[PublicKey]:
    try:
        key = serialization.load_pem_public_key(pem.encode())
    except ValueError:
        return None
    return key if isinstance(key, (ec.EllipticCurvePublicKey, rsa.RSAPublicKey)) else None


def fits(algorithm: str, key: Union[PrivateKey, PublicKey]) -> bool:
    """A key on a curve has one algorithm; an RSA key has both of RSA."""
    if isinstance(key, (rsa.RSAPrivateKey, rsa.RSAPublicKey)):
        return algorithm in ("rsa-v1_5-sha256", "rsa-pss-sha512")
    return algorithm in _CURVES and _CURVES[algorithm][0] == key.curve.name


def algorithm_for(key: PrivateKey, wanted: Optional[str]) -> str:
    """``wanted`` matters only for RSA keys."""
    preferred = ("rsa-pss-sha512", *ALGORITHMS)
    fitting = next((name for name in preferred if fits(name, key)), None)
    algorithm = fitting if wanted is None else wanted
    if algorithm is None or not fits(algorithm, key):
        raise _not_a_key(f"It is not a key for {wanted or 'any algorithm of the API'}.")
    return algorithm


def sign(algorithm: str, key: PrivateKey, data: bytes) -> bytes:
    """ECDSA signatures are raw."""
    if isinstance(key, ec.EllipticCurvePrivateKey):
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(_ECDSA_HASHES[algorithm]())))
        size = _CURVES[algorithm][1]
        return r.to_bytes(size, "big") + s.to_bytes(size, "big")
    if algorithm == "rsa-pss-sha512":
        return key.sign(data, _PSS, hashes.SHA512())
    return key.sign(data, padding.PKCS1v15(), hashes.SHA256())


def is_signed_by(algorithm: str, key: PublicKey, signature: bytes, data: bytes) -> bool:
    if isinstance(key, ec.EllipticCurvePublicKey):
        return any(_is_ecdsa(algorithm, key, der, data) for der in _der_forms(signature, _CURVES[algorithm][1]))
    try:
        if algorithm == "rsa-pss-sha512":
            key.verify(signature, data, _PSS, hashes.SHA512())
        else:
            key.verify(signature, data, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return True


def _is_ecdsa(algorithm: str, key: ec.EllipticCurvePublicKey, der: bytes, data: bytes) -> bool:
    try:
        key.verify(der, data, ec.ECDSA(_ECDSA_HASHES[algorithm]()))
    except InvalidSignature:
        return False
    return True


def _der_forms(signature: bytes, size: int) -> Iterator[bytes]:
    """A DER signature can have the length of a raw one, so length alone does not decide."""
    yield signature
    if len(signature) == 2 * size:
        yield encode_dss_signature(int.from_bytes(signature[:size], "big"), int.from_bytes(signature[size:], "big"))


def _not_a_key(why: str) -> MalipoError:
    what_to_do = "Write it with `openssl pkcs8 -topk8 -nocrypt -in your.pem`."
    return misuse(f"The private key for signing cannot be used. {why}", what_to_do)
