// Renders the fake's answers, errors and callbacks in Airtel's formats, including the unusual ones.
import { createHmac } from 'node:crypto';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { FakeCall, FakeContext } from '../../sandbox/fakes/kit.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { RenderMessage } from '../../sandbox/fakes/announcements.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { secretsOf } from './fake-keys.ts';

export function partOf(body: JsonObject, name: string): JsonObject {
  const part = body[name];
  return isObject(part) ? part : {};
}

type Envelope = {
  readonly code?: string;
  readonly response_code?: string;
  readonly result_code?: string;
  readonly success?: boolean;
};

export function renderEnvelope(reported: Envelope): object {
  const { code = '200', result_code = 'ESB000010', success = true } = reported;
  return { code, message: 'See the code.', ...reported, result_code, success };
}

/** Airtel sends most refusals with HTTP 200. */
export function refused(result_code: string): Answer {
  return { status: 200, json: { status: renderEnvelope({ code: '200', result_code, success: false }) } };
}

/** The API gateway does not use the usual envelope. */
export function routerProblem(status_code: string): Answer {
  return { status: 400, json: { status_code, status_message: 'See the code.' } };
}

const STATUSES = { PENDING: 'TIP', SUCCESSFUL: 'TS', FAILED: 'TF' } as const;

/** Airtel sends neither amount nor phone number, and a receipt only for successes. */
export function renderStatus(charge: OpenCharge, { success }: { readonly success: boolean }): object {
  const { reference: id, status, transactionId } = charge;
  const receipt = status === 'SUCCESSFUL' ? { airtel_money_id: transactionId } : {};
  const code = codeOf(charge);
  return {
    data: { transaction: { id, message: 'See the status.', status: STATUSES[status], ...receipt } },
    status: renderEnvelope({ ...(code === undefined ? {} : { response_code: code }), success }),
  };
}

function codeOf({ operation, status, failureCode }: OpenCharge): string | undefined {
  const family = operation === 'PAYOUT' ? 'DP0090000' : 'DP0080000';
  if (status === 'FAILED') return failureCode;
  return status === 'SUCCESSFUL' ? `${family}1001` : `${family}1006`;
}

/** The older endpoint has one wallet, the newer one two. Both use commas as thousands separators. */
export function renderBalance({ books, options }: FakeContext, provider: string, call: FakeCall): object {
  const currency = String(call.headers['x-currency']);
  const total = books.view().totals.find((one) => one.provider === provider && one.currency === currency);
  const opening = parseAmount(options.openingFloat ?? '0') ?? 0n;
  const received = parseAmount(total?.received ?? '0') ?? 0n;
  const sent = parseAmount(total?.sent ?? '0') ?? 0n;
  const type = call.query.get('type');
  const balance = opening + (type === 'DISB' ? 0n : received) - (type === 'COLL' ? 0n : sent);
  const [whole = '', cents = ''] = renderAmount(balance).split('.');
  const written = `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`;
  return {
    data: { balance: written, currency, account_status: 'Active' },
    status: renderEnvelope({ response_code: 'DP02100000001' }),
  };
}

type Named = { readonly givenName: string; readonly familyName: string };

/** A number without an account is refused with HTTP 200, like most. */
export function renderHolder(msisdn: string, holder: Named | null): Answer {
  if (holder === null) return refused('DP02200000002');
  const { givenName: first_name, familyName: last_name } = holder;
  const data = { msisdn, first_name, last_name, grade: 'SUBS', is_barred: false, is_pin_set: true };
  return { status: 200, json: { data, status: renderEnvelope({ response_code: 'DP02200000001' }) } };
}

/**
 * Markets differ in what they hash and where they put the hash. Slashes are escaped and texts contain braces, so a
 * receiver that serialises the message again before checking gets another hash.
 */
export const renderCallback: RenderMessage = (charge, { isForged }) => {
  const { provider, notificationUrl: url } = charge;
  const key = isForged ? 'somebody guessed' : secretsOf(provider).callbackKey;
  const hashOf = (text: string) => createHmac('sha256', key).update(text).digest('base64');
  const transaction = JSON.stringify(callbackOf(charge)).replaceAll('/', String.raw`\/`);
  const plain = `{"transaction":${transaction}}`;
  const headers = { 'content-type': 'application/json' };
  switch (findProvider(provider)?.country) {
    case 'COG':
      return { url, headers: { ...headers, hash: hashOf(plain) }, body: plain };
    case 'ZMB':
      return { url, headers, body: `{"transaction":${transaction},"hash":"${hashOf(plain)}"}` };
    case undefined:
    default:
      return { url, headers, body: `{"transaction": ${transaction}, "hash": "${hashOf(transaction)}"}` };
  }
};

/** Unlike an enquiry, a callback has a transaction id for a failure too. */
function callbackOf(charge: OpenCharge): object {
  const { reference: id, status, transactionId, currency } = charge;
  return {
    status_code: STATUSES[status],
    code: codeOf(charge),
    airtel_money_id: transactionId,
    id,
    message: `TID ${transactionId} {${currency}} https://airtel.example/help`,
  };
}
