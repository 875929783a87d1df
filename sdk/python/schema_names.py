"""What openapi/v2.json does not say about the classes that generate.py makes from it: names, identifiers, endings."""

from __future__ import annotations

from typing import Dict, List, Tuple

#: The identifier that a request gets when it is made, by the class of the request.
OWN_IDS = {
    "DepositRequest": "depositId",
    "PayoutRequest": "payoutId",
    "RefundRequest": "refundId",
    "RemittanceRequest": "remittanceId",
    "SplitPaymentRequest": "splitPaymentId",
    "SplitRequest": "payoutId",
    "CheckoutRequest": "checkoutId",
    "PaymentPageRequest": "depositId",
}

#: Answers that are returned as they are: where the object is in the answer, and its class.
ANSWERS: Dict[str, Tuple[List[str], str]] = {
    "getActiveConfiguration": ([], "ActiveConfiguration"),
    "getAvailability": (["items"], "CountryAvailability"),
    "predictProvider": ([], "PredictedProvider"),
    "getPublicKeys": (["items"], "PublicKey"),
    "getWalletBalances": (["properties", "balances", "items"], "WalletBalance"),
}

#: Names of objects inside objects; others are named after the object they are in and their own field.
NAMES = {
    "DepositRequest.payer": "MobileMoneyAccount",
    "MobileMoneyAccount.accountDetails": "AccountDetails",
    "Deposit.failureReason": "FailureReason",
    "RemittanceRequest.recipient": "RemittanceRecipient",
    "RemittanceRecipient.recipientDetails": "RecipientDetails",
    "RemittanceRequest.sender": "RemittanceSender",
    "RemittanceSender.transactionDetails": "TransactionDetails",
    "RemittanceSender.senderDetails": "SenderDetails",
    "SenderDetails.address": "Address",
    "SenderDetails.identification": "Identification",
    "SplitPaymentRequest.splits": "SplitRequest",
    "SplitPayment.splits": "Split",
    "CheckoutRequest.amounts": "CheckoutAmountRequest",
    "Checkout.amounts": "CheckoutAmount",
    "CheckoutRequest.payer": "CheckoutPayer",
    "CheckoutRequest.reason": "CheckoutReason",
    "Checkout.deposit": "CheckoutDeposit",
    "PaymentPageRequest.amountDetails": "AmountDetails",
    "StatementRequest.wallet": "Wallet",
    "Statement.wallet": "StatementWallet",
    "ActiveConfiguration.signatureConfiguration": "SignatureConfiguration",
    "ActiveConfiguration.countries": "CountryConfiguration",
    "CountryConfiguration.displayName": "LocalizedText",
    "CountryConfiguration.providers": "ProviderConfiguration",
    "ProviderConfiguration.currencies": "CurrencyConfiguration",
    "CurrencyConfiguration.operationTypes": "OperationConfigurations",
    "OperationConfigurations.DEPOSIT": "DepositConfiguration",
    "OperationConfigurations.PAYOUT": "OperationConfiguration",
    "DepositConfiguration.pinPromptInstructions": "Instructions",
    "Instructions.channels": "InstructionChannel",
    "InstructionChannel.instructions": "LocalizedSteps",
    "LocalizedSteps.en": "InstructionStep",
    "CountryAvailability.providers": "ProviderAvailability",
    "ProviderAvailability.operationTypes": "OperationAvailability",
}

#: Names of enumerations, by their field; a status is named after its record.
ENUMS = {
    "Identification.type": "IdentificationType",
    "SenderDetails.relationshipRecipient": "Relationship",
    "InstructionChannel.type": "ChannelType",
    "Event.type": "EventType",
    "Event.kind": "EventKind",
    "PaymentPageRequest.language": "PageLanguage",
    "CheckoutRequest.defaultLanguage": "CheckoutLanguage",
    "OperationConfiguration.status": "ProviderStatus",
    "DepositConfiguration.status": "ProviderStatus",
}

#: Classes with statuses: what ends them, and whether COMPLETED moves money.
RECORDS: Dict[str, List[str]] = {
    "Deposit": [],
    "Payout": [],
    "Refund": [],
    "Remittance": [],
    "ListedRemittance": [],
    "Split": [],
    "CheckoutDeposit": [],
    "SplitPayment": ['final_statuses = ("COMPLETED", "FAILED", "PAYOUT_FAILED")'],
    "Checkout": ['final_statuses = ("COMPLETED", "FAILED", "EXPIRED", "CANCELLED")'],
    "Statement": ["is_money = False"],
}

#: Descriptions that differ from place to place in the document.
TEXTS = {"failureCode": "For programs: one of FailureCode, or a code that was added later."}

#: Times whose format the document leaves open, because the gateway takes several.
TIMES = ("StatementRequest.startDate", "StatementRequest.endDate")
