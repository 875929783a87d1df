// Safaricom's fake: Daraja over HTTP, with its known behaviour. One valid token at a time, a push that charges each
// time it is sent, acknowledgements that promise nothing, results that are sent once and later, a wrong initiator that
// is reported only in the result, enquiries that sometimes fail, codes as numbers and strings, and addresses refused
// because of a word in them.
import { randomInt } from 'node:crypto';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { StartFake } from '../../sandbox/fakes/operator-fake.ts';
import { referenceIn, startFakeKit, withForgedSecret } from '../../sandbox/fakes/kit.ts';
import type { FakeCall, FakeContext, Route } from '../../sandbox/fakes/kit.ts';
import { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import { ONLY_PRODUCT } from '../operator.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { ACCOUNT, isInitiator, JSON_TYPE, problem, textIn, type Body } from './fake-gate.ts';
import {
  badField,
  refuseAddresses,
  refuseClient,
  refusePayout,
  refusePush,
  refuseSignature,
} from './fake-gate.ts';
import { acknowledgement, checkoutIdOf, conversationIdOf, renderCallback } from './fake-words.ts';
import { renderBalance, renderFailure, renderResult, renderStatus, UNPUBLISHED } from './fake-words.ts';

export const startFake: StartFake = (options) =>
  startFakeKit({ repeats: 'CHARGED', ...options }, (context) => {
    const state: State = { context, tokens: new FakeTokens(context.clock), polls: new Map() };
    return {
      routes: routesOf(state),
      render: (charge, { isForged }) => ({
        url: isForged ? forged(charge.notificationUrl) : charge.notificationUrl,
        headers: JSON_TYPE,
        body: JSON.stringify(charge.operation === 'DEPOSIT' ? renderCallback(charge) : renderResult(charge)),
      }),
      habits: {
        createTransactionId: () =>
          `S${randomInt(2 ** 40)
            .toString(36)
            .toUpperCase()
            .padStart(9, '0')}`,
        unknownCode: UNPUBLISHED,
        // This sandbox number never answers.
        plannedVerdict: ({ phoneNumber, operation }) =>
          phoneNumber === NEVER_ANSWERS && operation === 'DEPOSIT'
            ? { status: 'FAILED', failureCode: '1037' }
            : { status: 'SUCCESSFUL' },
        refusalOf: (refusal) => ({ status: 'FAILED', failureCode: REFUSALS[refusal] }),
      },
      credentialsOf: () => ({ [ONLY_PRODUCT]: { baseUrl: context.url, ...ACCOUNT } }),
    };
  });

const REFUSALS = { PAYER_DECLINED: '1032', PIN_BLOCKED: '2001', PIN_TIMEOUT: '1037' } as const;

const NEVER_ANSWERS = '254708374149';

/** Push enquiries about this number report a failure while in progress; the push then succeeds. */
const FAILS_FIRST = '254708374147';

/** Push enquiries about this number report "unknown" until the push has ended. */
const KNOWN_LATE = '254708374146';

type State = {
  readonly context: FakeContext;
  readonly tokens: FakeTokens<true>;
  /** The number of enquiries per push. */
  readonly polls: Map<string, number>;
};

function routesOf(state: State): readonly Route[] {
  const { context } = state;
  const route = (path: string, rest: Omit<Route, 'method' | 'path'>): Route => ({
    method: 'POST',
    path: new RegExp(`^/mpesa/${path}$`),
    ...rest,
    refuses: (call) => refuseToken(state, call) ?? refuseAddresses(call) ?? rest.refuses?.(call) ?? null,
  });
  return [
    {
      method: 'GET',
      path: /^\/oauth\/v1\/generate$/,
      step: 'token',
      refuses: refuseClient,
      answer: () => mint(state),
    },
    route('stkpush/v1/processrequest', {
      step: 'submit',
      refuses: refusePush,
      subject: ({ body }) => subjectOf(body, 'DEPOSIT', referenceIn(textIn(body, 'CallBackURL'))),
      answer: ({ body }) => push(context, body),
    }),
    route('stkpushquery/v1/query', { step: 'query', refuses: refuseSignature, answer: askPush(state) }),
    route('b2c/v3/paymentrequest', {
      step: 'submit',
      refuses: refusePayout,
      subject: ({ body }) => subjectOf(body, 'PAYOUT', textIn(body, 'OriginatorConversationID')),
      answer: ({ body }) => pay(context, body),
    }),
    route('reversal/v1/request', {
      step: 'submit',
      refuses: ({ body }) =>
        body['RecieverIdentifierType'] === '11' ? null : badField('RecieverIdentifierType'),
      subject: ({ body }) => subjectOf(body, 'REFUND', referenceIn(parentOf(textIn(body, 'ResultURL')))),
      answer: ({ body }) => reverse(context, body),
    }),
    route('transactionstatus/v1/query', { step: 'query', answer: ({ body }) => askStatus(context, body) }),
    route('accountbalance/v1/query', { step: 'balance', answer: ({ body }) => askBalance(context, body) }),
  ];
}

function subjectOf(body: Body, operation: PaymentKind, reference: string) {
  const phoneNumber = textIn(body, operation === 'DEPOSIT' ? 'PhoneNumber' : 'PartyB');
  return { reference, operation, ...(phoneNumber === '' ? {} : { phoneNumber }) };
}

/** A new token ends the previous one. */
function mint({ context, tokens }: State): Answer {
  tokens.withdrawWhere(() => true);
  const { tokenLifetimeSeconds } = context.settings;
  const access_token = tokens.issue(true, tokenLifetimeSeconds);
  return { status: 200, json: { access_token, expires_in: String(tokenLifetimeSeconds) } };
}

function refuseToken({ tokens }: State, { headers }: FakeCall): Answer | null {
  const isKnown = tokens.holderOf(headers.authorization) !== null;
  return isKnown ? null : problem(404, '404.001.03', 'Invalid Access Token');
}

const MARKET = { provider: 'MPESA_KEN', country: 'KEN', currency: 'KES' };

function push(context: FakeContext, body: Body): Answer {
  const notificationUrl = textIn(body, 'CallBackURL');
  const { charge } = context.transactions.submit({
    ...MARKET,
    reference: referenceIn(notificationUrl),
    operation: 'DEPOSIT',
    amount: textIn(body, 'Amount'),
    phoneNumber: textIn(body, 'PhoneNumber'),
    message: textIn(body, 'AccountReference'),
    notificationUrl,
  });
  const ids = { MerchantRequestID: conversationIdOf(charge), CheckoutRequestID: checkoutIdOf(charge) };
  return { status: 200, json: { ...ids, ResponseCode: '0', CustomerMessage: 'Success. Request accepted' } };
}

/** A push in progress is 4999, and sometimes the same error as for an unknown push. */
function askPush({ context, polls }: State): Route['answer'] {
  return ({ body }) => {
    const checkoutId = textIn(body, 'CheckoutRequestID');
    const charge = context.transactions.list().find((one) => checkoutIdOf(one) === checkoutId);
    const pollNo = (polls.get(checkoutId) ?? 0) + 1;
    polls.set(checkoutId, pollNo);
    const isPassingFault = charge?.status === 'PENDING' && pollNo % 4 === 2;
    if (charge?.status === 'PENDING' && charge.phoneNumber === KNOWN_LATE)
      return badField('CheckoutRequestID');
    if (charge === undefined || (isPassingFault && charge.phoneNumber !== FAILS_FIRST))
      return problem(500, '500.001.1001', '');
    const reported = { CheckoutRequestID: checkoutId, ResponseCode: '0', ResultDesc: 'In other words.' };
    return { status: 200, json: { ...reported, ResultCode: pushCodeOf(charge) } };
  };
}

function pushCodeOf(charge: OpenCharge): string {
  if (charge.status !== 'PENDING') return String(renderCallback(charge).Body.stkCallback.ResultCode);
  return charge.phoneNumber === FAILS_FIRST ? '1037' : '4999';
}

/** A wrong initiator is acknowledged too; the failure comes with the result. */
function pay(context: FakeContext, body: Body): Answer {
  const reference = textIn(body, 'OriginatorConversationID');
  const answer = acknowledgement(reference);
  if (!isInitiator(body, 'InitiatorName'))
    return later(context, body, answer, renderFailure(reference, '2001'));
  if (context.transactions.find(reference) !== undefined) {
    context.books.repeat(reference);
    return problem(500, '500.002.1001', 'Duplicate OriginatorConversationID.');
  }
  context.transactions.submit({
    ...MARKET,
    reference,
    operation: 'PAYOUT',
    amount: textIn(body, 'Amount'),
    phoneNumber: textIn(body, 'PartyB'),
    message: textIn(body, 'Remarks'),
    notificationUrl: textIn(body, 'ResultURL'),
  });
  return answer;
}

/** A payment can be reversed once, fully or in part. The charge's message stores which payment it was. */
function reverse(context: FakeContext, body: Body): Answer {
  const notificationUrl = textIn(body, 'ResultURL');
  const receipt = textIn(body, 'TransactionID');
  const reference = referenceIn(parentOf(notificationUrl));
  const conversationId = conversationIdOf({ reference, operation: 'REFUND' });
  const original = context.transactions.findByTransactionId(receipt);
  const message = `reversal of ${receipt}`;
  const isReversed = context.transactions
    .list()
    .some((one) => one.message === message && one.status !== 'FAILED');
  const answer = acknowledgement(conversationId);
  const code = reversalCode(body, { original, isReversed });
  if (code !== null) return later(context, body, answer, renderFailure(conversationId, code));
  context.transactions.submit({
    ...MARKET,
    reference,
    operation: 'REFUND',
    amount: textIn(body, 'Amount'),
    phoneNumber: original?.phoneNumber ?? '',
    message,
    notificationUrl,
  });
  return answer;
}

type Found = { readonly original: OpenCharge | undefined; readonly isReversed: boolean };

/** Why a reversal fails; null if it does not. Only collections can be reversed. */
function reversalCode(body: Body, { original, isReversed }: Found): string | null {
  if (!isInitiator(body, 'Initiator')) return '2001';
  if (original?.operation !== 'DEPOSIT' || original.status !== 'SUCCESSFUL') return 'R000002';
  return isReversed ? 'R000001' : null;
}

function askStatus(context: FakeContext, body: Body): Answer {
  const receipt = textIn(body, 'TransactionID');
  const asked = receipt === '' ? textIn(body, 'OriginalConversationID') : receipt;
  const charge =
    receipt === ''
      ? context.transactions.list().find((one) => conversationIdOf(one) === asked)
      : context.transactions.findByTransactionId(receipt);
  const answer = acknowledgement(conversationIdOf({ reference: `status of ${asked}`, operation: 'REFUND' }));
  if (!isInitiator(body, 'Initiator')) return later(context, body, answer, renderFailure(asked, '2001'));
  return later(
    context,
    body,
    answer,
    charge === undefined ? renderFailure(asked, UNPUBLISHED) : renderStatus(charge),
  );
}

function askBalance(context: FakeContext, body: Body): Answer {
  const answer = acknowledgement(conversationIdOf({ reference: 'balance', operation: 'REFUND' }));
  if (!isInitiator(body, 'Initiator')) return later(context, body, answer, renderFailure('balance', '2001'));
  const balance = context.books.view().totals.find(({ provider }) => provider === MARKET.provider)?.balance;
  const amount = parseAmount(balance ?? context.options.openingFloat ?? '0') ?? 0n;
  return later(context, body, answer, renderBalance(renderAmount(amount)));
}

/** Acknowledges now and sends the result to the address in the request. */
function later(context: FakeContext, body: Body, answer: Answer, result: object): Answer {
  const message = { url: textIn(body, 'ResultURL'), headers: JSON_TYPE, body: JSON.stringify(result) };
  if (context.settings.notifications) void context.post(message);
  return answer;
}

/** The address without the topic after its secret. */
function parentOf(url: string): string {
  return url.replace(/\/[^/]+$/, '');
}

/** A push is announced at the plain address, everything else at the address with a topic. */
function forged(url: string): string {
  const topic = /\/[a-z-]+$/.exec(url)?.[0] ?? '';
  return withForgedSecret(url.slice(0, url.length - topic.length)) + topic;
}
