// Which cells are at an operator under the same account. For them the operator's transactions, references and float are
// the same ones.
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Tx } from '../../store/database.ts';
import { listNotedAccounts, type NotedAccount } from '../../store/operators/operator-accounts.ts';
import type { Engine } from '../engine.ts';

/**
 * Answers how to tell, from the database of a cell, whether it shares an account that this cell has, or ever had, at a
 * provider. What counts is what identifies an account at its operator: not its secrets, which are rotated in one cell
 * after the other, nor the name that a cell's settings give it, nor which other accounts a cell has. An account that
 * was replaced still counts, because its transactions come late. Accounts of different products say nothing about each
 * other, and where one of the cells has noted none, they may be the same.
 */
export async function accountSharing(
  { store, connectorOf }: Pick<Engine, 'store' | 'connectorOf'>,
  provider: string,
): Promise<(cell: Tx) => Promise<boolean>> {
  const connectors = [...new Set(PAYMENT_KINDS.flatMap((kind) => connectorOf(provider, kind) ?? []))];
  const noted = await listNotedAccounts(store.database, connectors);
  return async (cell) => {
    if (cell === store.database || noted.length === 0) return true;
    const there = await listNotedAccounts(cell, connectors);
    const verdicts = connectors.map((connector) =>
      compare(
        ofProvider(
          noted.filter((one) => one.connector === connector),
          provider,
        ),
        there.filter((one) => one.connector === connector),
      ),
    );
    return verdicts.includes('SAME') || !verdicts.includes('DIFFERENT');
  };
}

/** An account is named after its provider unless the settings name it otherwise: then any of them may be meant. */
function ofProvider(accounts: readonly NotedAccount[], provider: string): readonly NotedAccount[] {
  const named = accounts.filter(({ account }) => account === provider);
  return named.length > 0 ? named : accounts;
}

/** All accounts of the other cell are compared, because it may give the same one another name. */
function compare(
  here: readonly NotedAccount[],
  there: readonly NotedAccount[],
): 'SAME' | 'DIFFERENT' | 'UNKNOWN' {
  const ids = new Set(there.map(({ product, accountId }) => `${product} ${accountId}`));
  if (here.some(({ product, accountId }) => ids.has(`${product} ${accountId}`))) return 'SAME';
  const products = new Set(there.map(({ product }) => product));
  return here.some(({ product }) => products.has(product)) ? 'DIFFERENT' : 'UNKNOWN';
}
