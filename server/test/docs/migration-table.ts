// Every row of the specification's Versioning section, as one table: what changes between the API versions, with a
// before and an after. docs/guides/migrate.md is made from it, and migrate.test.ts executes each row in both
// API versions.
import type { Body } from '../requests.ts';

/** A rename in requests that start a payment. The fragments take their place in a request that completes. */
export type RequestRow = {
  readonly earlier: string;
  readonly current: string;
  readonly before: Body;
  readonly after: Body;
};

const PHONE_NUMBER = '250783456789';
const PROVIDER = 'MTN_MOMO_RWA';
const CURRENT_PAYER = { type: 'MMO', accountDetails: { phoneNumber: PHONE_NUMBER, provider: PROVIDER } };
const EARLIER_PAYER = { type: 'MSISDN', address: { value: PHONE_NUMBER } };

/** Versioning 3, "Migrating a financial request", row by row. */
export const REQUEST_ROWS: readonly RequestRow[] = [
  {
    earlier: 'correspondent',
    current: 'provider, moved inside accountDetails',
    before: { correspondent: PROVIDER },
    after: { payer: CURRENT_PAYER },
  },
  {
    earlier: 'payer/recipient type MSISDN',
    current: 'MMO',
    before: { payer: EARLIER_PAYER },
    after: { payer: CURRENT_PAYER },
  },
  {
    earlier: 'address',
    current: 'accountDetails',
    before: { payer: EARLIER_PAYER },
    after: { payer: CURRENT_PAYER },
  },
  {
    earlier: 'address.value',
    current: 'accountDetails.phoneNumber',
    before: { payer: EARLIER_PAYER },
    after: { payer: CURRENT_PAYER },
  },
  {
    earlier: 'customerTimestamp',
    current: 'removed',
    before: { customerTimestamp: '2020-02-21T17:32:28Z' },
    after: {},
  },
  {
    earlier: 'statementDescription',
    current: 'customerMessage',
    before: { statementDescription: 'Order 123456' },
    after: { customerMessage: 'Order 123456' },
  },
  {
    earlier: 'metadata entries { fieldName, fieldValue }',
    current: 'entries { <name>: <value> }',
    before: { metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }] },
    after: { metadata: [{ orderId: 'ORD-1' }] },
  },
];

/** One request and what of its answer is worth showing. `{deposit}` stands for a completed deposit and so on. */
export type Exchange = {
  readonly ask: string;
  readonly body?: Body;
  /** Left out of the request. */
  readonly anonymous?: boolean;
  readonly host?: string;
  readonly status?: number;
  readonly answer: unknown;
};

export type AnswerRow = {
  /** The number in the Versioning section; letters where one number has several. */
  readonly rule: string;
  readonly what: string;
  readonly change: string;
  /** What the provider of the examples is while they are executed. */
  readonly while?: 'DELAYED';
  readonly before: Exchange;
  readonly after: Exchange;
  /** What both answers have in common, each in its own words; executed, the two must be equal. Absent: nothing. */
  readonly same?: (before: any, after: any) => readonly [unknown, unknown];
};

const OLDER_HOST = 'api.old.example';

/** Everything that both API versions answer alike but for its words. */
export const ANSWER_ROWS: readonly AnswerRow[] = [
  {
    rule: '1',
    what: 'Paths',
    change: 'Every path begins with `/v2`.',
    before: { ask: 'GET /deposits/{deposit}', answer: [{ depositId: '{deposit}' }] },
    after: { ask: 'GET /v2/deposits/{deposit}', answer: { data: { depositId: '{deposit}' } } },
    same: ([before], after) => [before.depositId, after.data.depositId],
  },
  {
    rule: '2',
    what: 'Older hosts',
    change: 'API v2 is not available on an older host (`MALIPO_V1_HOSTS`). Change the host first.',
    before: { ask: 'GET /active-conf', host: OLDER_HOST, answer: { merchantName: 'Demo Shop' } },
    after: { ask: 'GET /v2/active-conf', host: OLDER_HOST, status: 404, answer: { errorCode: 1 } },
  },
  {
    rule: '4a',
    what: 'Payouts that wait for their provider',
    change: 'The answer is ACCEPTED, no longer ENQUEUED. Use the status check.',
    while: 'DELAYED',
    before: { ask: 'POST /payouts', answer: { status: 'ENQUEUED' } },
    after: { ask: 'POST /v2/payouts', answer: { status: 'ACCEPTED' } },
    same: (before, after) => [typeof before.created, typeof after.created],
  },
  {
    rule: '4b',
    what: 'Rejections',
    change: '`rejectionReason` becomes `failureReason`. Some codes [differ](../reference/api-v1.md#codes).',
    before: {
      ask: 'POST /deposits',
      body: { currency: 'USD' },
      answer: { status: 'REJECTED', rejectionReason: { rejectionCode: 'INVALID_CURRENCY' } },
    },
    after: {
      ask: 'POST /v2/deposits',
      body: { currency: 'USD' },
      answer: { status: 'REJECTED', failureReason: { failureCode: 'INVALID_CURRENCY' } },
    },
    // The messages differ: each version has its own words.
    same: ({ rejectionReason }, { failureReason }) => [
      rejectionReason.rejectionCode,
      failureReason.failureCode,
    ],
  },
  {
    rule: '4c',
    what: 'Errors',
    change: 'An error has a `failureReason` with a code instead of a number.',
    before: {
      ask: 'POST /deposits',
      body: { amount: 100 },
      status: 400,
      answer: { errorCode: 1, errorMessage: "The parameter 'amount' is not valid: it must be a string." },
    },
    after: {
      ask: 'POST /v2/deposits',
      body: { amount: 100 },
      status: 400,
      answer: {
        status: 'REJECTED',
        failureReason: {
          failureCode: 'INVALID_PARAMETER',
          failureMessage: "The parameter 'amount' is not valid: it must be a string.",
        },
      },
    },
    same: (before, after) => [before.errorMessage, after.failureReason.failureMessage],
  },
  {
    rule: '4d',
    what: 'Status checks',
    change:
      'A list with one record becomes `{ status: "FOUND", data }`; an empty one `{ status: "NOT_FOUND" }`.',
    before: { ask: 'GET /payouts/{unknown}', answer: [] },
    after: { ask: 'GET /v2/payouts/{unknown}', answer: { status: 'NOT_FOUND' } },
    same: (before, after) => [before.length, 'data' in after ? 1 : 0],
  },
  {
    rule: '4e',
    what: 'Records and callbacks',
    change:
      'One `amount` replaces `requestedAmount` and `depositedAmount`; `providerTransactionId` replaces ' +
      '`correspondentIds`; `respondedByPayer`, `receivedByRecipient` and `suspiciousActivityReport` are removed. ' +
      'SUBMITTED becomes PROCESSING or IN_RECONCILIATION.',
    before: {
      ask: 'GET /deposits/{deposit}',
      answer: [{ status: 'COMPLETED', requestedAmount: '100', depositedAmount: '100' }],
    },
    after: {
      ask: 'GET /v2/deposits/{deposit}',
      answer: { status: 'FOUND', data: { status: 'COMPLETED', amount: '100' } },
    },
    same: ([before], { data }) => [
      [before.requestedAmount, before.correspondentIds.MTN_FINAL, before.status],
      [data.amount, data.providerTransactionId, data.status],
    ],
  },
  {
    rule: '5a',
    what: 'Send a callback again',
    change: 'The identifier moves from the body into the path.',
    before: {
      ask: 'POST /deposits/resend-callback',
      body: { depositId: '{deposit}' },
      answer: { depositId: '{deposit}', status: 'ACCEPTED' },
    },
    after: {
      ask: 'POST /v2/deposits/resend-callback/{deposit}',
      answer: { depositId: '{deposit}', status: 'ACCEPTED' },
    },
    same: (before, after) => [before, after],
  },
  {
    rule: '5b',
    what: 'Cancel an enqueued payout',
    change: 'The identifier is in the path only.',
    before: {
      ask: 'POST /payouts/fail-enqueued',
      body: { payoutId: '{unknown}' },
      answer: { status: 'REJECTED', rejectionReason: 'Payout with ID {unknown} was not found.' },
    },
    after: {
      ask: 'POST /v2/payouts/fail-enqueued/{unknown}',
      answer: { status: 'REJECTED', failureReason: { failureCode: 'NOT_FOUND' } },
    },
    same: (before, after) => [before.rejectionReason, after.failureReason.failureMessage],
  },
  {
    rule: '6',
    what: 'Availability',
    change:
      'It requires the token, lists the providers of your account only, and has the filters `country` and ' +
      '`operationType`.',
    before: {
      ask: 'GET /availability',
      anonymous: true,
      answer: holding({
        country: 'RWA',
        correspondents: holding({
          correspondent: PROVIDER,
          operationTypes: holding({ operationType: 'DEPOSIT', status: 'OPERATIONAL' }),
        }),
      }),
    },
    after: {
      ask: 'GET /v2/availability?country=RWA&operationType=DEPOSIT',
      answer: [
        {
          country: 'RWA',
          providers: holding({ provider: PROVIDER, operationTypes: { DEPOSIT: 'OPERATIONAL' } }),
        },
      ],
    },
    same: (before, [after]) => {
      const { correspondents } = before.find(({ country }: Body) => country === 'RWA');
      return [
        correspondents.map(({ correspondent, operationTypes }: Body) => [
          correspondent,
          operationTypes.find(({ operationType }: Body) => operationType === 'DEPOSIT').status,
        ]),
        after.providers.map(({ provider, operationTypes }: Body) => [provider, operationTypes.DEPOSIT]),
      ];
    },
  },
  {
    rule: '7',
    what: 'Provider prediction',
    change: 'Names change, and `operator` is omitted.',
    before: {
      ask: 'POST /v1/predict-correspondent',
      body: { msisdn: '+250 783 456 789' },
      answer: { country: 'RWA', operator: 'MTN', correspondent: PROVIDER, msisdn: PHONE_NUMBER },
    },
    after: {
      ask: 'POST /v2/predict-provider',
      body: { phoneNumber: '+250 783 456 789' },
      answer: { country: 'RWA', provider: PROVIDER, phoneNumber: PHONE_NUMBER },
    },
    same: ({ country, correspondent, msisdn }, after) => [
      { country, provider: correspondent, phoneNumber: msisdn },
      after,
    ],
  },
  {
    rule: '8',
    what: 'Wallet balances',
    change: 'The country moves from the path to the query; `mno` becomes `provider`.',
    before: {
      ask: 'GET /v1/wallet-balances/RWA',
      answer: { balances: [{ country: 'RWA', currency: 'RWF', mno: '' }] },
    },
    after: {
      ask: 'GET /v2/wallet-balances?country=RWA',
      answer: { balances: [{ country: 'RWA', currency: 'RWF', provider: '' }] },
    },
    same: (before, after) => [
      before.balances.map(({ mno, ...rest }: Body) => ({ ...rest, provider: mno })),
      after.balances,
    ],
  },
  {
    rule: '9',
    what: 'Active configuration',
    change: '`merchantId` is removed, and names and shapes change as below.',
    before: {
      ask: 'GET /active-conf',
      answer: {
        merchantName: 'Demo Shop',
        countries: holding({
          country: 'ZMB',
          correspondents: holding({
            correspondent: 'MTN_MOMO_ZMB',
            currency: 'ZMW',
            ownerName: 'Demo Shop',
            operationTypes: holding({
              operationType: 'PAYOUT',
              minTransactionLimit: '1',
              maxTransactionLimit: '20000',
            }),
          }),
        }),
      },
    },
    after: {
      ask: 'GET /v2/active-conf',
      answer: {
        companyName: 'Demo Shop',
        countries: holding({
          country: 'ZMB',
          providers: holding({
            provider: 'MTN_MOMO_ZMB',
            nameDisplayedToCustomer: 'Demo Shop',
            currencies: [
              { currency: 'ZMW', operationTypes: { PAYOUT: { minAmount: '1', maxAmount: '20000' } } },
            ],
          }),
        }),
      },
    },
    same: (before, after) => [
      before.countries.flatMap(({ country, correspondents }: Body) =>
        correspondents.map(({ correspondent, currency, ownerName, operationTypes }: Body) => {
          const payout = operationTypes.find(({ operationType }: Body) => operationType === 'PAYOUT');
          const limits = [payout?.minTransactionLimit, payout?.maxTransactionLimit];
          return [country, correspondent, currency, ownerName, ...limits];
        }),
      ),
      after.countries.flatMap(({ country, providers }: Body) =>
        providers.flatMap(({ provider, nameDisplayedToCustomer, currencies }: Body) =>
          currencies.map(({ currency, operationTypes: { PAYOUT } }: Body) => {
            return [
              country,
              provider,
              currency,
              nameDisplayedToCustomer,
              PAYOUT?.minAmount,
              PAYOUT?.maxAmount,
            ];
          }),
        ),
      ),
    ],
  },
  {
    rule: '10',
    what: 'Payment page',
    change: '`amount` needs its currency, in `amountDetails`. Both open [the same page](payment-page.md).',
    before: {
      ask: 'POST /v1/widget/sessions',
      body: {
        depositId: '{unknown}',
        returnUrl: 'https://shop.example/back',
        statementDescription: 'Order 123456',
        amount: '0',
        msisdn: '250783456789',
      },
      answer: { status: 'REJECTED', rejectionReason: { rejectionCode: 'AMOUNT_TOO_SMALL' } },
    },
    after: {
      ask: 'POST /v2/paymentpage',
      body: {
        depositId: '{unknown}',
        returnUrl: 'https://shop.example/back',
        customerMessage: 'Order 123456',
        amountDetails: { amount: '0', currency: 'RWF' },
        phoneNumber: '250783456789',
      },
      answer: { status: 'REJECTED', failureReason: { failureCode: 'AMOUNT_OUT_OF_BOUNDS' } },
    },
    same: (before, after) => [before.depositId, after.depositId],
  },
  {
    rule: '11',
    what: 'Redirect',
    change: 'Only API v2 serves providers that send the payer to their own page.',
    before: {
      ask: 'POST /deposits',
      body: { amount: '500', currency: 'XOF', correspondent: 'WAVE_SEN' },
      status: 400,
      answer: { errorCode: 1 },
    },
    after: {
      ask: 'POST /v2/deposits',
      body: {
        amount: '500',
        currency: 'XOF',
        payer: { type: 'MMO', accountDetails: { phoneNumber: '221773456789', provider: 'WAVE_SEN' } },
        successfulUrl: 'https://shop.example/ok',
        failedUrl: 'https://shop.example/failed',
      },
      answer: { status: 'ACCEPTED', nextStep: 'GET_AUTH_URL' },
    },
  },
];

/** Rows that nothing can be executed for. */
export const REMARKS: Readonly<Record<string, string>> = {
  '12': 'No date is set for the end of API v1.',
};

/** A list that has an element with at least these fields. */
export type Holding = { readonly holds: Body };

function holding(element: Body): Holding {
  return { holds: element };
}
