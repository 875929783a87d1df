"""The signature base of RFC 9421: what is signed, one line per component; and the headers around it."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import datetime
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlsplit

#: What every signature of this API covers; also ``@query``, if the address has one.
COMPONENTS = ("@method", "@authority", "@path", "signature-date", "content-digest", "content-type")

#: The signature label of this API.
LABEL = "sig-pp"


class Signable(NamedTuple):
    method: str
    #: The whole address as the sender saw it.
    url: str
    #: By name in lower case.
    headers: Mapping[str, str]


def components_for(url: str) -> Sequence[str]:
    return COMPONENTS if _parts(url)[2] == "" else (*COMPONENTS, "@query")


def signature_base(request: Signable, components: Sequence[str], input_text: str) -> Optional[str]:
    """``input_text`` is the exact member of Signature-Input. None if the request lacks a component."""
    lines: List[str] = []
    for name in components:
        value = _value_of(request, name)
        if value is None:
            return None
        lines.append(f'"{name}": {value}')
    return "\n".join([*lines, f'"@signature-params": {input_text}'])


def _value_of(request: Signable, component: str) -> Optional[str]:
    authority, path, query = _parts(request.url)
    derived = {"@method": request.method, "@authority": authority, "@path": path, "@query": query or "?"}
    if component in derived:
        return derived[component]
    value = request.headers.get(component)
    return None if value is None else value.strip()


#: What stays as it is in a path; everything else, such as a letter with an accent, is escaped.
_PATH = "/%!$&'()*+,;=:@|[]^~"
_QUERY = _PATH + "?\\`{}"
_DEFAULT_PORTS = {"http": 80, "https": 443}


def _parts(url: str) -> Tuple[str, str, str]:
    """Authority, path, and query with its question mark, as a sender normalises them."""
    split = urlsplit(url)
    host = split.hostname or ""
    host = host if host.isascii() else host.encode("idna").decode()
    host = f"[{host}]" if ":" in host else host
    port = "" if split.port in (None, _DEFAULT_PORTS.get(split.scheme)) else f":{split.port}"
    path = quote(split.path, safe=_PATH) or "/"
    query = f"?{quote(split.query, safe=_QUERY)}" if split.query else ""
    return host + port, path, query


def write_input(
    components: Sequence[str],
    algorithm: str,
    key_id: str,
    created: datetime,
    lifetime: int,
    tag: Optional[str] = None,
) -> str:
    """A member of Signature-Input. ``tag`` is for whom it is signed: the merchant ID, in callbacks."""
    names = " ".join(f'"{name}"' for name in components)
    at = int(created.timestamp())
    end = "" if tag is None else f';tag="{tag}"'
    return f'({names});alg="{algorithm}";keyid="{key_id}";created={at};expires={at + lifetime}{end}'


# Content-Digest (RFC 9530): the hash of a body, exactly as its bytes are sent.

_HASHES = {"sha-512": hashlib.sha512, "sha-256": hashlib.sha256}


def write_digest(body: bytes, algorithm: str = "sha-512") -> str:
    digest = _HASHES[algorithm](body).digest()
    return f"{algorithm}=:{base64.b64encode(digest).decode()}:"


def digest_fault(header: str, body: bytes) -> Optional[str]:
    """Why a Content-Digest does not match a body."""
    members = read_dictionary(header)
    if members is None:
        return "the Content-Digest header cannot be read"
    known = [name for name in members if name in _HASHES]
    if not known:
        return "the Content-Digest header has neither sha-512 nor sha-256"
    matches = all(f"{name}={members[name]}" == write_digest(body, name) for name in known)
    return None if matches else "the body is not the one that was signed"


# The part of structured headers (RFC 9651) that signatures need. Any other syntax is refused: a lenient parser could
# read something that was never signed.

_MEMBER = re.compile(r'(?:"(?:\\.|[^"\\])*(?:"|\\?\Z)|[^",])+')
_NAMED = re.compile(r"([a-z*][a-z0-9_.*-]*)=(.+)")
_INPUT = re.compile(
    r'\(((?:"[^"\\]+"(?: "[^"\\]+")*)?)\)((?:;[a-z*][a-z0-9_.*-]*=(?:"[^"\\]*"|[0-9]{1,15}))*)', re.ASCII
)


def read_dictionary(text: str) -> Optional[Dict[str, str]]:
    """The members of a dictionary with their exact texts; None if it is not one, or has a duplicate."""
    members: Dict[str, str] = {}
    for part in _MEMBER.findall(text):
        named = _NAMED.fullmatch(part.strip())
        if named is None or named[1] in members:
            return None
        members[named[1]] = named[2]
    return members or None


class SignatureInput(NamedTuple):
    components: Sequence[str]
    parameters: Mapping[str, Union[str, int]]


def read_input(text: str) -> Optional[SignatureInput]:
    """A member of Signature-Input: components without parameters, and parameters that are texts or whole numbers."""
    whole = _INPUT.fullmatch(text)
    if whole is None:
        return None
    components = re.findall(r'"([^"]+)"', whole[1])
    parameters: Dict[str, Union[str, int]] = {}
    for name, value in re.findall(r';([^=;]+)=("[^"]*"|[0-9]+)', whole[2]):
        if name in parameters:
            return None
        parameters[name] = value[1:-1] if value.startswith('"') else int(value)
    return SignatureInput(components, parameters) if len(set(components)) == len(components) else None
