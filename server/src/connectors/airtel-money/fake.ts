// Airtel's fake: the open API over HTTP, with its known behaviour. Tokens expire after three minutes, refusals use HTTP
// 200, SUCCESS can mean that only the prompt was sent, `success` can be false for a success, keys change, and callbacks
// go to one address.
import { randomInt } from 'node:crypto';
import { findCountry, findProvider } from '../../domain/operators/catalogue.ts';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { FakeOptions, OperatorFake } from '../../sandbox/fakes/operator-fake.ts';
import { startFakeKit, type FakeCall, type Route } from '../../sandbox/fakes/kit.ts';
import { holderOf } from '../../sandbox/fakes/payers/holders.ts';
import { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import { textOf } from '../json.ts';
import { ONLY_PRODUCT } from '../operator.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import {
  callerOf,
  clientOf,
  currencyOf,
  dialectFor,
  nationalOf,
  refuseCaller,
  type Front,
} from './fake-caller.ts';
import { FakeKeys, secretsOf } from './fake-keys.ts';
import {
  partOf,
  refused,
  renderBalance,
  renderCallback,
  renderEnvelope,
  renderHolder,
  renderStatus,
  routerProblem,
} from './fake-words.ts';
import { habitsOf } from './markets.ts';

/** Settings for every account, to test behaviour on which sources disagree. */
type Played = { readonly accountSettings?: Readonly<Record<string, string>> };

export const startFake = (options: FakeOptions & Played): Promise<OperatorFake> =>
  startFakeKit({ tokenLifetimeSeconds: 180, ...options }, (context) => {
    const settings = options.accountSettings ?? {};
    const tokens = new FakeTokens<string>(context.clock);
    const front: Front = { context, tokens, keys: new FakeKeys(context.clock), settings };
    return {
      routes: [...openRoutes(front), ...requestRoutes(front), ...enquiryRoutes(front)],
      render: renderCallback,
      habits: {
        createTransactionId: () => String(randomInt(10_000_000_000, 99_999_999_999)),
        unknownCode: 'DP00800009999',
        refusalOf: (refusal) => ({ status: 'FAILED', failureCode: REFUSALS[refusal] }),
      },
      credentialsOf: (provider) => ({
        [ONLY_PRODUCT]: { baseUrl: context.url, ...secretsOf(provider), ...settings },
      }),
    };
  });

const REFUSALS = {
  PAYER_DECLINED: 'DP00800001008',
  PIN_BLOCKED: 'DP00800001002',
  PIN_TIMEOUT: 'DP00800001024',
} as const;

function openRoutes(front: Front): readonly Route[] {
  const { context, tokens, keys } = front;
  return [
    {
      method: 'POST',
      path: /^\/auth\/oauth2\/token$/,
      step: 'token',
      refuses: (call) =>
        clientOf(call) === undefined ? { status: 400, json: { error: 'invalid_client' } } : null,
      answer: (call) => {
        const { tokenLifetimeSeconds } = context.settings;
        const access_token = tokens.issue(clientOf(call) ?? '', tokenLifetimeSeconds);
        return {
          status: 200,
          json: { access_token, expires_in: String(tokenLifetimeSeconds), token_type: 'bearer' },
        };
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/rsa\/encryption-keys$/,
      step: 'token',
      refuses: (call) => refuseCaller(front, call),
      answer: (call) => ({
        status: 200,
        json: { data: keys.render(dialectFor(front, call).encryption), status: renderEnvelope({}) },
      }),
    },
  ];
}

const REQUESTS = {
  DEPOSIT: { path: /^\/merchant\/(?<version>v\d)\/payments\/$/, mismatch: 'DP00800001026' },
  PAYOUT: { path: /^\/standard\/(?<version>v\d)\/disbursements\/$/, mismatch: 'DP00900001016' },
  REFUND: { path: /^\/standard\/(?<version>v\d)\/payments\/refund$/, mismatch: 'DP00800001026' },
} as const;

function requestRoutes(front: Front): readonly Route[] {
  const refunded = new Set<string>();
  const refuse = {
    DEPOSIT: (call: FakeCall) => refuseParty(front, call, 'subscriber'),
    PAYOUT: (call: FakeCall) => refuseDisbursement(front, call),
    REFUND: (call: FakeCall) => refuseRefund(front, call, refunded),
  };
  const actions = { DEPOSIT: collect, PAYOUT: disburse, REFUND: refund(refunded) };
  return (['DEPOSIT', 'PAYOUT', 'REFUND'] as const).map((operation) => ({
    method: 'POST',
    path: REQUESTS[operation].path,
    step: 'submit',
    refuses: (call) =>
      refuseCaller(front, call) ?? refuseUnsigned(front, call, operation) ?? refuse[operation](call),
    subject: (call) => subjectOf(front, call, operation),
    answer: (call) => actions[operation](front, call),
  }));
}

/**
 * A market supports one version of each endpoint. Where it requires signatures, an unsigned request is refused first.
 */
function refuseUnsigned(front: Front, call: FakeCall, operation: keyof typeof REQUESTS) {
  const { keys } = front;
  const { isSigned, encryption, collections, disbursements } = dialectFor(front, call);
  const expected = operation === 'PAYOUT' ? disbursements : collections;
  if (call.path['version'] !== expected) return routerProblem('ROUTER005');
  const signature = String(call.headers['x-signature'] ?? '');
  const key = String(call.headers['x-key'] ?? '');
  if (!isSigned || keys.isSignatureOf(call.text, encryption, { signature, key })) return null;
  const status = renderEnvelope({ code: '403', response_code: REQUESTS[operation].mismatch, success: false });
  return { status: 403, json: { status } };
}

function refuseParty(
  { tokens, settings }: Front,
  call: FakeCall,
  party: 'subscriber' | 'payee',
): Answer | null {
  const { body } = call;
  const provider = callerOf(tokens, call);
  const { nationalDigits = [] } = findCountry(findProvider(provider)?.country ?? '') ?? {};
  const { numberPrefix = '' } = habitsOf({ values: settings });
  const given = textOf(partOf(body, party)['msisdn']) ?? '';
  if (!given.startsWith(numberPrefix)) return refused('ESB000033');
  const number = given.slice(numberPrefix.length);
  if (!/^\d+$/.test(number) || !nationalDigits.includes(number.length)) return refused('ESB000033');
  const { amount, id } = partOf(body, 'transaction');
  const isValid =
    typeof amount === 'number' &&
    /^[A-Za-z0-9]{4,64}$/.test(String(body['reference'])) &&
    /^[A-Za-z0-9]+$/.test(String(id));
  return isValid ? null : refused('ESB000008');
}

function refuseDisbursement(front: Front, call: FakeCall): Answer | null {
  const { disbursements, encryption } = dialectFor(front, call);
  const { type } = partOf(call.body, 'transaction');
  const { wallet_type: wallet } = partOf(call.body, 'payee');
  if (disbursements !== 'v1' && type !== 'B2C') return routerProblem('ROUTER003');
  if (disbursements === 'v3' && wallet !== 'NORMAL') return routerProblem('ROUTER003');
  const pin = front.keys.decrypt(encryption, String(call.body['pin']));
  if (pin === null || !/^\d+$/.test(pin)) return routerProblem('ROUTER116');
  if (pin !== secretsOf(callerOf(front.tokens, call)).pin) return routerProblem('ROUTER115');
  return refuseParty(front, call, 'payee');
}

function refuseRefund(front: Front, call: FakeCall, refunded: ReadonlySet<string>): Answer | null {
  const original = originalOf(front, call);
  if (original?.status !== 'SUCCESSFUL') return refused('ESB000045');
  return refunded.has(original.transactionId) ? refused('ESB000011') : null;
}

function originalOf({ context, tokens }: Front, call: FakeCall): OpenCharge | undefined {
  const receipt = textOf(partOf(call.body, 'transaction')['airtel_money_id']) ?? '';
  const charge = context.transactions.findByTransactionId(receipt);
  const isOwn = charge?.operation === 'DEPOSIT' && charge.provider === callerOf(tokens, call);
  return isOwn ? charge : undefined;
}

function subjectOf(front: Front, call: FakeCall, operation: PaymentKind) {
  const { reference, phoneNumber } = requestOf(front, call, operation);
  return { reference, operation, phoneNumber };
}

/** The parsed request. A refund has no reference of ours in its body, so the header identifies it. */
function requestOf(front: Front, call: FakeCall, operation: PaymentKind) {
  const { context, tokens } = front;
  const provider = callerOf(tokens, call);
  const country = findProvider(provider)?.country ?? '';
  const original = operation === 'REFUND' ? originalOf(front, call) : undefined;
  const { amount, id } = partOf(call.body, 'transaction');
  const { msisdn } = partOf(call.body, operation === 'DEPOSIT' ? 'subscriber' : 'payee');
  return {
    reference: textOf(id) ?? String(call.headers['x-correlation-id']),
    operation,
    provider,
    country,
    amount: original?.amount ?? renderAmount(parseAmount(String(amount)) ?? 0n),
    currency: currencyOf(provider, call),
    phoneNumber: original?.phoneNumber ?? `${findCountry(country)?.prefix}${nationalOf(front, msisdn)}`,
    message: textOf(call.body['reference']) ?? '',
    notificationUrl: context.options.notificationUrlOf?.(provider) ?? '',
  };
}

/** Airtel reports SUCCESS although only the prompt was sent. */
function collect(front: Front, call: FakeCall): Answer {
  const { charge, isRepeat } = front.context.transactions.submit(requestOf(front, call, 'DEPOSIT'));
  if (isRepeat) return refused('ESB000041');
  const status = renderEnvelope({ response_code: 'DP00800001006' });
  return {
    status: 200,
    json: { data: { transaction: { id: charge.reference, status: 'SUCCESS' } }, status },
  };
}

function disburse(front: Front, call: FakeCall): Answer {
  const { charge, isRepeat } = front.context.transactions.submit(requestOf(front, call, 'PAYOUT'));
  if (isRepeat) return { status: 200, json: { status: renderEnvelope(DUPLICATE) } };
  return { status: 200, json: renderStatus(charge, { success: charge.status !== 'FAILED' }) };
}

const DUPLICATE = { response_code: 'DP00900001017', result_code: 'ESB000011', success: false };

/**
 * As in Airtel's own example: the refund is done and `success` is false. It is final in the answer; there is no
 * enquiry.
 */
function refund(refunded: Set<string>) {
  return (front: Front, call: FakeCall): Answer => {
    refunded.add(originalOf(front, call)?.transactionId ?? '');
    const { transactions } = front.context;
    const { reference } = transactions.submit(requestOf(front, call, 'REFUND')).charge;
    const charge = transactions.approve(reference);
    if (charge.status !== 'SUCCESSFUL')
      return { status: 200, json: renderStatus(charge, { success: false }) };
    const transaction = { airtel_money_id: charge.transactionId, status: 'SUCCESS' };
    return { status: 200, json: { data: { transaction }, status: renderEnvelope({ success: false }) } };
  };
}

/** A market supports one version of the enquiry. From version 2 on, the type is required. */
function refuseEnquiry(front: Front, call: FakeCall): Answer | null {
  const { enquiries } = dialectFor(front, call);
  if (call.path['version'] !== enquiries) return routerProblem('ROUTER005');
  const isTyped = enquiries === 'v1' || call.query.get('transactionType') === 'B2C';
  return isTyped ? null : routerProblem('ROUTER003');
}

function enquiryRoutes(front: Front): readonly Route[] {
  const { context, tokens } = front;
  const refuses = (call: FakeCall) => refuseCaller(front, call);
  const refusesUntyped = (call: FakeCall) => refuses(call) ?? refuseEnquiry(front, call);
  const subject = ({ path }: FakeCall) => context.transactions.find(path['reference'] ?? '') ?? {};
  const enquiry = (path: RegExp, operation: PaymentKind, notFound: Answer): Route => ({
    method: 'GET',
    path,
    step: 'query',
    refuses: operation === 'PAYOUT' ? refusesUntyped : refuses,
    subject,
    answer: (call) => {
      const charge = context.transactions.find(call.path['reference'] ?? '');
      return charge?.operation === operation
        ? { status: 200, json: renderStatus(charge, { success: false }) }
        : notFound;
    },
  });
  return [
    enquiry(/^\/standard\/v1\/payments\/(?<reference>[^/]+)$/, 'DEPOSIT', refused('ESB000045')),
    enquiry(/^\/standard\/(?<version>v\d)\/disbursements\/(?<reference>[^/]+)$/, 'PAYOUT', {
      status: 404,
      json: { status: renderEnvelope({ code: '404', response_code: 'DP00900001015', success: false }) },
    }),
    {
      method: 'GET',
      path: /^\/standard\/v[12]\/users\/balance$/,
      step: 'balance',
      refuses,
      answer: (call) => ({ status: 200, json: renderBalance(context, callerOf(tokens, call), call) }),
    },
    {
      method: 'GET',
      path: /^\/standard\/v1\/users\/(?<msisdn>\d+)$/,
      step: 'holder',
      refuses,
      answer: (call) => {
        const provider = callerOf(tokens, call);
        const prefix = findCountry(findProvider(provider)?.country ?? '')?.prefix ?? '';
        const msisdn = nationalOf(front, call.path['msisdn']);
        return renderHolder(msisdn, holderOf({ provider, phoneNumber: `${prefix}${msisdn}` }));
      },
    },
  ];
}
