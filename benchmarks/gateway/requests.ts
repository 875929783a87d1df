// The requests of a benchmark, prepared as texts.
import { randomUUID } from 'node:crypto';
import numbers from '../../server/src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { listProviders } from '../../server/src/domain/operators/catalogue.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { inEarlierWords } from '../../drills/kit/load/api-versions.ts';
import { requestText } from './connection.ts';

export type PreparedRequest = { readonly id: string; readonly apiToken: string; readonly text: string };

export const PLACE = { provider: 'MTN_MOMO_RWA', country: 'RWA', currency: 'RWF' } as const;

const AMOUNT = '100';

export function depositRequest(apiToken: string): PreparedRequest {
  const { path, id, body } = deposit();
  return { id, apiToken, text: requestText('POST', path, apiToken, JSON.stringify(body)) };
}

/** The same deposit in API v1. */
export function v1DepositRequest(apiToken: string): PreparedRequest {
  const { id, ...wanted } = deposit();
  const { path, body } = inEarlierWords({ ...wanted, kind: 'DEPOSIT', apiVersion: 'v2', ids: [id] });
  return { id, apiToken, text: requestText('POST', path, apiToken, JSON.stringify(body)) };
}

export function payoutRequest(apiToken: string, place: PayoutWallet): PreparedRequest {
  const id = randomUUID();
  const { phoneNumber, provider, currency } = place;
  const recipient = { type: 'MMO', accountDetails: { phoneNumber, provider } };
  const body = JSON.stringify({ payoutId: id, amount: AMOUNT, currency, recipient });
  return { id, apiToken, text: requestText('POST', '/v2/payouts', apiToken, body) };
}

/** For wrk: its scripts put a new identifier and the last digits of a payer's number in place of these bytes. */
export function depositTemplate({ id, text }: Pick<PreparedRequest, 'id' | 'text'>): string {
  return payoutTemplate({ id, text }).replace(/25078\d{7}/, '25078\x02');
}

/** The recipient stays: an employer's numbers are chosen for their outcome. */
export function payoutTemplate({ id, text }: Pick<PreparedRequest, 'id' | 'text'>): string {
  return text.replaceAll(id, '\x01');
}

export type PayoutWallet = {
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly phoneNumber: string;
};

/** Providers that pay out the amount of a benchmark, each with a number that completes. */
export function listPayoutWallets(): readonly PayoutWallet[] {
  const amount = parseAmount(AMOUNT) ?? 0n;
  return listProviders().flatMap(({ code: provider, country, currencies }) => {
    const { currency, operations: { PAYOUT: limits } = {} } = currencies[0] ?? {};
    const number = numbers.find(
      (row) => row.provider === provider && row.operation === 'PAYOUT' && row.outcome === 'COMPLETED',
    );
    if (currency === undefined || limits === undefined || number === undefined) return [];
    if (limits.minAmount > amount || limits.maxAmount < amount) return [];
    return [{ provider, country, currency, phoneNumber: number.phoneNumber }];
  });
}

/** Different payers: one payer's number would be a hot entry of the search. */
function deposit() {
  const id = randomUUID();
  const phoneNumber = `25078${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`;
  const payer = { type: 'MMO', accountDetails: { phoneNumber, provider: PLACE.provider } };
  const body = { depositId: id, amount: AMOUNT, currency: PLACE.currency, payer };
  return { id, path: '/v2/deposits', body };
}
