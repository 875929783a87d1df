// Merchants who lost records too search some of them after operator reports have shown unmatched payments: the host
// lists which of their requests operators executed, and they send those again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setup } from './setup.ts';
import type { Order, Trade } from './trade.ts';

/** A refund needs its deposit, and the parts of a split got their identifiers here. */
const KINDS: readonly string[] = ['DEPOSIT', 'PAYOUT', 'REMITTANCE'];
/** How many records of one merchant and kind are searched; the others are never sent again. */
const RECORDS_MAX = 2;

/** Returns how many requests were sent again. */
export async function findAgain(setup: Setup, trade: Trade, unmatched: readonly Order[]): Promise<number> {
  const possible = unmatched.filter(({ request }) => KINDS.includes(request.kind));
  const records = [...Map.groupBy(possible, (order) => `${order.merchant.merchantId} ${order.request.kind}`)]
    .map(([, orders]) => orders)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, RECORDS_MAX);
  const made = new Set((await Promise.all(records.map((orders) => find(setup, orders)))).flat());
  const again = records.flat().flatMap((order) => onlyMade(order, made));
  await Promise.all(again.map(({ merchant, request }) => trade.load.initiate(merchant, request)));
  return again.length;
}

/**
 * Of a bulk only what was advised: a payout that its operator has not paid yet is in no report, and would be sent a
 * second time.
 */
function onlyMade({ merchant, request, sentAt }: Order, made: ReadonlySet<string>): readonly Order[] {
  const ids = request.ids.filter((id) => made.has(id));
  if (ids.length === 0) return [];
  const { body } = request;
  const part = Array.isArray(body) ? body.filter(({ payoutId }) => made.has(String(payoutId))) : body;
  return [{ merchant, request: { ...request, ids, body: part }, sentAt }];
}

/** What `unmatched-payment find` lists to be sent again, of one merchant and kind. */
async function find(setup: Setup, orders: readonly Order[]): Promise<readonly string[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const { merchantId } = first.merchant;
  const { kind } = first.request;
  const file = join(setup.scratch.folder('records'), `${merchantId}-${kind}.txt`);
  writeFileSync(file, `${orders.flatMap(({ request }) => request.ids).join('\n')}\n`);
  const question = ['unmatched-payment', 'find', '--merchant', merchantId, '--kind', kind, '--file', file];
  const lines = (await setup.command(question)).split('\n').map((line) => line.split('\t'));
  return lines.flatMap(([id = '', advice]) => (advice === 'SEND AGAIN' ? [id] : []));
}
