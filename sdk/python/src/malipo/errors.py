"""Errors. Expected answers of the gateway, rejections included, are returned and not raised."""

from __future__ import annotations

from typing import Optional


class MalipoError(Exception):
    """A request that could not be made, or a misuse of this package.

    ``code`` is for programs; the message and ``what_to_do`` are for people. The codes of this package are NETWORK,
    TIMEOUT, UNAVAILABLE, RATE_LIMITED, UNREADABLE_ANSWER, INTERRUPTED, MISUSE and CALLBACK_REFUSED; others are failure
    codes of the gateway, such as AUTHENTICATION_ERROR.
    """

    def __init__(self, code: str, message: str, what_to_do: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.what_to_do = what_to_do
        #: The HTTP status, if there was an answer.
        self.status = status

    def __str__(self) -> str:
        return f"{self.code}: {self.message} {self.what_to_do}"


class CallbackRefused(MalipoError):
    """A request that is not a genuine, recent callback of the gateway. Do not act on it; answer 401.

    ``rule`` is the first broken rule: HEADERS, PARAMETERS, COMPONENTS, ALGORITHM, MERCHANT, TIME, KEY, DIGEST or
    SIGNATURE.
    """

    def __init__(self, rule: str, cause: str) -> None:
        super().__init__("CALLBACK_REFUSED", f"{rule}: {cause}.", "Answer 401; the gateway tries again.")
        self.rule = rule
        self.cause = cause


def misuse(message: str, what_to_do: str) -> MalipoError:
    return MalipoError("MISUSE", message, what_to_do)
