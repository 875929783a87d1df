// Which cells are at an operator under the same account. For them the operator's transactions, references and float are
// the same ones.
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Tx } from '../../store/database.ts';
import { listOperatorAccounts } from '../../store/operators/operator-accounts.ts';
import type { Engine } from '../engine.ts';

/**
 * Answers how to tell, from the database of a cell, whether it shares the account that this cell has at a provider.
 * Only two accounts that both cells have noted can differ: where one of them has noted none, they may be the same.
 */
export async function accountSharing(
  { store, connectorOf }: Pick<Engine, 'store' | 'connectorOf'>,
  provider: string,
): Promise<(cell: Tx) => Promise<boolean>> {
  const connectors = [...new Set(PAYMENT_KINDS.flatMap((kind) => connectorOf(provider, kind) ?? []))];
  const here = await listOperatorAccounts(store.database);
  const noted = connectors.filter((connector) => here.has(connector));
  return async (cell) => {
    if (cell === store.database || noted.length === 0) return true;
    const there = await listOperatorAccounts(cell);
    const both = noted.filter((connector) => there.has(connector));
    return both.length === 0 || both.some((connector) => here.get(connector) === there.get(connector));
  };
}
