// What names this process's account with each operator, hashed, for anyone who moves merchants.
import { createHmac } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { NotedAccount, OperatorAccount } from '../../store/operators/operator-accounts.ts';

/** Of connectors with settings of their own. The others' accounts are noted when their credentials are set. */
export function operatorAccountsOf(
  { simulator, keys }: Pick<Config, 'simulator' | 'keys'>,
  notedAt: Date,
): readonly OperatorAccount[] {
  const accounts = simulator === null ? [] : [['simulator', simulator.url, simulator.clientId]];
  return accounts.map(([connector = '', ...names]) => ({
    connector,
    accountHash: createHmac('sha256', keys.referenceKey)
      .update(['operator-account', connector, ...names].join('\n'))
      .digest(),
    notedAt,
  }));
}

/** The same as what identifies each account: no more than that is in its hash. */
export function accountIdsOf(accounts: readonly OperatorAccount[]): readonly NotedAccount[] {
  return accounts.map(({ connector, accountHash, notedAt }) => ({
    connector,
    account: '',
    product: '',
    accountId: accountHash.toString('hex'),
    notedAt,
  }));
}
