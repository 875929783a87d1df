"""Types of the API, generated from openapi/v2.json by generate.py. Do not edit."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Literal, Mapping, Optional, Sequence

from ._struct import Amount, Metadata, Record, Struct, Time, new_id

__all__ = [
    "AccountDetails",
    "AccountType",
    "ActiveConfiguration",
    "Address",
    "AmountDetails",
    "AuthType",
    "ChannelType",
    "Checkout",
    "CheckoutAmount",
    "CheckoutAmountRequest",
    "CheckoutDeposit",
    "CheckoutLanguage",
    "CheckoutPayer",
    "CheckoutPayerAccountDetails",
    "CheckoutReason",
    "CheckoutRequest",
    "CheckoutStatus",
    "CountryAvailability",
    "CountryConfiguration",
    "CurrencyConfiguration",
    "DecimalsInAmount",
    "Deposit",
    "DepositConfiguration",
    "DepositRequest",
    "DepositStatus",
    "Event",
    "EventKind",
    "EventMovement",
    "EventStatus",
    "EventType",
    "FailureCode",
    "FailureReason",
    "Gender",
    "Identification",
    "IdentificationType",
    "InstructionChannel",
    "InstructionStep",
    "Instructions",
    "ListedRemittance",
    "LocalizedSteps",
    "LocalizedText",
    "MobileMoneyAccount",
    "NextStep",
    "OperationAvailability",
    "OperationConfiguration",
    "OperationConfigurations",
    "OperationType",
    "PageLanguage",
    "PaymentPageRequest",
    "Payout",
    "PayoutRequest",
    "PayoutStatus",
    "PinPrompt",
    "PredictedProvider",
    "ProviderAvailability",
    "ProviderConfiguration",
    "ProviderStatus",
    "PublicKey",
    "PurposeOfFunds",
    "RecipientDetails",
    "Refund",
    "RefundRequest",
    "Relationship",
    "Remittance",
    "RemittanceRecipient",
    "RemittanceRequest",
    "RemittanceSender",
    "ReturnMethod",
    "SenderDetails",
    "SignatureConfiguration",
    "SourceOfFunds",
    "Split",
    "SplitPayment",
    "SplitPaymentRequest",
    "SplitPaymentStatus",
    "SplitRequest",
    "Statement",
    "StatementRequest",
    "StatementStatus",
    "StatementWallet",
    "TransactionDetails",
    "Wallet",
    "WalletBalance",
]

AccountType = Literal[
    "MMO",
]

DepositStatus = Literal[
    "ACCEPTED",
    "PROCESSING",
    "IN_RECONCILIATION",
    "COMPLETED",
    "FAILED",
]

NextStep = Literal[
    "FINAL_STATUS",
    "GET_AUTH_URL",
    "REDIRECT_TO_AUTH_URL",
]

PayoutStatus = Literal[
    "ACCEPTED",
    "ENQUEUED",
    "PROCESSING",
    "IN_RECONCILIATION",
    "COMPLETED",
    "FAILED",
]

PurposeOfFunds = Literal[
    "FAMILY_SUPPORT",
    "MEDICAL_EXPENSES",
    "TUITION_FEES",
    "EDUCATION_SUPPORT",
    "GIFT_AND_OTHER_DONATIONS",
    "HOME_IMPROVEMENT",
    "DEBT_SETTLEMENT",
    "REAL_ESTATE",
    "TAXES",
    "SALARY",
    "SAVINGS",
    "PERSONAL_TRANSFER",
    "OTHER",
]

SourceOfFunds = Literal[
    "SALARY",
    "SAVINGS",
    "LOTTERY",
    "LOAN",
    "BUSINESS_INCOME",
    "GIFT",
    "OTHER",
]

IdentificationType = Literal[
    "NATIONAL_ID",
    "PASSPORT",
    "DRIVING_LICENSE",
    "SOCIAL_SECURITY_ID",
    "RESIDENCE_PERMIT",
]

Gender = Literal[
    "MALE",
    "FEMALE",
    "OTHER",
]

Relationship = Literal[
    "FATHER",
    "MOTHER",
    "SON",
    "DAUGHTER",
    "BROTHER",
    "SISTER",
    "HUSBAND",
    "WIFE",
    "PARTNER",
    "FRIEND",
    "AUNT",
    "UNCLE",
    "COUSIN",
    "NEPHEW",
    "NIECE",
    "GRANDFATHER",
    "GRANDMOTHER",
    "GRANDSON",
    "GRANDDAUGHTER",
    "STEPCHILD",
    "DAUGHTER_IN_LAW",
    "SON_IN_LAW",
    "BORTHER_IN_LAW",
    "BROTHER_IN_LAW",
    "SISTER_IN_LAW",
    "MOTHER_IN_LAW",
    "GUARDIAN",
    "SELF",
]

SplitPaymentStatus = Literal[
    "ACCEPTED",
    "PROCESSING",
    "IN_RECONCILIATION",
    "COMPLETED",
    "PAYOUT_FAILED",
    "FAILED",
]

PageLanguage = Literal[
    "EN",
    "FR",
]

ReturnMethod = Literal[
    "INSTANT",
    "COUNTDOWN",
    "CUSTOMER_ACTION",
]

CheckoutLanguage = Literal[
    "en",
    "fr",
]

CheckoutStatus = Literal[
    "WAITING_PAYMENT",
    "PROCESSING",
    "COMPLETED",
    "FAILED",
    "EXPIRED",
    "CANCELLED",
]

DecimalsInAmount = Literal[
    "NONE",
    "TWO_PLACES",
]

ProviderStatus = Literal[
    "OPERATIONAL",
    "DELAYED",
    "CLOSED",
]

AuthType = Literal[
    "PROVIDER_AUTH",
    "PREAUTH",
    "REDIRECT_AUTH",
]

PinPrompt = Literal[
    "AUTOMATIC",
    "MANUAL",
]

ChannelType = Literal[
    "USSD",
    "APP",
]

OperationType = Literal[
    "DEPOSIT",
    "PAYOUT",
    "REFUND",
    "REMITTANCE",
    "PUSH_DEPOSIT",
    "NAME_LOOKUP",
]

StatementStatus = Literal[
    "PROCESSING",
    "COMPLETED",
    "FAILED",
]

EventType = Literal[
    "STATUS",
    "MOVEMENT",
]

EventKind = Literal[
    "DEPOSIT",
    "PAYOUT",
    "REFUND",
    "REMITTANCE",
    "SPLIT_PAYMENT",
    "CHECKOUT",
    "STATEMENT",
]

EventStatus = Literal[
    "ACCEPTED",
    "ENQUEUED",
    "PROCESSING",
    "IN_RECONCILIATION",
    "COMPLETED",
    "FAILED",
    "PAYOUT_FAILED",
    "EXPIRED",
    "CANCELLED",
]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class AccountDetails(Struct):
    """The wallet."""

    #: The number of the wallet: digits only, with country code, without "+", separators or a leading zero.
    phone_number: str
    #: The code of the mobile-money provider, as the active configuration lists it.
    provider: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class MobileMoneyAccount(Struct):
    """Who pays."""

    #: The wallet.
    account_details: AccountDetails
    #: The kind of account: mobile money.
    type: AccountType = "MMO"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class DepositRequest(Struct):
    """Collects money from a mobile wallet."""

    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: Amount
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: Who pays.
    payer: MobileMoneyAccount
    #: The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    deposit_id: str = dataclasses.field(default_factory=new_id)
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: Optional[str] = None
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The one-time code of the customer. Required when the authType of the provider is PREAUTH.
    pre_authorisation_code: Optional[str] = None
    #: Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when
    #: the authType of the provider is REDIRECT_AUTH.
    successful_url: Optional[str] = None
    #: Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required
    #: when the authType of the provider is REDIRECT_AUTH.
    failed_url: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class FailureReason(Struct):
    """Why it failed."""

    #: For programs: one of FailureCode, or a code that was added later.
    failure_code: str
    #: For people: developers, not customers.
    failure_message: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Deposit(Record):
    """Fields without a value are left out; none is ever null."""

    #: The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    deposit_id: str
    #: COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found
    #: out.
    status: DepositStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who pays.
    payer: MobileMoneyAccount
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the deposit was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None
    #: What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until
    #: authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl.
    next_step: Optional[NextStep] = None
    #: Where you send the customer to approve the payment.
    authorization_url: Optional[str] = None
    #: Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when
    #: the authType of the provider is REDIRECT_AUTH.
    successful_url: Optional[str] = None
    #: Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required
    #: when the authType of the provider is REDIRECT_AUTH.
    failed_url: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class PayoutRequest(Struct):
    """Sends money from your wallet to a mobile wallet."""

    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: Amount
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: Who receives the money.
    recipient: MobileMoneyAccount
    #: The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without
    #: case and echoed as written.
    payout_id: str = dataclasses.field(default_factory=new_id)
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: Optional[str] = None
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Payout(Record):
    """Fields without a value are left out; none is ever null."""

    #: The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without
    #: case and echoed as written.
    payout_id: str
    #: COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the
    #: provider gave no clear answer; wait until we have found out.
    status: PayoutStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who receives the money.
    recipient: MobileMoneyAccount
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the payout was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class RefundRequest(Struct):
    """Gives a deposit back to its payer, wholly or in part."""

    #: The deposit to refund. UUIDv4 text, compared without case and echoed as written.
    deposit_id: str
    #: The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without
    #: case and echoed as written.
    refund_id: str = dataclasses.field(default_factory=new_id)
    #: The amount to refund, as text. Default: all that remains of the deposit.
    amount: Optional[Amount] = None
    #: The currency, an ISO 4217 code in upper case. It can only be that of the deposit.
    currency: Optional[str] = None
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Refund(Record):
    """Fields without a value are left out; none is ever null."""

    #: The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without
    #: case and echoed as written.
    refund_id: str
    #: The deposit to refund. UUIDv4 text, compared without case and echoed as written.
    deposit_id: str
    #: COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the
    #: provider gave no clear answer; wait until we have found out.
    status: PayoutStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who gets the money back: the payer of the deposit.
    recipient: MobileMoneyAccount
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the refund was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class RecipientDetails(Struct):
    """Who the recipient is."""

    #: The first name of the recipient.
    first_name: str
    #: The last name of the recipient.
    last_name: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class RemittanceRecipient(Struct):
    """Who receives the money."""

    #: The wallet.
    account_details: AccountDetails
    #: Who the recipient is.
    recipient_details: RecipientDetails
    #: The kind of account: mobile money.
    type: AccountType = "MMO"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class TransactionDetails(Struct):
    """The transfer as the sender asked for it."""

    #: Your reference of what the sender asked for.
    transaction_reference: str
    #: What the sender paid, before exchange, as text in the form of an amount.
    original_amount: Amount
    #: The currency the sender paid in, an ISO 4217 code in upper case.
    original_currency: str
    #: The exchange rate at which the money was bought, as a decimal text.
    buy_fx_rate: Amount
    #: What the sender was charged for the transfer; 0 for nothing.
    sender_fees: Amount
    #: What the money is for.
    purpose_of_funds: PurposeOfFunds
    #: Where the money comes from.
    source_of_funds: SourceOfFunds


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Address(Struct):
    """Where the sender lives."""

    #: Street and number.
    address_line: str
    #: The postal code; empty where the country has none.
    postal_code: str
    #: The city.
    city: str
    #: The country of residence, an ISO 3166-1 alpha-3 code in upper case.
    country: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Identification(Struct):
    """The document that proves who the sender is."""

    #: The kind of document.
    type: IdentificationType
    #: The number of the document.
    number: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class SenderDetails(Struct):
    """Who the sender is."""

    #: The first name of the sender.
    first_name: str
    #: The last name of the sender.
    last_name: str
    #: The nationality, an ISO 3166-1 alpha-3 code in upper case.
    nationality: str
    #: The phone number of the sender: digits only, with country code.
    phone_number: str
    #: Where the sender lives.
    address: Address
    #: The document that proves who the sender is.
    identification: Identification
    #: The gender of the sender.
    gender: Optional[Gender] = None
    #: The date of birth, YYYY-MM-DD.
    date_of_birth: Optional[str] = None
    #: The country of birth, an ISO 3166-1 alpha-3 code in upper case.
    place_of_birth: Optional[str] = None
    #: What the sender does for a living.
    occupation: Optional[str] = None
    #: What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken.
    relationship_recipient: Optional[Relationship] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class RemittanceSender(Struct):
    """Who sends the money, and why."""

    #: The transfer as the sender asked for it.
    transaction_details: TransactionDetails
    #: Who the sender is.
    sender_details: SenderDetails


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class RemittanceRequest(Struct):
    """Sends another person's money from your wallet to a mobile wallet."""

    #: Who receives the money.
    recipient: RemittanceRecipient
    #: Who sends the money, and why.
    sender: RemittanceSender
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: Amount
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    remittance_id: str = dataclasses.field(default_factory=new_id)
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class ListedRemittance(Record):
    """Fields without a value are left out; none is ever null. sender only with the scope personal-data:read."""

    #: The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    remittance_id: str
    #: COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the
    #: provider gave no clear answer; wait until we have found out.
    status: PayoutStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who receives the money.
    recipient: RemittanceRecipient
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the remittance was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Who sends the money, and why.
    sender: Optional[RemittanceSender] = None
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Remittance(Record):
    """Fields without a value are left out; none is ever null."""

    #: The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    remittance_id: str
    #: COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the
    #: provider gave no clear answer; wait until we have found out.
    status: PayoutStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who receives the money.
    recipient: RemittanceRecipient
    #: Who sends the money, and why.
    sender: RemittanceSender
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the remittance was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class SplitRequest(Struct):
    """One share, paid out once the money is there."""

    #: The amount of the share, in the form of an amount.
    amount: Amount
    #: Who gets this share.
    recipient: MobileMoneyAccount
    #: The identifier of the payout this share becomes. You choose it. UUIDv4 text, compared without case and echoed as
    #: written.
    payout_id: str = dataclasses.field(default_factory=new_id)
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class SplitPaymentRequest(Struct):
    """Collects money from a mobile wallet and pays shares of it to others."""

    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: Amount
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: Who pays.
    payer: MobileMoneyAccount
    #: The shares. With their fees they come to no more than the amount; the rest stays in your wallet.
    splits: Sequence[SplitRequest]
    #: The identifier of the split payment and of the deposit that collects it. You choose it; store it before you
    #: send. UUIDv4 text, compared without case and echoed as written.
    split_payment_id: str = dataclasses.field(default_factory=new_id)
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: Optional[str] = None
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The one-time code of the customer. Required when the authType of the provider is PREAUTH.
    pre_authorisation_code: Optional[str] = None
    #: Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when
    #: the authType of the provider is REDIRECT_AUTH.
    successful_url: Optional[str] = None
    #: Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required
    #: when the authType of the provider is REDIRECT_AUTH.
    failed_url: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Split(Record):
    #: The payout this share is or becomes. It has a status check and a callback of its own. UUIDv4 text, compared
    #: without case and echoed as written.
    payout_id: str
    #: ACCEPTED until the money is collected; FAILED with the collection.
    status: PayoutStatus
    #: The amount of the share, in the form of an amount.
    amount: str
    #: Who gets this share.
    recipient: MobileMoneyAccount


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class SplitPayment(Record):
    """Fields without a value are left out; none is ever null."""

    final_statuses = ("COMPLETED", "FAILED", "PAYOUT_FAILED")

    #: The identifier of the split payment and of the deposit that collects it. You choose it; store it before you
    #: send. UUIDv4 text, compared without case and echoed as written.
    split_payment_id: str
    #: COMPLETED: all shares were paid. PAYOUT_FAILED: the money was collected, and at least one share failed. FAILED:
    #: the money was not collected. These three are final.
    status: SplitPaymentStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who pays.
    payer: MobileMoneyAccount
    splits: Sequence[Split]
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the split payment was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None
    #: What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until
    #: authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl.
    next_step: Optional[NextStep] = None
    #: Where you send the customer to approve the payment.
    authorization_url: Optional[str] = None
    #: Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when
    #: the authType of the provider is REDIRECT_AUTH.
    successful_url: Optional[str] = None
    #: Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required
    #: when the authType of the provider is REDIRECT_AUTH.
    failed_url: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class AmountDetails(Struct):
    """How much, fixed. Without it, the customer enters the amount."""

    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: Amount
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class PaymentPageRequest(Struct):
    """Opens a page where a customer pays. The customer chooses what you leave out."""

    #: Where the customer returns to, with `depositId` in the query. An https URL; the sandbox takes http too.
    return_url: str
    #: The identifier of the deposit that begins when the customer presses Pay. You choose it. UUIDv4 text, compared
    #: without case and echoed as written.
    deposit_id: str = dataclasses.field(default_factory=new_id)
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: Optional[str] = None
    #: How much, fixed. Without it, the customer enters the amount.
    amount_details: Optional[AmountDetails] = None
    #: The wallet that pays, fixed. Without it, the customer enters the number.
    phone_number: Optional[str] = None
    #: The page's language until the customer chooses another. Without it, the browser says.
    language: Optional[PageLanguage] = None
    #: Only wallets of this country can pay. Without it, those of every country of your account.
    country: Optional[str] = None
    #: What the customer pays for, shown on the page.
    reason: Optional[str] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutAmountRequest(Struct):
    #: The country.
    country: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: Amount


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutPayerAccountDetails(Struct):
    #: Whether the customer may pay from another wallet.
    allow_customer_to_override: bool
    #: The number of the wallet: digits only, with country code, without "+", separators or a leading zero.
    phone_number: Optional[str] = None
    #: The code of the mobile-money provider, as the active configuration lists it.
    provider: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutPayer(Struct):
    """The wallet that pays, as far as you know it."""

    account_details: CheckoutPayerAccountDetails
    #: The kind of account: mobile money.
    type: AccountType = "MMO"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutReason(Struct):
    """What the customer pays for, by language. It is the customerMessage of the attempts too."""

    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    en: Optional[str] = None
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    fr: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutRequest(Struct):
    """Opens a page where a customer can try to pay until it expires."""

    #: Where the customer returns to, with `checkoutId` and `checkoutCode` in the query. An https URL; the sandbox
    #: takes http too.
    return_url: str
    #: The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    checkout_id: str = dataclasses.field(default_factory=new_id)
    #: How the customer returns once the checkout has ended. INSTANT (the default): at once. COUNTDOWN: after a few
    #: seconds. CUSTOMER_ACTION: by pressing a button.
    return_method: Optional[ReturnMethod] = None
    #: The page's language until the customer chooses another. Without it, the browser says.
    default_language: Optional[CheckoutLanguage] = None
    #: Only wallets of these countries can pay. Without it, those of every country of your account.
    countries: Optional[Sequence[str]] = None
    #: For how many minutes the customer can start to pay; 15 when left out.
    expires_after: Optional[int] = None
    #: How much, by country and currency; others cannot pay. Without it, the customer enters the amount.
    amounts: Optional[Sequence[CheckoutAmountRequest]] = None
    #: The wallet that pays, as far as you know it.
    payer: Optional[CheckoutPayer] = None
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: What the customer pays for, by language. It is the customerMessage of the attempts too.
    reason: Optional[CheckoutReason] = None
    #: Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard,
    #: in statements, in status checks and in callbacks.
    metadata: Optional[Metadata] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutAmount(Struct):
    #: The country.
    country: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CheckoutDeposit(Record):
    #: The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    deposit_id: str
    #: COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found
    #: out.
    status: DepositStatus
    #: The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active
    #: configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as
    #: you wrote it.
    amount: str
    #: The currency, an ISO 4217 code in upper case. The provider must support it.
    currency: str
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: Who pays.
    payer: MobileMoneyAccount
    #: May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without
    #: it, the name of your company is used, trimmed to fit.
    customer_message: str
    #: When the deposit was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: The provider's own identifier, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Checkout(Record):
    """Fields without a value are left out; none is ever null."""

    final_statuses = ("COMPLETED", "FAILED", "EXPIRED", "CANCELLED")

    #: The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared
    #: without case and echoed as written.
    checkout_id: str
    #: WAITING_PAYMENT: the customer can pay. PROCESSING: an attempt runs. COMPLETED: one succeeded. FAILED: the
    #: attempt at the time limit failed. EXPIRED: the time limit passed, or you ended it. CANCELLED: the customer gave
    #: up. The last four are final.
    status: CheckoutStatus
    #: Where you send the customer.
    redirect_url: str
    #: Until when the customer can start to pay. RFC 3339 in UTC, always with milliseconds.
    expires_at: datetime
    #: The last part of redirectUrl: 18 letters and digits. Anyone who knows it can open the page.
    checkout_code: str
    #: When the checkout was accepted. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: Where the customer returns to, with `checkoutId` and `checkoutCode` in the query. An https URL; the sandbox
    #: takes http too.
    return_url: str
    #: How the customer returns once the checkout has ended. INSTANT (the default): at once. COUNTDOWN: after a few
    #: seconds. CUSTOMER_ACTION: by pressing a button.
    return_method: ReturnMethod
    #: For how many minutes the customer can start to pay; 15 when left out.
    expires_after: int
    #: Every attempt, the first one first. Each is also a deposit that can be read by itself.
    deposits_history: Sequence[CheckoutDeposit]
    #: The page's language until the customer chooses another. Without it, the browser says.
    default_language: Optional[CheckoutLanguage] = None
    #: Only wallets of these countries can pay. Without it, those of every country of your account.
    countries: Optional[Sequence[str]] = None
    #: How much, by country and currency; others cannot pay. Without it, the customer enters the amount.
    amounts: Optional[Sequence[CheckoutAmount]] = None
    #: The wallet that pays, as far as you know it.
    payer: Optional[CheckoutPayer] = None
    #: Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.
    client_reference_id: Optional[str] = None
    #: What the customer pays for, by language. It is the customerMessage of the attempts too.
    reason: Optional[CheckoutReason] = None
    #: The provider's own identifier of the latest attempt, if it gave one.
    provider_transaction_id: Optional[str] = None
    #: COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found
    #: out.
    deposit_status: Optional[DepositStatus] = None
    deposit: Optional[CheckoutDeposit] = None
    #: The metadata given on initiation, as one object of names and values.
    metadata: Optional[Mapping[str, str]] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class SignatureConfiguration(Struct):
    #: Whether unsigned requests to start payments are refused.
    signed_requests_only: bool
    #: Whether callbacks are signed. They always are.
    signed_callbacks: bool


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class LocalizedText(Struct):
    """The name of the country. In English and French."""

    en: str
    fr: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class InstructionStep(Struct):
    #: What the payer does.
    text: str
    #: The same with the names of variables in double braces, for markup of your own.
    template: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class LocalizedSteps(Struct):
    """The steps, in order."""

    en: Sequence[InstructionStep]
    fr: Sequence[InstructionStep]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class InstructionChannel(Struct):
    #: By dialling, or in the app of the provider.
    type: ChannelType
    #: What to write above the steps. In English and French.
    display_name: LocalizedText
    #: The variables of the templates by name.
    variables: Mapping[str, str]
    #: The steps, in order.
    instructions: LocalizedSteps
    #: What to dial to get straight to the waiting payments. Put `tel:` in front for a link.
    quick_link: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Instructions(Struct):
    """How the payer gets to the prompt, where known."""

    #: The ways to do it; the payer needs one.
    channels: Sequence[InstructionChannel]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class DepositConfiguration(Struct):
    #: The smallest amount of one payment.
    min_amount: str
    #: The largest amount of one payment.
    max_amount: str
    #: How many decimal places the provider takes in an amount: none, or up to two.
    decimals_in_amount: DecimalsInAmount
    #: OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait;
    #: deposits are rejected. CLOSED: everything is rejected.
    status: ProviderStatus
    #: How the payer approves. PROVIDER_AUTH: by PIN on the phone. PREAUTH: with a one-time code that you send as
    #: preAuthorisationCode. REDIRECT_AUTH: on a page of the provider.
    auth_type: AuthType
    #: Where callbacks of this type go; absent when you have set no address.
    callback_url: Optional[str] = None
    #: Only with PROVIDER_AUTH. AUTOMATIC: the prompt comes to the phone. MANUAL: the payer has to follow
    #: pinPromptInstructions; show them at once.
    pin_prompt: Optional[PinPrompt] = None
    #: Only with PROVIDER_AUTH. Whether a payer who missed the prompt can call it up again by following
    #: pinPromptInstructions; show them after some seconds.
    pin_prompt_revivable: Optional[bool] = None
    #: How the payer gets to the prompt, where known.
    pin_prompt_instructions: Optional[Instructions] = None
    #: Only with PREAUTH: how the payer makes the one-time code.
    auth_token_instructions: Optional[Instructions] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class OperationConfiguration(Struct):
    #: The smallest amount of one payment.
    min_amount: str
    #: The largest amount of one payment.
    max_amount: str
    #: How many decimal places the provider takes in an amount: none, or up to two.
    decimals_in_amount: DecimalsInAmount
    #: OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait;
    #: deposits are rejected. CLOSED: everything is rejected.
    status: ProviderStatus
    #: Where callbacks of this type go; absent when you have set no address.
    callback_url: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class OperationConfigurations(Struct):
    """The types of operation that are active on your account."""

    deposit: Optional[DepositConfiguration] = dataclasses.field(default=None, metadata={"wire": "DEPOSIT"})
    payout: Optional[OperationConfiguration] = dataclasses.field(default=None, metadata={"wire": "PAYOUT"})
    refund: Optional[OperationConfiguration] = dataclasses.field(default=None, metadata={"wire": "REFUND"})
    remittance: Optional[OperationConfiguration] = dataclasses.field(default=None, metadata={"wire": "REMITTANCE"})


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CurrencyConfiguration(Struct):
    #: A currency the provider takes: ISO 4217.
    currency: str
    #: The currency symbol.
    display_name: str
    #: The types of operation that are active on your account.
    operation_types: OperationConfigurations


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class ProviderConfiguration(Struct):
    #: The code of the mobile-money provider in one country, as payments name it.
    provider: str
    #: What people call the provider.
    display_name: str
    #: A badge for the provider. An SVG image; you may keep it.
    logo: str
    currencies: Sequence[CurrencyConfiguration]
    #: The name that the payer sees.
    name_displayed_to_customer: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CountryConfiguration(Struct):
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: The name of the country. In English and French.
    display_name: LocalizedText
    #: The dial code, digits only.
    prefix: str
    #: A badge for the country. An SVG image; you may keep it.
    flag: str
    providers: Sequence[ProviderConfiguration]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class ActiveConfiguration(Struct):
    """What is active on your account. Fields without a value are left out; none is ever null."""

    #: The name of your account.
    company_name: str
    signature_configuration: SignatureConfiguration
    countries: Sequence[CountryConfiguration]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class OperationAvailability(Struct):
    """The availability of each type of operation that is active on your account."""

    #: OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait;
    #: deposits are rejected. CLOSED: everything is rejected.
    deposit: Optional[ProviderStatus] = dataclasses.field(default=None, metadata={"wire": "DEPOSIT"})
    #: OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait;
    #: deposits are rejected. CLOSED: everything is rejected.
    payout: Optional[ProviderStatus] = dataclasses.field(default=None, metadata={"wire": "PAYOUT"})
    #: OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait;
    #: deposits are rejected. CLOSED: everything is rejected.
    refund: Optional[ProviderStatus] = dataclasses.field(default=None, metadata={"wire": "REFUND"})
    #: OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait;
    #: deposits are rejected. CLOSED: everything is rejected.
    remittance: Optional[ProviderStatus] = dataclasses.field(default=None, metadata={"wire": "REMITTANCE"})


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class ProviderAvailability(Struct):
    #: The code of the mobile-money provider in one country, as payments name it.
    provider: str
    #: The availability of each type of operation that is active on your account.
    operation_types: OperationAvailability


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class CountryAvailability(Struct):
    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    providers: Sequence[ProviderAvailability]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class PredictedProvider(Struct):
    """A hint from the prefix of the number. Let your customer change the provider: people keep their number when they
    change operator."""

    #: The country of the provider, an ISO 3166-1 alpha-3 code in upper case.
    country: str
    #: The code of the mobile-money provider in one country, as payments name it.
    provider: str
    #: The number in the form that payments take.
    phone_number: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class PublicKey(Struct):
    #: What signatures name the key by, as keyid.
    id: str
    #: The public key in PEM form, with its line breaks.
    key: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class WalletBalance(Struct):
    #: The country of the wallet: ISO 3166-1 alpha-3.
    country: str
    #: What you can spend, always with two decimals. What payments in progress have reserved is not in it.
    balance: str
    #: The currency of the wallet: ISO 4217.
    currency: str
    #: Empty when the wallet serves all providers of the country; otherwise its provider.
    provider: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Wallet(Struct):
    """One of your wallets, named as in the wallet balances."""

    #: The country of the wallet: ISO 3166-1 alpha-3.
    country: str
    #: The currency of the wallet: ISO 4217.
    currency: str
    #: Only where your account keeps a wallet for each provider; as in the wallet balances, empty otherwise.
    provider: Optional[str] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class StatementRequest(Struct):
    #: One of your wallets, named as in the wallet balances.
    wallet: Wallet
    #: Where the callback is sent when the file is ready. An https URL; the sandbox takes http too.
    callback_url: str
    #: The time of the opening balance: movements from here on are listed. RFC 3339; without a zone it is UTC.
    start_date: Time
    #: The time of the closing balance: movements before it are listed. At most 31 days later. A date without a time
    #: means the whole day. RFC 3339; without a zone it is UTC.
    end_date: Time
    #: Whether the file is compressed with gzip.
    compressed: Optional[bool] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class StatementWallet(Struct):
    #: The country of the wallet: ISO 3166-1 alpha-3.
    country: str
    #: The currency of the wallet: ISO 4217.
    currency: str
    #: Empty when the wallet is not tied to one.
    provider: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Statement(Record):
    """Fields without a value are left out; none is ever null."""

    is_money = False

    #: The identifier of the statement, which we made. UUIDv4 text, compared without case and echoed as written.
    statement_id: str
    #: PROCESSING: the file is being created. COMPLETED: it is ready. FAILED: create another one.
    status: StatementStatus
    wallet: StatementWallet
    #: When the statement was requested. RFC 3339 in UTC, always with milliseconds.
    created: datetime
    #: The time of the opening balance. RFC 3339 in UTC, always with milliseconds.
    start_date: datetime
    #: The end you asked for. The closing balance says how far the statement goes. RFC 3339 in UTC, always with
    #: milliseconds.
    end_date: datetime
    #: In bytes.
    file_size: Optional[int] = None
    #: Where the file is. Anyone who has this address can fetch it, without a token. Every status check gives a new
    #: one.
    download_url: Optional[str] = None
    #: When this downloadUrl expires: one day after it was created. RFC 3339 in UTC, always with milliseconds.
    download_url_expires_at: Optional[datetime] = None
    #: When it was made. RFC 3339 in UTC, always with milliseconds.
    completed_at: Optional[datetime] = None
    #: When it failed. RFC 3339 in UTC, always with milliseconds.
    failed_at: Optional[datetime] = None
    #: Why it failed.
    failure_reason: Optional[FailureReason] = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class EventMovement(Struct):
    """Only of type MOVEMENT. The movements of a wallet add up to what it holds."""

    #: What moved the wallet: a kind of payment, or TOP_UP, SETTLEMENT, ADJUSTMENT and others, as in statements.
    type: str
    #: What the wallet gained, with fees taken off. Negative where the wallet paid.
    amount: str
    #: The currency of the wallet: ISO 4217.
    currency: str
    #: The country of the wallet: ISO 3166-1 alpha-3.
    country: str
    #: Empty when the wallet serves all providers of the country; otherwise its provider.
    provider: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Event(Struct):
    """Of type STATUS, a payment has its record, as it was then. Without the scope personal-data:read, personal data is
    masked."""

    #: The same each time the event is read: ignore those that you have processed.
    event_id: str
    #: The number of the event in your feed: one more than that of the event before it.
    number: int
    #: STATUS: something got a new status. MOVEMENT: money came into a wallet, or left it. Ignore types that are added
    #: later.
    type: EventType
    #: When it happened. RFC 3339 in UTC, always with milliseconds.
    occurred_at: datetime
    #: What it is about. Left out where it is no payment.
    kind: Optional[EventKind] = None
    #: The identifier of what it is about, as you wrote it.
    id: Optional[str] = None
    #: Only of type STATUS: the new status.
    status: Optional[EventStatus] = None
    #: Fields without a value are left out; none is ever null.
    deposit: Optional[Deposit] = None
    #: Fields without a value are left out; none is ever null.
    payout: Optional[Payout] = None
    #: Fields without a value are left out; none is ever null.
    refund: Optional[Refund] = None
    #: Fields without a value are left out; none is ever null. sender only with the scope personal-data:read.
    remittance: Optional[ListedRemittance] = None
    #: Only of type MOVEMENT. The movements of a wallet add up to what it holds.
    movement: Optional[EventMovement] = None


class FailureCode:
    """Known failure codes. Be ready for codes that are added later."""

    AMOUNT_OUT_OF_BOUNDS = "AMOUNT_OUT_OF_BOUNDS"
    AMOUNT_TOO_LARGE = "AMOUNT_TOO_LARGE"
    AUTHENTICATION_ERROR = "AUTHENTICATION_ERROR"
    AUTHORISATION_ERROR = "AUTHORISATION_ERROR"
    CURSOR_EXPIRED = "CURSOR_EXPIRED"
    DEPOSITS_NOT_ALLOWED = "DEPOSITS_NOT_ALLOWED"
    DEPOSIT_ALREADY_REFUNDED = "DEPOSIT_ALREADY_REFUNDED"
    DUPLICATE_IDENTIFIER = "DUPLICATE_IDENTIFIER"
    DUPLICATE_METADATA_FIELD = "DUPLICATE_METADATA_FIELD"
    HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE"
    INSUFFICIENT_BALANCE = "INSUFFICIENT_BALANCE"
    INVALID_AMOUNT = "INVALID_AMOUNT"
    INVALID_CALLBACK_URL = "INVALID_CALLBACK_URL"
    INVALID_COUNTRY = "INVALID_COUNTRY"
    INVALID_CURRENCY = "INVALID_CURRENCY"
    INVALID_DATE_RANGE = "INVALID_DATE_RANGE"
    INVALID_INPUT = "INVALID_INPUT"
    INVALID_PARAMETER = "INVALID_PARAMETER"
    INVALID_PHONE_NUMBER = "INVALID_PHONE_NUMBER"
    INVALID_PROVIDER = "INVALID_PROVIDER"
    INVALID_STATE = "INVALID_STATE"
    MANUALLY_CANCELLED = "MANUALLY_CANCELLED"
    MISSING_PARAMETER = "MISSING_PARAMETER"
    NOT_FOUND = "NOT_FOUND"
    OTHER_ERROR = "OTHER_ERROR"
    PAYER_LIMIT_REACHED = "PAYER_LIMIT_REACHED"
    PAYER_NOT_FOUND = "PAYER_NOT_FOUND"
    PAYMENT_IN_PROGRESS = "PAYMENT_IN_PROGRESS"
    PAYMENT_NOT_APPROVED = "PAYMENT_NOT_APPROVED"
    PAYOUTS_NOT_ALLOWED = "PAYOUTS_NOT_ALLOWED"
    PAYOUT_EXCEEDS_DEPOSIT = "PAYOUT_EXCEEDS_DEPOSIT"
    PROVIDER_TEMPORARILY_UNAVAILABLE = "PROVIDER_TEMPORARILY_UNAVAILABLE"
    RATE_LIMITED = "RATE_LIMITED"
    RECIPIENT_LIMIT_REACHED = "RECIPIENT_LIMIT_REACHED"
    RECIPIENT_NOT_FOUND = "RECIPIENT_NOT_FOUND"
    REFUNDS_NOT_ALLOWED = "REFUNDS_NOT_ALLOWED"
    REFUND_IN_PROGRESS = "REFUND_IN_PROGRESS"
    REMITTANCES_NOT_ALLOWED = "REMITTANCES_NOT_ALLOWED"
    REQUEST_TOO_LARGE = "REQUEST_TOO_LARGE"
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE"
    SPLIT_PAYMENTS_NOT_ALLOWED = "SPLIT_PAYMENTS_NOT_ALLOWED"
    TOO_MANY_STATEMENTS = "TOO_MANY_STATEMENTS"
    UNKNOWN_ERROR = "UNKNOWN_ERROR"
    UNSPECIFIED_FAILURE = "UNSPECIFIED_FAILURE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    UNSUPPORTED_PARAMETER = "UNSUPPORTED_PARAMETER"
    WALLET_LIMIT_REACHED = "WALLET_LIMIT_REACHED"
    WALLET_NOT_FOUND = "WALLET_NOT_FOUND"
    WALLET_OUT_OF_FUNDS = "WALLET_OUT_OF_FUNDS"
