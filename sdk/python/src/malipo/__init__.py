"""A typed client of the Malipo mobile-money gateway that never pays twice."""

from . import schema
from ._received import ReceivedCallback
from ._struct import Amount, Metadata, Record, Struct, Time, new_id
from .callbacks import AsyncCallbackVerifier, Callback, CallbackVerifier, OtherRecord, verify_callback
from .client import AsyncMalipo, Malipo
from .errors import CallbackRefused, MalipoError
from .journal import AsyncJournal, FileJournal, Journal, JournalEntry, MemoryJournal
from .outcome import Accepted, AcceptedCheckout, AcceptedDeposit, AcceptedPage, AcceptedStatement, Acted, Done
from .outcome import EventPage, NotPredicted, Prediction, Rejected, RejectedStatement, Started, Still, Unknown
from .schema import *  # noqa: F403
from .schema import AccountDetails, MobileMoneyAccount
from .signing import SignatureAlgorithm, Signing

__all__ = [
    "Accepted",
    "AcceptedCheckout",
    "AcceptedDeposit",
    "AcceptedPage",
    "AcceptedStatement",
    "Acted",
    "Amount",
    "AsyncCallbackVerifier",
    "AsyncJournal",
    "AsyncMalipo",
    "Callback",
    "CallbackRefused",
    "CallbackVerifier",
    "Done",
    "EventPage",
    "FileJournal",
    "Journal",
    "JournalEntry",
    "Malipo",
    "MalipoError",
    "MemoryJournal",
    "Metadata",
    "NotPredicted",
    "OtherRecord",
    "Prediction",
    "ReceivedCallback",
    "Record",
    "Rejected",
    "RejectedStatement",
    "SignatureAlgorithm",
    "Signing",
    "Started",
    "Still",
    "Struct",
    "Time",
    "Unknown",
    "mobile_money",
    "new_id",
    "verify_callback",
]
__all__ += schema.__all__


def mobile_money(provider: str, phone_number: str) -> MobileMoneyAccount:
    """The account of a payer or a recipient: ``mobile_money("MTN_MOMO_RWA", "250783456789")``."""
    return MobileMoneyAccount(AccountDetails(phone_number=phone_number, provider=provider))
