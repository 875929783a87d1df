// Wave's fake: its business APIs over HTTP, with the behaviour that README.md lists.
import { createHash, randomBytes } from 'node:crypto';
import { findProvider } from '../../domain/operators/catalogue.ts';
import type { StartFake } from '../../sandbox/fakes/operator-fake.ts';
import { startFakeKit, type FakeCall, type FakeContext, type Route } from '../../sandbox/fakes/kit.ts';
import { ONLY_PRODUCT } from '../operator.ts';
import { textOf } from '../json.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { isTimedSignature } from '../timed-signature.ts';
import { wave } from './connector.ts';
import {
  referenceOf,
  refundOf,
  renderEvent,
  renderPayout,
  renderSession,
  sessionIdOf,
} from './fake-records.ts';
import { SEPARATOR } from './wire.ts';

export const startFake: StartFake = (options) =>
  startFakeKit({ repeats: 'CHARGED', ...options }, (context) => ({
    routes: [...checkoutRoutes(context), ...payoutRoutes(context), balanceRoute(context)],
    render: (charge, { isForged }) =>
      renderEvent(context, charge, isForged ? 'a guess' : keysOf(charge.provider).webhookSecret),
    habits: {
      createTransactionId: () => randomBytes(8).toString('hex').toUpperCase(),
      authorizationUrlOf: ({ operation }, transactionId) =>
        operation === 'DEPOSIT' ? `${context.url}/c/${sessionIdOf({ transactionId })}` : undefined,
      unknownCode: 'something-no-one-published',
      // A payer who does not want to pay leaves the session open until it expires.
      refusalOf: (refusal) =>
        refusal === 'PIN_BLOCKED'
          ? { status: 'FAILED', failureCode: 'blocked-account' }
          : { status: 'FAILED' },
    },
    credentialsOf: (provider) => ({ [ONLY_PRODUCT]: { baseUrl: context.url, ...keysOf(provider) } }),
  }));

/** Derived and not secret: they only protect a fake. One of its wallets requires signed requests. */
function keysOf(provider: string) {
  const keyOf = (name: string) =>
    createHash('sha256').update(`${provider} ${name}`).digest('hex').slice(0, 40);
  return {
    wallet: `wallet of ${provider}`,
    apiKey: `wave_${provider === 'WAVE_SEN' ? 'sn' : 'ci'}_test_${keyOf('key')}`,
    webhookSecret: `WHS_${keyOf('webhook')}`,
    ...(provider === 'WAVE_CIV' ? { signingSecret: `AKS_${keyOf('signing')}` } : {}),
  };
}

function walletOf({ headers }: FakeCall): string | undefined {
  return wave.providers.find((provider) => headers.authorization === `Bearer ${keysOf(provider).apiKey}`);
}

function refuses(call: FakeCall): Answer | null {
  if (call.headers.authorization === undefined) return problem(401, 'missing-auth-header');
  const wallet = walletOf(call);
  if (wallet === undefined) return problem(401, 'no-matching-api-key');
  const { signingSecret: secret } = keysOf(wallet);
  if (secret === undefined) return null;
  const header = String(call.headers['wave-signature']);
  const isSigned = isTimedSignature(call.text, { secret, separator: SEPARATOR, header });
  return isSigned ? null : problem(403, 'authorization-error');
}

const ID = '(?<id>[a-z]+-[0-9a-f]+)';

function checkoutRoutes(context: FakeContext): readonly Route[] {
  const find = (call: FakeCall) => findById(context, call, 'DEPOSIT');
  return [
    {
      method: 'POST',
      path: /^\/v1\/checkout\/sessions$/,
      step: 'submit',
      refuses: (call) => refuses(call) ?? refuseCheckout(call),
      subject: ({ body }) => ({
        reference: String(body['client_reference']),
        phoneNumber: digitsOf(body['restrict_payer_mobile']),
        operation: 'DEPOSIT',
      }),
      answer: (call) => ({ status: 200, json: renderSession(context, openSession(context, call)) }),
    },
    {
      method: 'GET',
      path: /^\/v1\/checkout\/sessions\/search$/,
      step: 'query',
      refuses,
      subject: ({ query }) => ({ reference: query.get('client_reference') ?? '' }),
      answer: (call) => ({
        status: 200,
        json: { result: search(context, call, 'DEPOSIT').map((charge) => renderSession(context, charge)) },
      }),
    },
    {
      method: 'GET',
      path: new RegExp(`^/v1/checkout/sessions/${ID}$`),
      step: 'query',
      refuses,
      subject: (call) => find(call) ?? {},
      answer: (call) => {
        const charge = find(call);
        return charge === undefined
          ? problem(404, 'checkout-session-not-found')
          : { status: 200, json: renderSession(context, charge) };
      },
    },
    {
      method: 'POST',
      path: new RegExp(`^/v1/checkout/sessions/${ID}/refund$`),
      step: 'submit',
      refuses: (call) => refuses(call) ?? refuseRefund(find(call)),
      subject: ({ headers }) => ({ reference: String(headers['idempotency-key']), operation: 'REFUND' }),
      answer: (call) => refund(context, call, find(call)),
    },
  ];
}

function payoutRoutes(context: FakeContext): readonly Route[] {
  const find = (call: FakeCall) => findById(context, call, 'PAYOUT');
  return [
    {
      method: 'POST',
      path: /^\/v1\/payout$/,
      step: 'submit',
      refuses: (call) => refuses(call) ?? refusePayout(context, call),
      subject: ({ body }) => ({
        reference: String(body['client_reference']),
        phoneNumber: digitsOf(body['mobile']),
        operation: 'PAYOUT',
      }),
      answer: (call) => payOut(context, call),
    },
    {
      method: 'GET',
      path: /^\/v1\/payouts\/search$/,
      step: 'query',
      refuses,
      subject: ({ query }) => ({ reference: query.get('client_reference') ?? '' }),
      answer: (call) => ({
        status: 200,
        json: { result: search(context, call, 'PAYOUT').map(renderPayout) },
      }),
    },
    {
      method: 'GET',
      path: new RegExp(`^/v1/payout/${ID}$`),
      step: 'query',
      refuses,
      subject: (call) => find(call) ?? {},
      answer: (call) => {
        const charge = find(call);
        return charge === undefined ? problem(404, 'not-found') : { status: 200, json: renderPayout(charge) };
      },
    },
  ];
}

function balanceRoute({ books, options }: FakeContext): Route {
  return {
    method: 'GET',
    path: /^\/v1\/balance$/,
    step: 'balance',
    refuses,
    answer: (call) => {
      const total = books.view().totals.find(({ provider }) => provider === walletOf(call));
      return {
        status: 200,
        json: { amount: total?.balance ?? options.openingFloat ?? '0', currency: 'XOF' },
      };
    },
  };
}

/** Amounts are strings, and XOF has no decimals. */
function isWholeAmount(value: unknown): boolean {
  return typeof value === 'string' && /^[1-9]\d*$/.test(value);
}

function refuseCheckout({ body }: FakeCall): Answer | null {
  const urls = [body['success_url'], body['error_url']];
  const hasUrls = urls.every((url) => typeof url === 'string' && url.startsWith('https://'));
  const isGood = hasUrls && isWholeAmount(body['amount']) && body['currency'] === 'XOF';
  return isGood ? null : problem(400, 'request-validation-error');
}

function refusePayout(context: FakeContext, call: FakeCall): Answer | null {
  const { body, headers } = call;
  const key = textOf(headers['idempotency-key']);
  const reason = textOf(body['payment_reason']) ?? '';
  const isGood = key !== undefined && isWholeAmount(body['receive_amount']) && reason.length <= 40;
  if (!isGood || !/^\+\d{8,15}$/.test(String(body['mobile'])))
    return problem(400, 'request-validation-error');
  if (body['currency'] !== 'XOF') return problem(400, 'currency-mismatch');
  const dialCode = walletOf(call) === 'WAVE_SEN' ? '+221' : '+225';
  if (!String(body['mobile']).startsWith(dialCode)) return problem(400, 'country-mismatch');
  const earlier = context.transactions.find(key);
  const isOther = earlier !== undefined && earlier.phoneNumber !== digitsOf(body['mobile']);
  return isOther ? problem(409, 'idempotency-mismatch') : null;
}

function refuseRefund(original: OpenCharge | undefined): Answer | null {
  if (original === undefined) return problem(404, 'checkout-session-not-found');
  return original.status === 'SUCCESSFUL' ? null : problem(400, 'checkout-refund-failed');
}

/** Creates a new session each time: Wave ignores the reference here. */
function openSession(context: FakeContext, call: FakeCall): OpenCharge {
  const provider = walletOf(call) ?? '';
  const { charge } = context.transactions.submit({
    reference: String(call.body['client_reference']),
    operation: 'DEPOSIT',
    ...countryAndCurrencyOf(provider),
    amount: String(call.body['amount']),
    phoneNumber: digitsOf(call.body['restrict_payer_mobile']),
    message: '',
    notificationUrl: context.options.notificationUrlOf?.(provider) ?? '',
  });
  return charge;
}

/** A repeated key gets the same answer and does not pay twice. A failed payout is refused in the answer. */
function payOut(context: FakeContext, call: FakeCall): Answer {
  const reference = String(call.headers['idempotency-key']);
  const earlier = context.transactions.find(reference);
  if (earlier !== undefined) context.books.repeat(reference);
  const charge =
    earlier ??
    context.transactions.submit({
      reference,
      operation: 'PAYOUT',
      ...countryAndCurrencyOf(walletOf(call) ?? ''),
      amount: String(call.body['receive_amount']),
      phoneNumber: digitsOf(call.body['mobile']),
      message: textOf(call.body['payment_reason']) ?? '',
      notificationUrl: '',
    }).charge;
  const { status, failureCode } = charge;
  return status === 'FAILED' && failureCode !== undefined
    ? problem(422, failureCode)
    : { status: 200, json: renderPayout(charge) };
}

/** Refunds the whole session, once. The refund's charge stores the session id in its message. */
function refund(context: FakeContext, call: FakeCall, original: OpenCharge | undefined): Answer {
  if (original === undefined) return problem(404, 'checkout-session-not-found');
  const earlier = refundOf(context, original);
  if (earlier !== undefined) {
    context.books.repeat(earlier.reference);
    return { status: 200, json: {} };
  }
  const { provider, amount, phoneNumber } = original;
  const { charge } = context.transactions.submit({
    reference: String(call.headers['idempotency-key']),
    operation: 'REFUND',
    ...countryAndCurrencyOf(provider),
    amount,
    phoneNumber,
    message: sessionIdOf(original),
    notificationUrl: '',
  });
  const { status } = endRefund(context, charge);
  return status === 'FAILED' ? problem(400, 'checkout-refund-failed') : { status: 200, json: {} };
}

/** Wave refunds in its answer or not at all, so a plan without an end becomes a refusal. */
function endRefund({ transactions }: FakeContext, { reference, plan }: OpenCharge): OpenCharge {
  if (plan.status === 'PENDING') return transactions.refuse(reference, 'PAYER_DECLINED');
  return transactions.approve(reference);
}

function countryAndCurrencyOf(provider: string) {
  return { provider, country: findProvider(provider)?.country ?? '', currency: 'XOF' };
}

function digitsOf(mobile: unknown): string {
  return String(mobile).replace('+', '');
}

type Kind = 'DEPOSIT' | 'PAYOUT';

/** Only records of the key's own wallet. */
function findById(context: FakeContext, call: FakeCall, kind: Kind): OpenCharge | undefined {
  const transactionId = (call.path['id'] ?? '').replace(/^[a-z]+-/, '').toUpperCase();
  const charge = context.transactions.findByTransactionId(transactionId);
  return charge?.operation === kind && charge.provider === walletOf(call) ? charge : undefined;
}

function search(context: FakeContext, call: FakeCall, kind: Kind): readonly OpenCharge[] {
  const wanted = call.query.get('client_reference');
  return context.transactions
    .list()
    .filter(({ operation, provider }) => operation === kind && provider === walletOf(call))
    .filter((charge) => referenceOf(charge) === wanted);
}

function problem(status: number, code: string): Answer {
  return { status, json: { code, message: 'Voir le code.' } };
}
