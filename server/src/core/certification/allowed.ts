// What a certification may do with people's numbers and real money. No second approver is asked, so blocked numbers,
// freezes and a small sum for each day bound it.
import { renderAmount } from '../../domain/money.ts';
import type { Frozen } from '../../domain/limits/freeze.ts';
import { addMs } from '../../domain/time.ts';
import { sumCertified } from '../../store/operators/certifications.ts';
import type { Tx } from '../../store/database.ts';
import { findFreezes } from '../../store/limits/freezes.ts';
import { lookUpNumbers } from '../../store/limits/listed-numbers.ts';
import type { TimedStore } from '../engine.ts';
import { frozenNumber } from '../limits/frozen-payments.ts';
import { NUMBER_BLOCKED } from '../limits/listed-numbers.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';
import type { CertificationOrder } from './order.ts';

const DAY_MS = 86_400_000;

/** Why nothing may be sent; null: it may. Call it in the transaction that records the run. */
export async function refusalFor(
  engine: TimedStore,
  tx: Tx,
  { order, subject }: { readonly order: CertificationOrder; readonly subject: string },
): Promise<string | null> {
  const now = await engine.clock.timeOf(tx);
  const listed = await lookUpNumbers(tx, hashesOf(engine, order), now);
  if (listed.some(({ list, merchantId }) => list === 'BLOCKED' && merchantId === null)) return NUMBER_BLOCKED;
  const { dailyMax, amount, currency } = order;
  if (dailyMax === null) return null;
  const spent = await sumCertified(tx, { subject, currency, since: addMs(now, -DAY_MS) });
  if (spent + amount <= dailyMax) return null;
  return (
    `--amount must be at most ${renderAmount(dailyMax)} ${currency} for a real account, together with the other ` +
    `runs of the last 24 hours (${renderAmount(spent)} ${currency}).`
  );
}

/** Whether nothing may leave the account now, or reach these numbers. */
export async function isFrozen(engine: TimedStore, order: CertificationOrder): Promise<boolean> {
  const asked: readonly Frozen[] = [
    { scope: 'ALL', subject: '' },
    { scope: 'PROVIDER', subject: order.provider.code },
    ...hashesOf(engine, order).map(frozenNumber),
  ];
  const { database } = engine.store;
  return (await findFreezes(database, asked, await engine.clock.timeOf(database))).length > 0;
}

function hashesOf({ store }: TimedStore, { numbers }: CertificationOrder): readonly Buffer[] {
  return Object.values(numbers).flatMap((number) => numberHashes(store.keyring, number));
}
