// The balances of a cell that ends, as they are approved, stored and posted: "FLOAT RWA RWF MTN_MOMO_RWA -1500".
import { betweenCells, type PlatformBalance } from '../../../domain/ledger/postings.ts';
import { parseSigned, renderAmount } from '../../../domain/money.ts';
import { findIdentity } from '../../../store/cells/cell-names.ts';
import { insertEnding, type CellEnding } from '../../../store/cells/cell-endings.ts';
import type { Tx } from '../../../store/database.ts';
import { PLATFORM } from '../../../store/encryption/encryption.ts';
import { ensureAccounts, post } from '../../../store/ledger/ledger.ts';
import { record } from '../../audit.ts';
import type { TimedStore } from '../../engine.ts';

export function renderBalance({ account, balance }: PlatformBalance): string {
  const { type, country, currency, provider } = account;
  return [type, country, currency, ...(provider === '' ? [] : [provider]), renderAmount(balance)].join(' ');
}

/** Only ever given what `renderBalance` made. */
export function parseBalance(text: string): PlatformBalance {
  const [type = '', country = '', currency = '', ...rest] = text.split(' ');
  const amount = rest.pop() ?? '';
  const account = {
    type: type as PlatformBalance['account']['type'],
    country,
    currency,
    provider: rest[0] ?? '',
  };
  return { account, balance: parseSigned(amount) };
}

export type Ending = Pick<CellEnding, 'endingId' | 'fromCell' | 'toCell' | 'toDatabase' | 'balances'>;

/**
 * Posts the balances out of a cell or into one, with the row that says so. Both cells post them under one identifier.
 * Answers false, and does nothing, where the cell has posted them already. Throws where they would arrive in another
 * database than the one that they were approved for: whoever has its name now, both could have them.
 */
export async function postBalances(
  engine: TimedStore,
  tx: Tx,
  { ending, way, by }: { readonly ending: Ending; readonly way: 'LEAVE' | 'ARRIVE'; readonly by: string },
): Promise<boolean> {
  const { endingId, fromCell, toCell, toDatabase, balances } = ending;
  if (way === 'ARRIVE' && (await findIdentity(tx))?.databaseId !== toDatabase)
    throw new Error(`the cell ${toCell} is not the database that the balances were approved for`);
  const now = await engine.clock.timeOf(tx);
  if (!(await insertEnding(tx, { ...ending, postedAt: now }))) return false;
  const legs = betweenCells(balances.map(parseBalance), way);
  await ensureAccounts(
    tx,
    legs.flatMap(({ debit, credit }) => [debit, credit]),
  );
  const subject = { merchantId: PLATFORM, kind: 'CELL_END', id: endingId };
  await post(tx, [{ subject, template: 'CELL_END', firstLegNo: 0, legs }], now);
  const detail = { from: fromCell, to: toCell, sums: balances.join(', ') };
  const act = way === 'LEAVE' ? 'CELL_BALANCES_LEFT' : 'CELL_BALANCES_ARRIVED';
  await record(engine, tx, [{ by, act, merchantId: null, subject: endingId, detail }]);
  return true;
}
