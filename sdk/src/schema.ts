// Made from openapi/v2.json by `npm run generate:openapi`. Do not edit.

export interface paths {
  '/v2/deposits': { get: operations['listDeposits']; post: operations['initiateDeposit'] };
  '/v2/deposits/{depositId}': { get: operations['getDeposit'] };
  '/v2/deposits/resend-callback/{depositId}': { post: operations['resendDepositCallback'] };
  '/v2/payouts': { get: operations['listPayouts']; post: operations['initiatePayout'] };
  '/v2/payouts/bulk': { post: operations['initiatePayouts'] };
  '/v2/payouts/{payoutId}': { get: operations['getPayout'] };
  '/v2/payouts/resend-callback/{payoutId}': { post: operations['resendPayoutCallback'] };
  '/v2/payouts/fail-enqueued/{payoutId}': { post: operations['cancelEnqueuedPayout'] };
  '/v2/refunds': { get: operations['listRefunds']; post: operations['initiateRefund'] };
  '/v2/refunds/{refundId}': { get: operations['getRefund'] };
  '/v2/refunds/resend-callback/{refundId}': { post: operations['resendRefundCallback'] };
  '/v2/refunds/fail-enqueued/{refundId}': { post: operations['cancelEnqueuedRefund'] };
  '/v2/remittances': { get: operations['listRemittances']; post: operations['initiateRemittance'] };
  '/v2/remittances/bulk': { post: operations['initiateRemittances'] };
  '/v2/remittances/{remittanceId}': { get: operations['getRemittance'] };
  '/v2/remittances/resend-callback/{remittanceId}': { post: operations['resendRemittanceCallback'] };
  '/v2/remittances/fail-enqueued/{remittanceId}': { post: operations['cancelEnqueuedRemittance'] };
  '/v2/split-payments': { post: operations['initiateSplitPayment'] };
  '/v2/split-payments/{splitPaymentId}': { get: operations['getSplitPayment'] };
  '/v2/paymentpage': { post: operations['openPaymentPage'] };
  '/v2/checkouts': { post: operations['openCheckout'] };
  '/v2/checkouts/{checkoutId}': { get: operations['getCheckout'] };
  '/v2/checkouts/{checkoutId}/expire': { post: operations['expireCheckout'] };
  '/v2/active-conf': { get: operations['getActiveConfiguration'] };
  '/v2/availability': { get: operations['getAvailability'] };
  '/v2/predict-provider': { post: operations['predictProvider'] };
  '/v2/public-key/http': { get: operations['getPublicKeys'] };
  '/v2/wallet-balances': { get: operations['getWalletBalances'] };
  '/v2/statements': { post: operations['requestStatement'] };
  '/v2/statements/{statementId}': { get: operations['getStatement'] };
  '/v2/events': { get: operations['listEvents'] };
}

export interface operations {
  /** In pages, the newest first; filtered by time, and by at most one of client reference, metadata or phone number. An addition to the specification. */
  listDeposits: {
    parameters: {
      query?: {
        /** Only payments that were accepted at this time or later. RFC 3339; without a zone it is UTC. */
        from?: string;
        /** Only payments that were accepted before this time. A date without a time means the whole day. RFC 3339; without a zone it is UTC. */
        to?: string;
        /** Only payments with this client reference. Not together with metadata or phoneNumber. */
        clientReferenceId?: string;
        /** Only payments with this value in their metadata: the whole value, whatever its name. Values marked as isPII are found only with the scope personal-data:read. */
        metadata?: string;
        /** Only payments of this phone number. It needs the scope personal-data:read. */
        phoneNumber?: string;
        /** Only this status. */
        status?: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
        /** Only this provider. */
        provider?: string;
        /** How many payments a page has at most: 1 to 100. */
        limit?: string;
        /** Where the page begins: `next` of the page before. Repeat the other parameters with it. */
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The deposits, the newest first, as status checks return them. Without the scope personal-data:read, personal data is masked. */
        readonly data: readonly {
          /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly depositId: string;
          /** COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who pays. */
          readonly payer: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the deposit was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: PAYMENT_NOT_APPROVED, INSUFFICIENT_BALANCE, PAYMENT_IN_PROGRESS, PAYER_NOT_FOUND, PAYER_LIMIT_REACHED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
          /** What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl. */
          readonly nextStep?: "FINAL_STATUS" | "GET_AUTH_URL" | "REDIRECT_TO_AUTH_URL";
          /** Where you send the customer to approve the payment. */
          readonly authorizationUrl?: string;
          /** Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
          readonly successfulUrl?: string;
          /** Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
          readonly failedUrl?: string;
        }[];
        /** The cursor of the next page. Left out on the last page. A page can have fewer payments than asked for, or none, and still be followed by another. */
        readonly next?: string;
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Asks a payer for money. The answer is an acknowledgement; the outcome comes by callback, or check the status. The identifier makes requests idempotent: one that was accepted is never processed again. */
  initiateDeposit: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly depositId: string;
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      /** Who pays. */
      readonly payer: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        /** The wallet. */
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider: string;
        };
      };
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      /** The one-time code of the customer. Required when the authType of the provider is PREAUTH. */
      readonly preAuthorisationCode?: string;
      /** Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
      readonly successfulUrl?: string;
      /** Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
      readonly failedUrl?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly depositId: string;
        /** ACCEPTED: the deposit will be processed. DUPLICATE_IGNORED: a deposit with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the deposit was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_PROVIDER, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
        /** What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl. */
        readonly nextStep?: "FINAL_STATUS" | "GET_AUTH_URL" | "REDIRECT_TO_AUTH_URL";
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that the deposit exists; its outcome is the status inside `data`. */
  getDeposit: {
    parameters: {
      path: {
        /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        depositId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the deposit exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly depositId: string;
          /** COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who pays. */
          readonly payer: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the deposit was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: PAYMENT_NOT_APPROVED, INSUFFICIENT_BALANCE, PAYMENT_IN_PROGRESS, PAYER_NOT_FOUND, PAYER_LIMIT_REACHED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
          /** What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl. */
          readonly nextStep?: "FINAL_STATUS" | "GET_AUTH_URL" | "REDIRECT_TO_AUTH_URL";
          /** Where you send the customer to approve the payment. */
          readonly authorizationUrl?: string;
          /** Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
          readonly successfulUrl?: string;
          /** Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
          readonly failedUrl?: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a deposit that is COMPLETED or FAILED, and where a callback URL is configured. No body. */
  resendDepositCallback: {
    parameters: {
      path: {
        /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        depositId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly depositId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** In pages, the newest first; filtered by time, and by at most one of client reference, metadata or phone number. An addition to the specification. */
  listPayouts: {
    parameters: {
      query?: {
        /** Only payments that were accepted at this time or later. RFC 3339; without a zone it is UTC. */
        from?: string;
        /** Only payments that were accepted before this time. A date without a time means the whole day. RFC 3339; without a zone it is UTC. */
        to?: string;
        /** Only payments with this client reference. Not together with metadata or phoneNumber. */
        clientReferenceId?: string;
        /** Only payments with this value in their metadata: the whole value, whatever its name. Values marked as isPII are found only with the scope personal-data:read. */
        metadata?: string;
        /** Only payments of this phone number. It needs the scope personal-data:read. */
        phoneNumber?: string;
        /** Only this status. */
        status?: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
        /** Only this provider. */
        provider?: string;
        /** How many payments a page has at most: 1 to 100. */
        limit?: string;
        /** Where the page begins: `next` of the page before. Repeat the other parameters with it. */
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The payouts, the newest first, as status checks return them. Without the scope personal-data:read, personal data is masked. */
        readonly data: readonly {
          /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly payoutId: string;
          /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who receives the money. */
          readonly recipient: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the payout was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        }[];
        /** The cursor of the next page. Left out on the last page. A page can have fewer payments than asked for, or none, and still be followed by another. */
        readonly next?: string;
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Sends money to a mobile wallet. The amount and its fee are reserved in your wallet, and released if the payout fails. The answer is an acknowledgement; the outcome comes by callback, or check the status. The identifier makes requests idempotent: one that was accepted is never processed again. */
  initiatePayout: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly payoutId: string;
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      /** Who receives the money. */
      readonly recipient: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        /** The wallet. */
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider: string;
        };
      };
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly payoutId: string;
        /** ACCEPTED: the payout will be processed. DUPLICATE_IGNORED: a payout with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the payout was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_PROVIDER, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE, WALLET_OUT_OF_FUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly payoutId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly payoutId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly payoutId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly payoutId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Each payout is answered for itself, in the order of the requests, and has its own callback. One request that does not fit its description refuses the whole list; the failure names its place, from zero: '[3].amount'. */
  initiatePayouts: {
    parameters: {};
    requestBody: { content: { 'application/json': readonly {
      /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly payoutId: string;
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      /** Who receives the money. */
      readonly recipient: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        /** The wallet. */
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider: string;
        };
      };
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    }[] } };
    responses: {
      200: { content: { 'application/json': readonly {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly payoutId: string;
        /** ACCEPTED: the payout will be processed. DUPLICATE_IGNORED: a payout with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the payout was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_PROVIDER, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE, WALLET_OUT_OF_FUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      }[] } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that the payout exists; its outcome is the status inside `data`. */
  getPayout: {
    parameters: {
      path: {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        payoutId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the payout exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly payoutId: string;
          /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who receives the money. */
          readonly recipient: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the payout was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a payout that is COMPLETED or FAILED, and where a callback URL is configured. No body. */
  resendPayoutCallback: {
    parameters: {
      path: {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        payoutId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly payoutId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a payout that is ENQUEUED. It ends FAILED with MANUALLY_CANCELLED, its money is available again, and its callback is sent. No body. */
  cancelEnqueuedPayout: {
    parameters: {
      path: {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        payoutId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly payoutId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** In pages, the newest first; filtered by time, and by at most one of client reference, metadata or phone number. An addition to the specification. */
  listRefunds: {
    parameters: {
      query?: {
        /** Only payments that were accepted at this time or later. RFC 3339; without a zone it is UTC. */
        from?: string;
        /** Only payments that were accepted before this time. A date without a time means the whole day. RFC 3339; without a zone it is UTC. */
        to?: string;
        /** Only payments with this client reference. Not together with metadata or phoneNumber. */
        clientReferenceId?: string;
        /** Only payments with this value in their metadata: the whole value, whatever its name. Values marked as isPII are found only with the scope personal-data:read. */
        metadata?: string;
        /** Only payments of this phone number. It needs the scope personal-data:read. */
        phoneNumber?: string;
        /** Only this status. */
        status?: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
        /** Only this provider. */
        provider?: string;
        /** How many payments a page has at most: 1 to 100. */
        limit?: string;
        /** Where the page begins: `next` of the page before. Repeat the other parameters with it. */
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The refunds, the newest first, as status checks return them. Without the scope personal-data:read, personal data is masked. */
        readonly data: readonly {
          /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly refundId: string;
          /** The deposit to refund. UUIDv4 text, compared without case and echoed as written. */
          readonly depositId: string;
          /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who gets the money back: the payer of the deposit. */
          readonly recipient: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the refund was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        }[];
        /** The cursor of the next page. Left out on the last page. A page can have fewer payments than asked for, or none, and still be followed by another. */
        readonly next?: string;
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Refunds a COMPLETED deposit to its payer, in full or in part; one refund of a deposit at a time. The amount and its fee are reserved in your wallet, and released if the refund fails. The answer is an acknowledgement; the outcome comes by callback, or check the status. The identifier makes requests idempotent: one that was accepted is never processed again. */
  initiateRefund: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly refundId: string;
      /** The deposit to refund. UUIDv4 text, compared without case and echoed as written. */
      readonly depositId: string;
      /** The amount to refund, as text. Default: all that remains of the deposit. */
      readonly amount?: string;
      /** The currency, an ISO 4217 code in upper case. It can only be that of the deposit. */
      readonly currency?: string;
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly refundId: string;
        /** ACCEPTED: the refund will be processed. DUPLICATE_IGNORED: a refund with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the refund was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE, INVALID_CURRENCY, REFUND_IN_PROGRESS, DEPOSIT_ALREADY_REFUNDED, AMOUNT_TOO_LARGE, INVALID_PROVIDER, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE, WALLET_OUT_OF_FUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly refundId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly refundId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly refundId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly refundId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that the refund exists; its outcome is the status inside `data`. */
  getRefund: {
    parameters: {
      path: {
        /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        refundId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the refund exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly refundId: string;
          /** The deposit to refund. UUIDv4 text, compared without case and echoed as written. */
          readonly depositId: string;
          /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who gets the money back: the payer of the deposit. */
          readonly recipient: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the refund was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a refund that is COMPLETED or FAILED, and where a callback URL is configured. No body. */
  resendRefundCallback: {
    parameters: {
      path: {
        /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        refundId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly refundId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a refund that is ENQUEUED. It ends FAILED with MANUALLY_CANCELLED, its money is available again, and its callback is sent. No body. */
  cancelEnqueuedRefund: {
    parameters: {
      path: {
        /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        refundId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly refundId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** In pages, the newest first; filtered by time, and by at most one of client reference, metadata or phone number. An addition to the specification. */
  listRemittances: {
    parameters: {
      query?: {
        /** Only payments that were accepted at this time or later. RFC 3339; without a zone it is UTC. */
        from?: string;
        /** Only payments that were accepted before this time. A date without a time means the whole day. RFC 3339; without a zone it is UTC. */
        to?: string;
        /** Only payments with this client reference. Not together with metadata or phoneNumber. */
        clientReferenceId?: string;
        /** Only payments with this value in their metadata: the whole value, whatever its name. Values marked as isPII are found only with the scope personal-data:read. */
        metadata?: string;
        /** Only payments of this phone number. It needs the scope personal-data:read. */
        phoneNumber?: string;
        /** Only this status. */
        status?: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
        /** Only this provider. */
        provider?: string;
        /** How many payments a page has at most: 1 to 100. */
        limit?: string;
        /** Where the page begins: `next` of the page before. Repeat the other parameters with it. */
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The remittances, the newest first, as status checks return them. Without the scope personal-data:read, personal data is masked. */
        readonly data: readonly {
          /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly remittanceId: string;
          /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who receives the money. */
          readonly recipient: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
            /** Who the recipient is. */
            readonly recipientDetails: {
              /** The first name of the recipient. */
              readonly firstName: string;
              /** The last name of the recipient. */
              readonly lastName: string;
            };
          };
          /** Who sends the money, and why. */
          readonly sender?: {
            /** The transfer as the sender asked for it. */
            readonly transactionDetails: {
              /** Your reference of what the sender asked for. */
              readonly transactionReference: string;
              /** What the sender paid, before exchange, as text in the form of an amount. */
              readonly originalAmount: string;
              /** The currency the sender paid in, an ISO 4217 code in upper case. */
              readonly originalCurrency: string;
              /** The exchange rate at which the money was bought, as a decimal text. */
              readonly buyFxRate: string;
              /** What the sender was charged for the transfer; 0 for nothing. */
              readonly senderFees: string;
              /** What the money is for. */
              readonly purposeOfFunds: "FAMILY_SUPPORT" | "MEDICAL_EXPENSES" | "TUITION_FEES" | "EDUCATION_SUPPORT" | "GIFT_AND_OTHER_DONATIONS" | "HOME_IMPROVEMENT" | "DEBT_SETTLEMENT" | "REAL_ESTATE" | "TAXES" | "SALARY" | "SAVINGS" | "PERSONAL_TRANSFER" | "OTHER";
              /** Where the money comes from. */
              readonly sourceOfFunds: "SALARY" | "SAVINGS" | "LOTTERY" | "LOAN" | "BUSINESS_INCOME" | "GIFT" | "OTHER";
            };
            /** Who the sender is. */
            readonly senderDetails: {
              /** The first name of the sender. */
              readonly firstName: string;
              /** The last name of the sender. */
              readonly lastName: string;
              /** The nationality, an ISO 3166-1 alpha-3 code in upper case. */
              readonly nationality: string;
              /** The phone number of the sender: digits only, with country code. */
              readonly phoneNumber: string;
              /** Where the sender lives. */
              readonly address: {
                /** Street and number. */
                readonly addressLine: string;
                /** The postal code; empty where the country has none. */
                readonly postalCode: string;
                /** The city. */
                readonly city: string;
                /** The country of residence, an ISO 3166-1 alpha-3 code in upper case. */
                readonly country: string;
              };
              /** The document that proves who the sender is. */
              readonly identification: {
                /** The kind of document. */
                readonly type: "NATIONAL_ID" | "PASSPORT" | "DRIVING_LICENSE" | "SOCIAL_SECURITY_ID" | "RESIDENCE_PERMIT";
                /** The number of the document. */
                readonly number: string;
              };
              /** The gender of the sender. */
              readonly gender?: "MALE" | "FEMALE" | "OTHER";
              /** The date of birth, YYYY-MM-DD. */
              readonly dateOfBirth?: string;
              /** The country of birth, an ISO 3166-1 alpha-3 code in upper case. */
              readonly placeOfBirth?: string;
              /** What the sender does for a living. */
              readonly occupation?: string;
              /** What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken. */
              readonly relationshipRecipient?: "FATHER" | "MOTHER" | "SON" | "DAUGHTER" | "BROTHER" | "SISTER" | "HUSBAND" | "WIFE" | "PARTNER" | "FRIEND" | "AUNT" | "UNCLE" | "COUSIN" | "NEPHEW" | "NIECE" | "GRANDFATHER" | "GRANDMOTHER" | "GRANDSON" | "GRANDDAUGHTER" | "STEPCHILD" | "DAUGHTER_IN_LAW" | "SON_IN_LAW" | "BORTHER_IN_LAW" | "BROTHER_IN_LAW" | "SISTER_IN_LAW" | "MOTHER_IN_LAW" | "GUARDIAN" | "SELF";
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** When the remittance was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        }[];
        /** The cursor of the next page. Left out on the last page. A page can have fewer payments than asked for, or none, and still be followed by another. */
        readonly next?: string;
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Sends another person's money to a mobile wallet, with details of sender and recipient. The amount and its fee are reserved in your wallet, and released if the remittance fails. The answer is an acknowledgement; the outcome comes by callback, or check the status. The identifier makes requests idempotent: one that was accepted is never processed again. */
  initiateRemittance: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly remittanceId: string;
      /** Who receives the money. */
      readonly recipient: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        /** The wallet. */
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider: string;
        };
        /** Who the recipient is. */
        readonly recipientDetails: {
          /** The first name of the recipient. */
          readonly firstName: string;
          /** The last name of the recipient. */
          readonly lastName: string;
        };
      };
      /** Who sends the money, and why. */
      readonly sender: {
        /** The transfer as the sender asked for it. */
        readonly transactionDetails: {
          /** Your reference of what the sender asked for. */
          readonly transactionReference: string;
          /** What the sender paid, before exchange, as text in the form of an amount. */
          readonly originalAmount: string;
          /** The currency the sender paid in, an ISO 4217 code in upper case. */
          readonly originalCurrency: string;
          /** The exchange rate at which the money was bought, as a decimal text. */
          readonly buyFxRate: string;
          /** What the sender was charged for the transfer; 0 for nothing. */
          readonly senderFees: string;
          /** What the money is for. */
          readonly purposeOfFunds: "FAMILY_SUPPORT" | "MEDICAL_EXPENSES" | "TUITION_FEES" | "EDUCATION_SUPPORT" | "GIFT_AND_OTHER_DONATIONS" | "HOME_IMPROVEMENT" | "DEBT_SETTLEMENT" | "REAL_ESTATE" | "TAXES" | "SALARY" | "SAVINGS" | "PERSONAL_TRANSFER" | "OTHER";
          /** Where the money comes from. */
          readonly sourceOfFunds: "SALARY" | "SAVINGS" | "LOTTERY" | "LOAN" | "BUSINESS_INCOME" | "GIFT" | "OTHER";
        };
        /** Who the sender is. */
        readonly senderDetails: {
          /** The first name of the sender. */
          readonly firstName: string;
          /** The last name of the sender. */
          readonly lastName: string;
          /** The nationality, an ISO 3166-1 alpha-3 code in upper case. */
          readonly nationality: string;
          /** The phone number of the sender: digits only, with country code. */
          readonly phoneNumber: string;
          /** Where the sender lives. */
          readonly address: {
            /** Street and number. */
            readonly addressLine: string;
            /** The postal code; empty where the country has none. */
            readonly postalCode: string;
            /** The city. */
            readonly city: string;
            /** The country of residence, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
          };
          /** The document that proves who the sender is. */
          readonly identification: {
            /** The kind of document. */
            readonly type: "NATIONAL_ID" | "PASSPORT" | "DRIVING_LICENSE" | "SOCIAL_SECURITY_ID" | "RESIDENCE_PERMIT";
            /** The number of the document. */
            readonly number: string;
          };
          /** The gender of the sender. */
          readonly gender?: "MALE" | "FEMALE" | "OTHER";
          /** The date of birth, YYYY-MM-DD. */
          readonly dateOfBirth?: string;
          /** The country of birth, an ISO 3166-1 alpha-3 code in upper case. */
          readonly placeOfBirth?: string;
          /** What the sender does for a living. */
          readonly occupation?: string;
          /** What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken. */
          readonly relationshipRecipient?: "FATHER" | "MOTHER" | "SON" | "DAUGHTER" | "BROTHER" | "SISTER" | "HUSBAND" | "WIFE" | "PARTNER" | "FRIEND" | "AUNT" | "UNCLE" | "COUSIN" | "NEPHEW" | "NIECE" | "GRANDFATHER" | "GRANDMOTHER" | "GRANDSON" | "GRANDDAUGHTER" | "STEPCHILD" | "DAUGHTER_IN_LAW" | "SON_IN_LAW" | "BORTHER_IN_LAW" | "BROTHER_IN_LAW" | "SISTER_IN_LAW" | "MOTHER_IN_LAW" | "GUARDIAN" | "SELF";
        };
      };
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly remittanceId: string;
        /** ACCEPTED: the remittance will be processed. DUPLICATE_IGNORED: a remittance with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the remittance was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_PROVIDER, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE, WALLET_OUT_OF_FUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly remittanceId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly remittanceId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly remittanceId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly remittanceId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Each remittance is answered for itself, in the order of the requests, and has its own callback. One request that does not fit its description refuses the whole list; the failure names its place, from zero: '[3].amount'. */
  initiateRemittances: {
    parameters: {};
    requestBody: { content: { 'application/json': readonly {
      /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly remittanceId: string;
      /** Who receives the money. */
      readonly recipient: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        /** The wallet. */
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider: string;
        };
        /** Who the recipient is. */
        readonly recipientDetails: {
          /** The first name of the recipient. */
          readonly firstName: string;
          /** The last name of the recipient. */
          readonly lastName: string;
        };
      };
      /** Who sends the money, and why. */
      readonly sender: {
        /** The transfer as the sender asked for it. */
        readonly transactionDetails: {
          /** Your reference of what the sender asked for. */
          readonly transactionReference: string;
          /** What the sender paid, before exchange, as text in the form of an amount. */
          readonly originalAmount: string;
          /** The currency the sender paid in, an ISO 4217 code in upper case. */
          readonly originalCurrency: string;
          /** The exchange rate at which the money was bought, as a decimal text. */
          readonly buyFxRate: string;
          /** What the sender was charged for the transfer; 0 for nothing. */
          readonly senderFees: string;
          /** What the money is for. */
          readonly purposeOfFunds: "FAMILY_SUPPORT" | "MEDICAL_EXPENSES" | "TUITION_FEES" | "EDUCATION_SUPPORT" | "GIFT_AND_OTHER_DONATIONS" | "HOME_IMPROVEMENT" | "DEBT_SETTLEMENT" | "REAL_ESTATE" | "TAXES" | "SALARY" | "SAVINGS" | "PERSONAL_TRANSFER" | "OTHER";
          /** Where the money comes from. */
          readonly sourceOfFunds: "SALARY" | "SAVINGS" | "LOTTERY" | "LOAN" | "BUSINESS_INCOME" | "GIFT" | "OTHER";
        };
        /** Who the sender is. */
        readonly senderDetails: {
          /** The first name of the sender. */
          readonly firstName: string;
          /** The last name of the sender. */
          readonly lastName: string;
          /** The nationality, an ISO 3166-1 alpha-3 code in upper case. */
          readonly nationality: string;
          /** The phone number of the sender: digits only, with country code. */
          readonly phoneNumber: string;
          /** Where the sender lives. */
          readonly address: {
            /** Street and number. */
            readonly addressLine: string;
            /** The postal code; empty where the country has none. */
            readonly postalCode: string;
            /** The city. */
            readonly city: string;
            /** The country of residence, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
          };
          /** The document that proves who the sender is. */
          readonly identification: {
            /** The kind of document. */
            readonly type: "NATIONAL_ID" | "PASSPORT" | "DRIVING_LICENSE" | "SOCIAL_SECURITY_ID" | "RESIDENCE_PERMIT";
            /** The number of the document. */
            readonly number: string;
          };
          /** The gender of the sender. */
          readonly gender?: "MALE" | "FEMALE" | "OTHER";
          /** The date of birth, YYYY-MM-DD. */
          readonly dateOfBirth?: string;
          /** The country of birth, an ISO 3166-1 alpha-3 code in upper case. */
          readonly placeOfBirth?: string;
          /** What the sender does for a living. */
          readonly occupation?: string;
          /** What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken. */
          readonly relationshipRecipient?: "FATHER" | "MOTHER" | "SON" | "DAUGHTER" | "BROTHER" | "SISTER" | "HUSBAND" | "WIFE" | "PARTNER" | "FRIEND" | "AUNT" | "UNCLE" | "COUSIN" | "NEPHEW" | "NIECE" | "GRANDFATHER" | "GRANDMOTHER" | "GRANDSON" | "GRANDDAUGHTER" | "STEPCHILD" | "DAUGHTER_IN_LAW" | "SON_IN_LAW" | "BORTHER_IN_LAW" | "BROTHER_IN_LAW" | "SISTER_IN_LAW" | "MOTHER_IN_LAW" | "GUARDIAN" | "SELF";
        };
      };
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    }[] } };
    responses: {
      200: { content: { 'application/json': readonly {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly remittanceId: string;
        /** ACCEPTED: the remittance will be processed. DUPLICATE_IGNORED: a remittance with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the remittance was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_PROVIDER, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE, WALLET_OUT_OF_FUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      }[] } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that the remittance exists; its outcome is the status inside `data`. */
  getRemittance: {
    parameters: {
      path: {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        remittanceId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the remittance exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly remittanceId: string;
          /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who receives the money. */
          readonly recipient: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
            /** Who the recipient is. */
            readonly recipientDetails: {
              /** The first name of the recipient. */
              readonly firstName: string;
              /** The last name of the recipient. */
              readonly lastName: string;
            };
          };
          /** Who sends the money, and why. */
          readonly sender: {
            /** The transfer as the sender asked for it. */
            readonly transactionDetails: {
              /** Your reference of what the sender asked for. */
              readonly transactionReference: string;
              /** What the sender paid, before exchange, as text in the form of an amount. */
              readonly originalAmount: string;
              /** The currency the sender paid in, an ISO 4217 code in upper case. */
              readonly originalCurrency: string;
              /** The exchange rate at which the money was bought, as a decimal text. */
              readonly buyFxRate: string;
              /** What the sender was charged for the transfer; 0 for nothing. */
              readonly senderFees: string;
              /** What the money is for. */
              readonly purposeOfFunds: "FAMILY_SUPPORT" | "MEDICAL_EXPENSES" | "TUITION_FEES" | "EDUCATION_SUPPORT" | "GIFT_AND_OTHER_DONATIONS" | "HOME_IMPROVEMENT" | "DEBT_SETTLEMENT" | "REAL_ESTATE" | "TAXES" | "SALARY" | "SAVINGS" | "PERSONAL_TRANSFER" | "OTHER";
              /** Where the money comes from. */
              readonly sourceOfFunds: "SALARY" | "SAVINGS" | "LOTTERY" | "LOAN" | "BUSINESS_INCOME" | "GIFT" | "OTHER";
            };
            /** Who the sender is. */
            readonly senderDetails: {
              /** The first name of the sender. */
              readonly firstName: string;
              /** The last name of the sender. */
              readonly lastName: string;
              /** The nationality, an ISO 3166-1 alpha-3 code in upper case. */
              readonly nationality: string;
              /** The phone number of the sender: digits only, with country code. */
              readonly phoneNumber: string;
              /** Where the sender lives. */
              readonly address: {
                /** Street and number. */
                readonly addressLine: string;
                /** The postal code; empty where the country has none. */
                readonly postalCode: string;
                /** The city. */
                readonly city: string;
                /** The country of residence, an ISO 3166-1 alpha-3 code in upper case. */
                readonly country: string;
              };
              /** The document that proves who the sender is. */
              readonly identification: {
                /** The kind of document. */
                readonly type: "NATIONAL_ID" | "PASSPORT" | "DRIVING_LICENSE" | "SOCIAL_SECURITY_ID" | "RESIDENCE_PERMIT";
                /** The number of the document. */
                readonly number: string;
              };
              /** The gender of the sender. */
              readonly gender?: "MALE" | "FEMALE" | "OTHER";
              /** The date of birth, YYYY-MM-DD. */
              readonly dateOfBirth?: string;
              /** The country of birth, an ISO 3166-1 alpha-3 code in upper case. */
              readonly placeOfBirth?: string;
              /** What the sender does for a living. */
              readonly occupation?: string;
              /** What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken. */
              readonly relationshipRecipient?: "FATHER" | "MOTHER" | "SON" | "DAUGHTER" | "BROTHER" | "SISTER" | "HUSBAND" | "WIFE" | "PARTNER" | "FRIEND" | "AUNT" | "UNCLE" | "COUSIN" | "NEPHEW" | "NIECE" | "GRANDFATHER" | "GRANDMOTHER" | "GRANDSON" | "GRANDDAUGHTER" | "STEPCHILD" | "DAUGHTER_IN_LAW" | "SON_IN_LAW" | "BORTHER_IN_LAW" | "BROTHER_IN_LAW" | "SISTER_IN_LAW" | "MOTHER_IN_LAW" | "GUARDIAN" | "SELF";
            };
          };
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** When the remittance was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a remittance that is COMPLETED or FAILED, and where a callback URL is configured. No body. */
  resendRemittanceCallback: {
    parameters: {
      path: {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        remittanceId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly remittanceId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only for a remittance that is ENQUEUED. It ends FAILED with MANUALLY_CANCELLED, its money is available again, and its callback is sent. No body. */
  cancelEnqueuedRemittance: {
    parameters: {
      path: {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        remittanceId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly remittanceId: string;
        /** ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: NOT_FOUND, INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Collects money from a payer, then pays the shares out. The collection is a deposit with the same identifier, and each share is a payout; each has its own status check and callback. */
  initiateSplitPayment: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the split payment and of the deposit that collects it. You choose it; store it before you send. UUIDv4 text, compared without case and echoed as written. */
      readonly splitPaymentId: string;
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      /** Who pays. */
      readonly payer: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        /** The wallet. */
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider: string;
        };
      };
      /** The shares. With their fees they come to no more than the amount; the rest stays in your wallet. */
      readonly splits: readonly {
        /** The identifier of the payout this share becomes. You choose it. UUIDv4 text, compared without case and echoed as written. */
        readonly payoutId: string;
        /** The amount of the share, in the form of an amount. */
        readonly amount: string;
        /** Who gets this share. */
        readonly recipient: {
          /** The kind of account: mobile money. */
          readonly type: "MMO";
          /** The wallet. */
          readonly accountDetails: {
            /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
            readonly phoneNumber: string;
            /** The code of the mobile-money provider, as the active configuration lists it. */
            readonly provider: string;
          };
        };
        /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
        readonly customerMessage?: string;
        /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
        readonly metadata?: readonly {
          /** Whether the value is personal data, to be shown only where it must be. */
          readonly isPII?: boolean;
        }[];
      }[];
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      /** The one-time code of the customer. Required when the authType of the provider is PREAUTH. */
      readonly preAuthorisationCode?: string;
      /** Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
      readonly successfulUrl?: string;
      /** Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
      readonly failedUrl?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the split payment and of the deposit that collects it. You choose it; store it before you send. UUIDv4 text, compared without case and echoed as written. */
        readonly splitPaymentId: string;
        /** ACCEPTED: the split payment will be processed. DUPLICATE_IGNORED: a split payment with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the split payment was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: PAYOUT_EXCEEDS_DEPOSIT, DUPLICATE_IDENTIFIER, INVALID_PROVIDER, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, PROVIDER_TEMPORARILY_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
        /** What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl. */
        readonly nextStep?: "FINAL_STATUS" | "GET_AUTH_URL" | "REDIRECT_TO_AUTH_URL";
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly splitPaymentId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly splitPaymentId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly splitPaymentId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly splitPaymentId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that it exists; its outcome is the status inside `data`. */
  getSplitPayment: {
    parameters: {
      path: {
        /** The identifier of the split payment and of the deposit that collects it. You choose it; store it before you send. UUIDv4 text, compared without case and echoed as written. */
        splitPaymentId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the split payment exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the split payment and of the deposit that collects it. You choose it; store it before you send. UUIDv4 text, compared without case and echoed as written. */
          readonly splitPaymentId: string;
          /** COMPLETED: all shares were paid. PAYOUT_FAILED: the money was collected, and at least one share failed. FAILED: the money was not collected. These three are final. */
          readonly status: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "PAYOUT_FAILED" | "FAILED";
          /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
          readonly amount: string;
          /** The currency, an ISO 4217 code in upper case. The provider must support it. */
          readonly currency: string;
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** Who pays. */
          readonly payer: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            /** The wallet. */
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider: string;
            };
          };
          readonly splits: readonly {
            /** The payout this share is or becomes. It has a status check and a callback of its own. UUIDv4 text, compared without case and echoed as written. */
            readonly payoutId: string;
            /** ACCEPTED until the money is collected; FAILED with the collection. */
            readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount of the share, in the form of an amount. */
            readonly amount: string;
            /** Who gets this share. */
            readonly recipient: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
            };
          }[];
          /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
          readonly customerMessage: string;
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** When the split payment was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The provider's own identifier, if it gave one. */
          readonly providerTransactionId?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: PAYMENT_NOT_APPROVED, INSUFFICIENT_BALANCE, PAYMENT_IN_PROGRESS, PAYER_NOT_FOUND, PAYER_LIMIT_REACHED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
          /** What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl. */
          readonly nextStep?: "FINAL_STATUS" | "GET_AUTH_URL" | "REDIRECT_TO_AUTH_URL";
          /** Where you send the customer to approve the payment. */
          readonly authorizationUrl?: string;
          /** Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
          readonly successfulUrl?: string;
          /** Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
          readonly failedUrl?: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Returns a URL for your customer. There is one attempt, and the deposit exists once the customer presses Pay. Until then, a request with the same identifier replaces the page. */
  openPaymentPage: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the deposit that begins when the customer presses Pay. You choose it. UUIDv4 text, compared without case and echoed as written. */
      readonly depositId: string;
      /** Where the customer returns to, with `depositId` in the query. An https URL; the sandbox takes http too. */
      readonly returnUrl: string;
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** How much, fixed. Without it, the customer enters the amount. */
      readonly amountDetails?: {
        /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
        readonly amount: string;
        /** The currency, an ISO 4217 code in upper case. The provider must support it. */
        readonly currency: string;
      };
      /** The wallet that pays, fixed. Without it, the customer enters the number. */
      readonly phoneNumber?: string;
      /** The page's language until the customer chooses another. Without it, the browser says. */
      readonly language?: "EN" | "FR";
      /** Only wallets of this country can pay. Without it, those of every country of your account. */
      readonly country?: string;
      /** What the customer pays for, shown on the page. */
      readonly reason?: string;
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the deposit that begins when the customer presses Pay. You choose it. UUIDv4 text, compared without case and echoed as written. */
        readonly depositId: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_STATE, INVALID_COUNTRY, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      201: { content: { 'application/json': {
        /** Where you send the customer. */
        readonly redirectUrl: string;
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly depositId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Returns a URL for your customer. Each attempt there is a deposit with an identifier of ours, and only one can succeed. The callback comes when the checkout has ended. */
  openCheckout: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
      readonly checkoutId: string;
      /** Where the customer returns to, with `checkoutId` and `checkoutCode` in the query. An https URL; the sandbox takes http too. */
      readonly returnUrl: string;
      /** How the customer returns once the checkout has ended. INSTANT (the default): at once. COUNTDOWN: after a few seconds. CUSTOMER_ACTION: by pressing a button. */
      readonly returnMethod?: "INSTANT" | "COUNTDOWN" | "CUSTOMER_ACTION";
      /** The page's language until the customer chooses another. Without it, the browser says. */
      readonly defaultLanguage?: "en" | "fr";
      /** Only wallets of these countries can pay. Without it, those of every country of your account. */
      readonly countries?: readonly string[];
      /** For how many minutes the customer can start to pay; 15 when left out. */
      readonly expiresAfter?: number;
      /** How much, by country and currency; others cannot pay. Without it, the customer enters the amount. */
      readonly amounts?: readonly {
        /** The country. */
        readonly country: string;
        /** The currency, an ISO 4217 code in upper case. The provider must support it. */
        readonly currency: string;
        /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
        readonly amount: string;
      }[];
      /** The wallet that pays, as far as you know it. */
      readonly payer?: {
        /** The kind of account: mobile money. */
        readonly type: "MMO";
        readonly accountDetails: {
          /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
          readonly phoneNumber?: string;
          /** The code of the mobile-money provider, as the active configuration lists it. */
          readonly provider?: string;
          /** Whether the customer may pay from another wallet. */
          readonly allowCustomerToOverride: boolean;
        };
      };
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      /** What the customer pays for, by language. It is the customerMessage of the attempts too. */
      readonly reason?: {
        /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
        readonly en?: string;
        /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
        readonly fr?: string;
      };
      /** Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, in statements, in status checks and in callbacks. */
      readonly metadata?: readonly {
        /** Whether the value is personal data, to be shown only where it must be. */
        readonly isPII?: boolean;
      }[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly checkoutId: string;
        /** ACCEPTED: the checkout will be processed. DUPLICATE_IGNORED: a checkout with this identifier was accepted before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free. */
        readonly status: "ACCEPTED" | "DUPLICATE_IGNORED" | "REJECTED";
        /** When the checkout was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_PROVIDER, INVALID_COUNTRY, INVALID_PHONE_NUMBER, INVALID_CURRENCY, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
        /** Where you send the customer. */
        readonly redirectUrl?: string;
        /** Until when the customer can start to pay. RFC 3339 in UTC, always with milliseconds. */
        readonly expiresAt?: string;
        /** The last part of redirectUrl: 18 letters and digits. Anyone who knows it can open the page. */
        readonly checkoutCode?: string;
      } } };
      400: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly checkoutId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly checkoutId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly checkoutId?: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** The identifier as you sent it; left out when the body could not be read or holds none of at most 36 characters. */
        readonly checkoutId?: string;
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that it exists; its outcome is the status inside `data`. */
  getCheckout: {
    parameters: {
      path: {
        /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        checkoutId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the checkout exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
          readonly checkoutId: string;
          /** WAITING_PAYMENT: the customer can pay. PROCESSING: an attempt runs. COMPLETED: one succeeded. FAILED: the attempt at the time limit failed. EXPIRED: the time limit passed, or you ended it. CANCELLED: the customer gave up. The last four are final. */
          readonly status: "WAITING_PAYMENT" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED" | "CANCELLED";
          /** Where you send the customer. */
          readonly redirectUrl: string;
          /** Until when the customer can start to pay. RFC 3339 in UTC, always with milliseconds. */
          readonly expiresAt: string;
          /** The last part of redirectUrl: 18 letters and digits. Anyone who knows it can open the page. */
          readonly checkoutCode: string;
          /** When the checkout was accepted. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** Where the customer returns to, with `checkoutId` and `checkoutCode` in the query. An https URL; the sandbox takes http too. */
          readonly returnUrl: string;
          /** How the customer returns once the checkout has ended. INSTANT (the default): at once. COUNTDOWN: after a few seconds. CUSTOMER_ACTION: by pressing a button. */
          readonly returnMethod: "INSTANT" | "COUNTDOWN" | "CUSTOMER_ACTION";
          /** The page's language until the customer chooses another. Without it, the browser says. */
          readonly defaultLanguage?: "en" | "fr";
          /** Only wallets of these countries can pay. Without it, those of every country of your account. */
          readonly countries?: readonly string[];
          /** For how many minutes the customer can start to pay; 15 when left out. */
          readonly expiresAfter: number;
          /** How much, by country and currency; others cannot pay. Without it, the customer enters the amount. */
          readonly amounts?: readonly {
            /** The country. */
            readonly country: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
          }[];
          /** The wallet that pays, as far as you know it. */
          readonly payer?: {
            /** The kind of account: mobile money. */
            readonly type: "MMO";
            readonly accountDetails: {
              /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
              readonly phoneNumber?: string;
              /** The code of the mobile-money provider, as the active configuration lists it. */
              readonly provider?: string;
              /** Whether the customer may pay from another wallet. */
              readonly allowCustomerToOverride: boolean;
            };
          };
          /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
          readonly clientReferenceId?: string;
          /** What the customer pays for, by language. It is the customerMessage of the attempts too. */
          readonly reason?: {
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly en?: string;
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly fr?: string;
          };
          /** The provider's own identifier of the latest attempt, if it gave one. */
          readonly providerTransactionId?: string;
          /** COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
          readonly depositStatus?: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly deposit?: {
            /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
            readonly depositId: string;
            /** COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
            readonly status: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
            /** Who pays. */
            readonly payer: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
            };
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly customerMessage: string;
            /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
            readonly clientReferenceId?: string;
            /** When the deposit was accepted. RFC 3339 in UTC, always with milliseconds. */
            readonly created: string;
            /** The provider's own identifier, if it gave one. */
            readonly providerTransactionId?: string;
            /** Why it failed. */
            readonly failureReason?: {
              /** For programs. Known codes: PAYMENT_NOT_APPROVED, INSUFFICIENT_BALANCE, PAYMENT_IN_PROGRESS, PAYER_NOT_FOUND, PAYER_LIMIT_REACHED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
              readonly failureCode: string;
              /** For people: developers, not customers. */
              readonly failureMessage: string;
            };
            /** The metadata given on initiation, as one object of names and values. */
            readonly metadata?: { readonly [name: string]: string };
          };
          /** Every attempt, the first one first. Each is also a deposit that can be read by itself. */
          readonly depositsHistory: readonly {
            /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
            readonly depositId: string;
            /** COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
            readonly status: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
            /** Who pays. */
            readonly payer: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
            };
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly customerMessage: string;
            /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
            readonly clientReferenceId?: string;
            /** When the deposit was accepted. RFC 3339 in UTC, always with milliseconds. */
            readonly created: string;
            /** The provider's own identifier, if it gave one. */
            readonly providerTransactionId?: string;
            /** Why it failed. */
            readonly failureReason?: {
              /** For programs. Known codes: PAYMENT_NOT_APPROVED, INSUFFICIENT_BALANCE, PAYMENT_IN_PROGRESS, PAYER_NOT_FOUND, PAYER_LIMIT_REACHED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
              readonly failureCode: string;
              /** For people: developers, not customers. */
              readonly failureMessage: string;
            };
            /** The metadata given on initiation, as one object of names and values. */
            readonly metadata?: { readonly [name: string]: string };
          }[];
          /** The metadata given on initiation, as one object of names and values. */
          readonly metadata?: { readonly [name: string]: string };
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Only while no attempt runs: no one can pay from then on. No body. */
  expireCheckout: {
    parameters: {
      path: {
        /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        checkoutId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly checkoutId: string;
        /** EXPIRED: no one can pay any more. REJECTED: nothing was done, for the reason given. */
        readonly status: "EXPIRED" | "REJECTED";
        /** When you ended it. RFC 3339 in UTC, always with milliseconds. */
        readonly expiredAt?: string;
        readonly reason?: "MANUAL_EXPIRY";
        readonly expiredBy?: "API";
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_STATE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      404: { content: { 'application/json': {
        /** The identifier of the checkout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
        readonly checkoutId: string;
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: NOT_FOUND. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Countries, providers and currencies with the limits, decimals and availability of each type of operation, and what payers have to do to approve a deposit. */
  getActiveConfiguration: {
    parameters: {
      query?: {
        /** Only this country: an ISO 3166-1 alpha-3 code in upper case. */
        country?: string;
        /** Only this type of operation. */
        operationType?: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "PUSH_DEPOSIT" | "NAME_LOOKUP";
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The name of your account. */
        readonly companyName: string;
        readonly signatureConfiguration: {
          /** Whether unsigned requests to start payments are refused. */
          readonly signedRequestsOnly: boolean;
          /** Whether callbacks are signed. They always are. */
          readonly signedCallbacks: boolean;
        };
        readonly countries: readonly {
          /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
          readonly country: string;
          /** The name of the country. In English and French. */
          readonly displayName: {
            readonly en: string;
            readonly fr: string;
          };
          /** The dial code, digits only. */
          readonly prefix: string;
          /** A badge for the country. An SVG image; you may keep it. */
          readonly flag: string;
          readonly providers: readonly {
            /** The code of the mobile-money provider in one country, as payments name it. */
            readonly provider: string;
            /** The name that the payer sees. */
            readonly nameDisplayedToCustomer?: string;
            /** What people call the provider. */
            readonly displayName: string;
            /** A badge for the provider. An SVG image; you may keep it. */
            readonly logo: string;
            readonly currencies: readonly {
              /** A currency the provider takes: ISO 4217. */
              readonly currency: string;
              /** The currency symbol. */
              readonly displayName: string;
              /** The types of operation that are active on your account. */
              readonly operationTypes: {
                readonly DEPOSIT?: {
                  /** The smallest amount of one payment. */
                  readonly minAmount: string;
                  /** The largest amount of one payment. */
                  readonly maxAmount: string;
                  /** How many decimal places the provider takes in an amount: none, or up to two. */
                  readonly decimalsInAmount: "NONE" | "TWO_PLACES";
                  /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
                  readonly status: "OPERATIONAL" | "DELAYED" | "CLOSED";
                  /** Where callbacks of this type go; absent when you have set no address. */
                  readonly callbackUrl?: string;
                  /** How the payer approves. PROVIDER_AUTH: by PIN on the phone. PREAUTH: with a one-time code that you send as preAuthorisationCode. REDIRECT_AUTH: on a page of the provider. */
                  readonly authType: "PROVIDER_AUTH" | "PREAUTH" | "REDIRECT_AUTH";
                  /** Only with PROVIDER_AUTH. AUTOMATIC: the prompt comes to the phone. MANUAL: the payer has to follow pinPromptInstructions; show them at once. */
                  readonly pinPrompt?: "AUTOMATIC" | "MANUAL";
                  /** Only with PROVIDER_AUTH. Whether a payer who missed the prompt can call it up again by following pinPromptInstructions; show them after some seconds. */
                  readonly pinPromptRevivable?: boolean;
                  /** How the payer gets to the prompt, where known. */
                  readonly pinPromptInstructions?: {
                    /** The ways to do it; the payer needs one. */
                    readonly channels: readonly {
                      /** By dialling, or in the app of the provider. */
                      readonly type: "USSD" | "APP";
                      /** What to write above the steps. In English and French. */
                      readonly displayName: {
                        readonly en: string;
                        readonly fr: string;
                      };
                      /** What to dial to get straight to the waiting payments. Put `tel:` in front for a link. */
                      readonly quickLink?: string;
                      /** The variables of the templates by name. */
                      readonly variables: { readonly [name: string]: string };
                      /** The steps, in order. */
                      readonly instructions: {
                        readonly en: readonly {
                          /** What the payer does. */
                          readonly text: string;
                          /** The same with the names of variables in double braces, for markup of your own. */
                          readonly template: string;
                        }[];
                        readonly fr: readonly {
                          /** What the payer does. */
                          readonly text: string;
                          /** The same with the names of variables in double braces, for markup of your own. */
                          readonly template: string;
                        }[];
                      };
                    }[];
                  };
                  /** Only with PREAUTH: how the payer makes the one-time code. */
                  readonly authTokenInstructions?: {
                    /** The ways to do it; the payer needs one. */
                    readonly channels: readonly {
                      /** By dialling, or in the app of the provider. */
                      readonly type: "USSD" | "APP";
                      /** What to write above the steps. In English and French. */
                      readonly displayName: {
                        readonly en: string;
                        readonly fr: string;
                      };
                      /** What to dial to get straight to the waiting payments. Put `tel:` in front for a link. */
                      readonly quickLink?: string;
                      /** The variables of the templates by name. */
                      readonly variables: { readonly [name: string]: string };
                      /** The steps, in order. */
                      readonly instructions: {
                        readonly en: readonly {
                          /** What the payer does. */
                          readonly text: string;
                          /** The same with the names of variables in double braces, for markup of your own. */
                          readonly template: string;
                        }[];
                        readonly fr: readonly {
                          /** What the payer does. */
                          readonly text: string;
                          /** The same with the names of variables in double braces, for markup of your own. */
                          readonly template: string;
                        }[];
                      };
                    }[];
                  };
                };
                readonly PAYOUT?: {
                  /** The smallest amount of one payment. */
                  readonly minAmount: string;
                  /** The largest amount of one payment. */
                  readonly maxAmount: string;
                  /** How many decimal places the provider takes in an amount: none, or up to two. */
                  readonly decimalsInAmount: "NONE" | "TWO_PLACES";
                  /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
                  readonly status: "OPERATIONAL" | "DELAYED" | "CLOSED";
                  /** Where callbacks of this type go; absent when you have set no address. */
                  readonly callbackUrl?: string;
                };
                readonly REFUND?: {
                  /** The smallest amount of one payment. */
                  readonly minAmount: string;
                  /** The largest amount of one payment. */
                  readonly maxAmount: string;
                  /** How many decimal places the provider takes in an amount: none, or up to two. */
                  readonly decimalsInAmount: "NONE" | "TWO_PLACES";
                  /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
                  readonly status: "OPERATIONAL" | "DELAYED" | "CLOSED";
                  /** Where callbacks of this type go; absent when you have set no address. */
                  readonly callbackUrl?: string;
                };
                readonly REMITTANCE?: {
                  /** The smallest amount of one payment. */
                  readonly minAmount: string;
                  /** The largest amount of one payment. */
                  readonly maxAmount: string;
                  /** How many decimal places the provider takes in an amount: none, or up to two. */
                  readonly decimalsInAmount: "NONE" | "TWO_PLACES";
                  /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
                  readonly status: "OPERATIONAL" | "DELAYED" | "CLOSED";
                  /** Where callbacks of this type go; absent when you have set no address. */
                  readonly callbackUrl?: string;
                };
              };
            }[];
          }[];
        }[];
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** The providers that are active on your account. A change is seen within ten seconds. */
  getAvailability: {
    parameters: {
      query?: {
        /** Only this country: an ISO 3166-1 alpha-3 code in upper case. */
        country?: string;
        /** Only this type of operation. */
        operationType?: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "PUSH_DEPOSIT" | "NAME_LOOKUP";
      };
    };
    responses: {
      200: { content: { 'application/json': readonly {
        /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
        readonly country: string;
        readonly providers: readonly {
          /** The code of the mobile-money provider in one country, as payments name it. */
          readonly provider: string;
          /** The availability of each type of operation that is active on your account. */
          readonly operationTypes: {
            /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
            readonly DEPOSIT?: "OPERATIONAL" | "DELAYED" | "CLOSED";
            /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
            readonly PAYOUT?: "OPERATIONAL" | "DELAYED" | "CLOSED";
            /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
            readonly REFUND?: "OPERATIONAL" | "DELAYED" | "CLOSED";
            /** OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; deposits are rejected. CLOSED: everything is rejected. */
            readonly REMITTANCE?: "OPERATIONAL" | "DELAYED" | "CLOSED";
          };
        }[];
      }[] } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Normalises a phone number and predicts its country and provider, active on your account or not. A number that cannot be resolved is answered 400 INVALID_PARAMETER. */
  predictProvider: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** The number as your customer wrote it, with country code. A plus, spaces, punctuation, letters and a zero that does not belong after the country code are removed. */
      readonly phoneNumber: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
        readonly country: string;
        /** The code of the mobile-money provider in one country, as payments name it. */
        readonly provider: string;
        /** The number in the form that payments take. */
        readonly phoneNumber: string;
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** They verify signed callbacks, and signed answers if you request them. Cache the keys, and read them again when a signature names an unknown one. */
  getPublicKeys: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': readonly {
        /** What signatures name the key by, as keyid. */
        readonly id: string;
        /** The public key in PEM form, with its line breaks. */
        readonly key: string;
      }[] } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** What you can spend now: money that payments in progress have reserved is not in it. */
  getWalletBalances: {
    parameters: {
      query?: {
        /** Only this country: an ISO 3166-1 alpha-3 code in upper case. */
        country?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** One entry for each wallet, by country, currency and provider. */
        readonly balances: readonly {
          /** The country of the wallet: ISO 3166-1 alpha-3. */
          readonly country: string;
          /** What you can spend, always with two decimals. What payments in progress have reserved is not in it. */
          readonly balance: string;
          /** The currency of the wallet: ISO 4217. */
          readonly currency: string;
          /** Empty when the wallet serves all providers of the country; otherwise its provider. */
          readonly provider: string;
        }[];
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** A CSV file with the opening and closing balance and every movement with its fee. It is created in the background, and a callback is sent when it is ready. Two requests create two files. */
  requestStatement: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** One of your wallets, named as in the wallet balances. */
      readonly wallet: {
        /** The country of the wallet: ISO 3166-1 alpha-3. */
        readonly country: string;
        /** The currency of the wallet: ISO 4217. */
        readonly currency: string;
        /** Only where your account keeps a wallet for each provider; as in the wallet balances, empty otherwise. */
        readonly provider?: string;
      };
      /** Where the callback is sent when the file is ready. An https URL; the sandbox takes http too. */
      readonly callbackUrl: string;
      /** The time of the opening balance: movements from here on are listed. RFC 3339; without a zone it is UTC. */
      readonly startDate: string;
      /** The time of the closing balance: movements before it are listed. At most 31 days later. A date without a time means the whole day. RFC 3339; without a zone it is UTC. */
      readonly endDate: string;
      /** Whether the file is compressed with gzip. */
      readonly compressed?: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        /** The identifier of the statement, which we made. UUIDv4 text, compared without case and echoed as written. */
        readonly statementId?: string;
        /** ACCEPTED: the statement will be created. REJECTED: it will not. */
        readonly status: "ACCEPTED" | "REJECTED";
        /** When the statement was requested. Absent when REJECTED. RFC 3339 in UTC, always with milliseconds. */
        readonly created?: string;
        /** Why it failed. */
        readonly failureReason?: {
          /** For programs. Known codes: INVALID_CALLBACK_URL, INVALID_DATE_RANGE, WALLET_NOT_FOUND, TOO_MANY_STATEMENTS. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      413: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: REQUEST_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      415: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNSUPPORTED_MEDIA_TYPE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** FOUND only says that it exists. Each answer about a COMPLETED one has a new downloadUrl. */
  getStatement: {
    parameters: {
      path: {
        /** The identifier of the statement, which we made. UUIDv4 text, compared without case and echoed as written. */
        statementId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** Whether the statement exists. Its outcome is the status inside data. */
        readonly status: "FOUND" | "NOT_FOUND";
        /** Fields without a value are left out; none is ever null. */
        readonly data?: {
          /** The identifier of the statement, which we made. UUIDv4 text, compared without case and echoed as written. */
          readonly statementId: string;
          /** PROCESSING: the file is being created. COMPLETED: it is ready. FAILED: create another one. */
          readonly status: "PROCESSING" | "COMPLETED" | "FAILED";
          readonly wallet: {
            /** The country of the wallet: ISO 3166-1 alpha-3. */
            readonly country: string;
            /** The currency of the wallet: ISO 4217. */
            readonly currency: string;
            /** Empty when the wallet is not tied to one. */
            readonly provider: string;
          };
          /** When the statement was requested. RFC 3339 in UTC, always with milliseconds. */
          readonly created: string;
          /** The time of the opening balance. RFC 3339 in UTC, always with milliseconds. */
          readonly startDate: string;
          /** The end you asked for. The closing balance says how far the statement goes. RFC 3339 in UTC, always with milliseconds. */
          readonly endDate: string;
          /** In bytes. */
          readonly fileSize?: number;
          /** Where the file is. Anyone who has this address can fetch it, without a token. Every status check gives a new one. */
          readonly downloadUrl?: string;
          /** When this downloadUrl expires: one day after it was created. RFC 3339 in UTC, always with milliseconds. */
          readonly downloadUrlExpiresAt?: string;
          /** When it was made. RFC 3339 in UTC, always with milliseconds. */
          readonly completedAt?: string;
          /** When it failed. RFC 3339 in UTC, always with milliseconds. */
          readonly failedAt?: string;
          /** Why it failed. */
          readonly failureReason?: {
            /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
            readonly failureCode: string;
            /** For people: developers, not customers. */
            readonly failureMessage: string;
          };
        };
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Every new status and every movement of your wallets, the oldest first. Store `next` when you have processed a page, and continue with it: you get every event at least once. An addition to the specification. */
  listEvents: {
    parameters: {
      query?: {
        /** Only events after this cursor: `next` of the page before. Left out: from the oldest event that is kept. `latest`: only events from now on. */
        after?: string;
        /** How many events a page has at most: 1 to 100. */
        limit?: string;
        /** How many seconds the answer may wait for an event where there is none yet: 0 to 25. */
        wait?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** The events, the oldest first. */
        readonly data: readonly {
          /** The same each time the event is read: ignore those that you have processed. */
          readonly eventId: string;
          /** The number of the event in your feed: one more than that of the event before it. */
          readonly number: number;
          /** STATUS: something got a new status. MOVEMENT: money came into a wallet, or left it. Ignore types that are added later. */
          readonly type: "STATUS" | "MOVEMENT";
          /** When it happened. RFC 3339 in UTC, always with milliseconds. */
          readonly occurredAt: string;
          /** What it is about. Left out where it is no payment. */
          readonly kind?: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT" | "STATEMENT";
          /** The identifier of what it is about, as you wrote it. */
          readonly id?: string;
          /** Only of type STATUS: the new status. */
          readonly status?: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED" | "PAYOUT_FAILED" | "EXPIRED" | "CANCELLED";
          /** Fields without a value are left out; none is ever null. */
          readonly deposit?: {
            /** The identifier of the deposit. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
            readonly depositId: string;
            /** COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
            readonly status: "ACCEPTED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
            /** Who pays. */
            readonly payer: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
            };
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly customerMessage: string;
            /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
            readonly clientReferenceId?: string;
            /** When the deposit was accepted. RFC 3339 in UTC, always with milliseconds. */
            readonly created: string;
            /** The provider's own identifier, if it gave one. */
            readonly providerTransactionId?: string;
            /** Why it failed. */
            readonly failureReason?: {
              /** For programs. Known codes: PAYMENT_NOT_APPROVED, INSUFFICIENT_BALANCE, PAYMENT_IN_PROGRESS, PAYER_NOT_FOUND, PAYER_LIMIT_REACHED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
              readonly failureCode: string;
              /** For people: developers, not customers. */
              readonly failureMessage: string;
            };
            /** The metadata given on initiation, as one object of names and values. */
            readonly metadata?: { readonly [name: string]: string };
            /** What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl. */
            readonly nextStep?: "FINAL_STATUS" | "GET_AUTH_URL" | "REDIRECT_TO_AUTH_URL";
            /** Where you send the customer to approve the payment. */
            readonly authorizationUrl?: string;
            /** Where the customer returns after approving the payment. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
            readonly successfulUrl?: string;
            /** Where the customer returns if the payment was not approved. An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH. */
            readonly failedUrl?: string;
          };
          /** Fields without a value are left out; none is ever null. */
          readonly payout?: {
            /** The identifier of the payout. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
            readonly payoutId: string;
            /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
            readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
            /** Who receives the money. */
            readonly recipient: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
            };
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly customerMessage: string;
            /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
            readonly clientReferenceId?: string;
            /** When the payout was accepted. RFC 3339 in UTC, always with milliseconds. */
            readonly created: string;
            /** The provider's own identifier, if it gave one. */
            readonly providerTransactionId?: string;
            /** Why it failed. */
            readonly failureReason?: {
              /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
              readonly failureCode: string;
              /** For people: developers, not customers. */
              readonly failureMessage: string;
            };
            /** The metadata given on initiation, as one object of names and values. */
            readonly metadata?: { readonly [name: string]: string };
          };
          /** Fields without a value are left out; none is ever null. */
          readonly refund?: {
            /** The identifier of the refund. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
            readonly refundId: string;
            /** The deposit to refund. UUIDv4 text, compared without case and echoed as written. */
            readonly depositId: string;
            /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
            readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
            /** Who gets the money back: the payer of the deposit. */
            readonly recipient: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
            };
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly customerMessage: string;
            /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
            readonly clientReferenceId?: string;
            /** When the refund was accepted. RFC 3339 in UTC, always with milliseconds. */
            readonly created: string;
            /** The provider's own identifier, if it gave one. */
            readonly providerTransactionId?: string;
            /** Why it failed. */
            readonly failureReason?: {
              /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
              readonly failureCode: string;
              /** For people: developers, not customers. */
              readonly failureMessage: string;
            };
            /** The metadata given on initiation, as one object of names and values. */
            readonly metadata?: { readonly [name: string]: string };
          };
          /** Fields without a value are left out; none is ever null. sender only with the scope personal-data:read. */
          readonly remittance?: {
            /** The identifier of the remittance. You choose it; store it before you send the request. UUIDv4 text, compared without case and echoed as written. */
            readonly remittanceId: string;
            /** COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out. */
            readonly status: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
            /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
            readonly amount: string;
            /** The currency, an ISO 4217 code in upper case. The provider must support it. */
            readonly currency: string;
            /** The country of the provider, an ISO 3166-1 alpha-3 code in upper case. */
            readonly country: string;
            /** Who receives the money. */
            readonly recipient: {
              /** The kind of account: mobile money. */
              readonly type: "MMO";
              /** The wallet. */
              readonly accountDetails: {
                /** The number of the wallet: digits only, with country code, without "+", separators or a leading zero. */
                readonly phoneNumber: string;
                /** The code of the mobile-money provider, as the active configuration lists it. */
                readonly provider: string;
              };
              /** Who the recipient is. */
              readonly recipientDetails: {
                /** The first name of the recipient. */
                readonly firstName: string;
                /** The last name of the recipient. */
                readonly lastName: string;
              };
            };
            /** Who sends the money, and why. */
            readonly sender?: {
              /** The transfer as the sender asked for it. */
              readonly transactionDetails: {
                /** Your reference of what the sender asked for. */
                readonly transactionReference: string;
                /** What the sender paid, before exchange, as text in the form of an amount. */
                readonly originalAmount: string;
                /** The currency the sender paid in, an ISO 4217 code in upper case. */
                readonly originalCurrency: string;
                /** The exchange rate at which the money was bought, as a decimal text. */
                readonly buyFxRate: string;
                /** What the sender was charged for the transfer; 0 for nothing. */
                readonly senderFees: string;
                /** What the money is for. */
                readonly purposeOfFunds: "FAMILY_SUPPORT" | "MEDICAL_EXPENSES" | "TUITION_FEES" | "EDUCATION_SUPPORT" | "GIFT_AND_OTHER_DONATIONS" | "HOME_IMPROVEMENT" | "DEBT_SETTLEMENT" | "REAL_ESTATE" | "TAXES" | "SALARY" | "SAVINGS" | "PERSONAL_TRANSFER" | "OTHER";
                /** Where the money comes from. */
                readonly sourceOfFunds: "SALARY" | "SAVINGS" | "LOTTERY" | "LOAN" | "BUSINESS_INCOME" | "GIFT" | "OTHER";
              };
              /** Who the sender is. */
              readonly senderDetails: {
                /** The first name of the sender. */
                readonly firstName: string;
                /** The last name of the sender. */
                readonly lastName: string;
                /** The nationality, an ISO 3166-1 alpha-3 code in upper case. */
                readonly nationality: string;
                /** The phone number of the sender: digits only, with country code. */
                readonly phoneNumber: string;
                /** Where the sender lives. */
                readonly address: {
                  /** Street and number. */
                  readonly addressLine: string;
                  /** The postal code; empty where the country has none. */
                  readonly postalCode: string;
                  /** The city. */
                  readonly city: string;
                  /** The country of residence, an ISO 3166-1 alpha-3 code in upper case. */
                  readonly country: string;
                };
                /** The document that proves who the sender is. */
                readonly identification: {
                  /** The kind of document. */
                  readonly type: "NATIONAL_ID" | "PASSPORT" | "DRIVING_LICENSE" | "SOCIAL_SECURITY_ID" | "RESIDENCE_PERMIT";
                  /** The number of the document. */
                  readonly number: string;
                };
                /** The gender of the sender. */
                readonly gender?: "MALE" | "FEMALE" | "OTHER";
                /** The date of birth, YYYY-MM-DD. */
                readonly dateOfBirth?: string;
                /** The country of birth, an ISO 3166-1 alpha-3 code in upper case. */
                readonly placeOfBirth?: string;
                /** What the sender does for a living. */
                readonly occupation?: string;
                /** What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken. */
                readonly relationshipRecipient?: "FATHER" | "MOTHER" | "SON" | "DAUGHTER" | "BROTHER" | "SISTER" | "HUSBAND" | "WIFE" | "PARTNER" | "FRIEND" | "AUNT" | "UNCLE" | "COUSIN" | "NEPHEW" | "NIECE" | "GRANDFATHER" | "GRANDMOTHER" | "GRANDSON" | "GRANDDAUGHTER" | "STEPCHILD" | "DAUGHTER_IN_LAW" | "SON_IN_LAW" | "BORTHER_IN_LAW" | "BROTHER_IN_LAW" | "SISTER_IN_LAW" | "MOTHER_IN_LAW" | "GUARDIAN" | "SELF";
              };
            };
            /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
            readonly customerMessage: string;
            /** When the remittance was accepted. RFC 3339 in UTC, always with milliseconds. */
            readonly created: string;
            /** The provider's own identifier, if it gave one. */
            readonly providerTransactionId?: string;
            /** Why it failed. */
            readonly failureReason?: {
              /** For programs. Known codes: RECIPIENT_NOT_FOUND, RECIPIENT_LIMIT_REACHED, WALLET_LIMIT_REACHED, WALLET_OUT_OF_FUNDS, MANUALLY_CANCELLED, UNSPECIFIED_FAILURE, OTHER_ERROR. Be ready for codes that are added later. */
              readonly failureCode: string;
              /** For people: developers, not customers. */
              readonly failureMessage: string;
            };
            /** The metadata given on initiation, as one object of names and values. */
            readonly metadata?: { readonly [name: string]: string };
          };
          /** Only of type MOVEMENT. The movements of a wallet add up to what it holds. */
          readonly movement?: {
            /** What moved the wallet: a kind of payment, or TOP_UP, SETTLEMENT, ADJUSTMENT and others, as in statements. */
            readonly type: string;
            /** What the wallet gained, with fees taken off. Negative where the wallet paid. */
            readonly amount: string;
            /** The currency of the wallet: ISO 4217. */
            readonly currency: string;
            /** The country of the wallet: ISO 3166-1 alpha-3. */
            readonly country: string;
            /** Empty when the wallet serves all providers of the country; otherwise its provider. */
            readonly provider: string;
          };
        }[];
        /** Where the next page begins. Store it when you have processed this page; it is always there. */
        readonly next: string;
        /** Whether there are more events now. */
        readonly hasMore: boolean;
      } } };
      400: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: INVALID_INPUT, MISSING_PARAMETER, INVALID_PARAMETER, UNSUPPORTED_PARAMETER, DUPLICATE_METADATA_FIELD. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      401: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHENTICATION_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      403: { content: { 'application/json': {
        readonly status: "REJECTED";
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: AUTHORISATION_ERROR, DEPOSITS_NOT_ALLOWED, PAYOUTS_NOT_ALLOWED, REFUNDS_NOT_ALLOWED, REMITTANCES_NOT_ALLOWED, SPLIT_PAYMENTS_NOT_ALLOWED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      410: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: CURSOR_EXPIRED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
        /** The cursor to continue with. No available event is missed; some may be repeated. */
        readonly restartAfter: string;
      } } };
      429: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: RATE_LIMITED. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      431: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: HEADERS_TOO_LARGE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      500: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: UNKNOWN_ERROR. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
      503: { content: { 'application/json': {
        /** Why it failed. */
        readonly failureReason: {
          /** For programs. Known codes: SERVICE_UNAVAILABLE. Be ready for codes that are added later. */
          readonly failureCode: string;
          /** For people: developers, not customers. */
          readonly failureMessage: string;
        };
      } } };
    };
  };
}
