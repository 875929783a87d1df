"""A callback as it was received, from the request of any web framework. None of them is imported: a request is known by
what it can do.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Awaitable, Dict, Iterable, Mapping, Optional, Protocol, Tuple, Union
from urllib.parse import quote, urlsplit

from .errors import misuse

Headers = Union[Mapping[str, str], Iterable[Tuple[str, str]]]


@dataclasses.dataclass(frozen=True)
class ReceivedCallback:
    """For frameworks that are not known here."""

    #: The complete public address it was sent to. Behind a proxy this differs from the Host header.
    url: str
    headers: Headers
    #: The bytes as received; not JSON that was parsed and serialised again.
    body: Union[bytes, str]
    method: str = "POST"


class DjangoRequest(Protocol):
    @property
    def body(self) -> bytes: ...

    @property
    def META(self) -> Mapping[str, Any]: ...

    def build_absolute_uri(self, location: Optional[str] = ...) -> str: ...


class FlaskRequest(Protocol):
    @property
    def environ(self) -> Mapping[str, Any]: ...

    def get_data(self) -> bytes: ...


class StarletteRequest(Protocol):
    """FastAPI's too."""

    @property
    def scope(self) -> Mapping[str, Any]: ...

    def body(self) -> Awaitable[bytes]: ...


BlockingRequest = Union[ReceivedCallback, DjangoRequest, FlaskRequest]
AnyRequest = Union[BlockingRequest, StarletteRequest]


def received(request: AnyRequest, public_url: Optional[str]) -> ReceivedCallback:
    """From a request whose body can be read at once."""
    if isinstance(request, ReceivedCallback):
        return request
    # Any: these are attributes of Django's and Flask's requests, which mypy does not know here.
    given: Any = request
    if hasattr(given, "build_absolute_uri"):
        url = _url(given.META, given.build_absolute_uri(), public_url)
        return ReceivedCallback(url, given.headers, given.body, given.method)
    if hasattr(given, "get_data"):
        url = _url(given.environ, given.url, public_url)
        return ReceivedCallback(url, given.headers, given.get_data(), given.method)
    raise misuse(
        f"A {type(request).__name__} is not the request of a framework that is known here.",
        "Give a ReceivedCallback. For FastAPI and Starlette use AsyncMalipo, or AsyncCallbackVerifier.",
    )


async def received_async(request: AnyRequest, public_url: Optional[str]) -> ReceivedCallback:
    given: Any = request
    if not isinstance(request, ReceivedCallback) and hasattr(given, "scope") and callable(getattr(given, "body", None)):
        return ReceivedCallback(_asgi_url(given, public_url), given.headers, await given.body(), given.method)
    return received(request, public_url)


def _url(environ: Mapping[str, Any], own: str, public_url: Optional[str]) -> str:
    """The path is taken as it was sent, where the server tells it: a framework may have decoded it."""
    raw = environ.get("REQUEST_URI") or environ.get("RAW_URI")
    path = raw.split("?")[0] if isinstance(raw, str) and raw.startswith("/") else urlsplit(own).path
    query = environ.get("QUERY_STRING")
    return _with_origin(f"{path}?{query}" if query else path, own, public_url)


def _asgi_url(request: Any, public_url: Optional[str]) -> str:
    scope: Mapping[str, Any] = request.scope
    raw_path = scope.get("raw_path")
    # Some servers leave the query in it.
    path = raw_path.decode("latin-1").split("?")[0] if isinstance(raw_path, bytes) else quote(str(scope["path"]))
    query = scope.get("query_string", b"").decode("latin-1")
    return _with_origin(f"{path}?{query}" if query else path, str(request.url), public_url)


def _with_origin(target: str, own: str, public_url: Optional[str]) -> str:
    if public_url is not None:
        return public_url.rstrip("/") + target
    split = urlsplit(own)
    return f"{split.scheme}://{split.netloc}{target}"


def header_map(headers: Headers) -> Dict[str, str]:
    """By name in lower case. Fields with one name are one list, as RFC 9110 has it."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    joined: Dict[str, str] = {}
    for name, value in pairs:
        key = str(name).lower()
        joined[key] = f"{joined[key]}, {value}" if key in joined else str(value)
    return joined
