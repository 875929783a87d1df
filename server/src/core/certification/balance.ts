// The balance of the account that is tried. It also shows a second charge under a reference that no one here knows.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import { failed, notTried, proved, type Finding } from './finding.ts';
import { expectedReference, UNHEARD, type Trial } from './trial.ts';

type Balance = { readonly amount: Amount; readonly isMessage: boolean };

export async function tryBalance(trial: Trial): Promise<Finding> {
  const operation = trial.order.account.kinds.includes('PAYOUT') ? 'PAYOUT' : 'DEPOSIT';
  const balance = await askBalance(trial, 'balance', operation);
  if ('result' in balance) return balance;
  return proved(balance.isMessage ? 'BALANCE, by a message' : 'BALANCE');
}

/** The finding says why there is none. */
export async function askBalance(
  trial: Trial,
  name: string,
  operation: PaymentKind,
): Promise<Balance | Finding> {
  const { connector, order, inbox, patience } = trial;
  const { code: provider, country } = order.provider;
  const reference = expectedReference(trial, name, operation);
  const asked = { provider, country, currency: order.currency, operation, reference };
  const answer = await connector.balance?.(asked);
  if (answer?.type === 'BALANCE') return { amount: answer.amount, isMessage: false };
  if (answer?.type === 'NOT_ASKED') return notTried('the connector did not ask');
  if (answer?.type !== 'REQUESTED') return failed('the balance was not readable');
  if (inbox === null) return notTried(UNHEARD);
  const told = await inbox.find(reference, ({ reading }) => reading.type === 'BALANCE', patience.endMs);
  return told?.type === 'BALANCE'
    ? { amount: told.amount, isMessage: true }
    : failed(`no balance came within ${patience.endMs / 1_000} s`);
}

/** How long a second charge may take: a payer may have to approve it. A fake charges at once. */
const SECOND_CHARGE_MS = 120_000;

/** What a repeat did to the balance. Where it cannot be read, nothing is known of a second charge. */
export async function watchBalance(
  trial: Trial,
  before: Balance | Finding,
  { name, operation }: { readonly name: string; readonly operation: PaymentKind },
): Promise<Finding> {
  const { patience, order } = trial;
  if ('result' in before) return UNSEEN;
  const until = performance.now() + (order.account.place === 'FAKE' ? 0 : SECOND_CHARGE_MS);
  for (let no = 1; ; no += 1) {
    const now = await askBalance(trial, `${name}/${no}`, operation);
    if ('result' in now) return UNSEEN;
    const change = now.amount - before.amount;
    if (change !== 0n) {
      return failed(
        `the balance changed by ${renderAmount(change)} after the repeat: a second charge, unless other payments ` +
          'used this account',
      );
    }
    if (performance.now() >= until) return proved('COMPLETED, and the balance stayed the same');
    await sleep(patience.askEveryMs);
  }
}

const UNSEEN = proved('COMPLETED; the balance was not read, so look for a second charge in the statement');
