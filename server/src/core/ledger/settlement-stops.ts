// What keeps a merchant's money from being paid to its bank now. All that stops a payout stops a settlement too. The
// bank pays outside of the gateway, so that this is asked before: when a settlement is requested, when it is listed for
// those who pay, and when it is recorded as paid. What the bank has paid all the same is a fact, and is posted.
import type { SettlementStop } from '../../domain/ledger/bank-account.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { StatementWallet } from '../../domain/wallet-statement.ts';
import type { Tx } from '../../store/database.ts';
import {
  accountId,
  mustStay,
  NO_FUNDS,
  readFundsAndClaims,
  type FundsAndClaims,
} from '../../store/ledger/wallet-funds.ts';
import { findFreezes } from '../../store/limits/freezes.ts';
import { listSuspended } from '../../store/merchants/merchants.ts';
import { findRecovery } from '../../store/recovery/recoveries.ts';
import { NotExecuted } from '../approvals/executor.ts';

export type LeavingMoney = StatementWallet & {
  readonly merchantId: string;
  /** What leaves beyond what is reserved for it: zero for a settlement that was requested. */
  readonly unreserved: Amount;
};

export type SettlementStops = {
  readonly stops: readonly SettlementStop[];
  /** Of the wallet that it leaves. */
  readonly funds: FundsAndClaims;
};

/** Why nothing may be paid to the bank now, unless the bank has paid it already. */
export type SettlementStopped = SettlementStops & {
  readonly type: 'SETTLEMENT_STOPPED';
  readonly currency: string;
};

/** What stops each of these now. Reads without a lock: who posts has locked the wallets before. */
export async function listSettlementStops<Leaving extends LeavingMoney>(
  tx: Tx,
  leaving: readonly Leaving[],
  now: Date,
): Promise<ReadonlyMap<Leaving, SettlementStops>> {
  if (leaving.length === 0) return new Map();
  const recovery = await findRecovery(tx);
  const isRecovering = recovery?.isOpen === true || recovery?.isHolding === true;
  const suspended = await listSuspended(tx, [...new Set(leaving.map(({ merchantId }) => merchantId))]);
  const freezes = await findFreezes(
    tx,
    [
      { scope: 'ALL', subject: '' },
      ...leaving.flatMap(({ merchantId, provider }) => [
        { scope: 'MERCHANT', subject: merchantId } as const,
        { scope: 'PROVIDER', subject: provider } as const,
      ]),
    ],
    now,
  );
  const frozen = new Set(freezes.map(({ scope, subject }) => `${scope} ${subject}`));
  const funds = await readFundsAndClaims(tx, leaving.map(walletOf));
  return new Map(
    leaving.map((one) => {
      const { merchantId, provider, unreserved } = one;
      const here = funds.get(accountId(walletOf(one))) ?? NO_FUNDS;
      const isFrozen = ['ALL ', `MERCHANT ${merchantId}`, `PROVIDER ${provider}`].some((name) =>
        frozen.has(name),
      );
      const stops: readonly (SettlementStop | null)[] = [
        isRecovering ? 'RECOVERING' : null,
        suspended.has(merchantId) ? 'SUSPENDED' : null,
        isFrozen ? 'FROZEN' : null,
        leavesTooLittle(here, unreserved) ? 'WALLET_OWES' : null,
      ];
      return [one, { stops: stops.filter((stop) => stop !== null), funds: here }];
    }),
  );
}

/** The same of one; null where nothing stops it. */
export async function findSettlementStopped(
  tx: Tx,
  leaving: LeavingMoney,
  now: Date,
): Promise<SettlementStopped | null> {
  const [found] = (await listSettlementStops(tx, [leaving], now)).values();
  if (found === undefined || found.stops.length === 0) return null;
  return { type: 'SETTLEMENT_STOPPED', currency: leaving.currency, ...found };
}

/** Whether less would stay than the wallet owes uncovered and its holds want. What is just short owes nothing. */
export function leavesTooLittle(funds: FundsAndClaims, unreserved: Amount): boolean {
  const claims = mustStay(funds);
  return claims > 0n && funds.available - unreserved < claims;
}

export function walletOf({ merchantId, country, currency, provider }: Omit<LeavingMoney, 'unreserved'>) {
  return { type: 'WALLET', merchantId, country, currency, provider } as const;
}

/** Codes and amounts, for words in any language. */
export function factsOfStopped({
  stops,
  funds,
  currency,
}: SettlementStopped): Readonly<Record<string, string>> {
  const { available, owed, unheld } = funds;
  return {
    stops: stops.join(', '),
    currency,
    available: renderAmount(available),
    owed: renderAmount(owed),
    unheld: renderAmount(unheld),
  };
}

const STOP_TEXTS: Readonly<Record<SettlementStop, string>> = {
  RECOVERING: 'a recovery is open',
  SUSPENDED: 'the merchant is suspended',
  FROZEN: 'a freeze is in force',
  WALLET_OWES: 'the wallet has less than it owes and its holds want',
};

/** For a person at the command line, in one line. */
export function describeStops({ stops, funds, currency }: Omit<SettlementStopped, 'type'>): string {
  const { available, owed, unheld } = funds;
  const has = `It has ${renderAmount(available)} ${currency} available, owes ${renderAmount(owed)}`;
  const wallet = stops.includes('WALLET_OWES') ? ` ${has}, and holds want ${renderAmount(unheld)} more.` : '';
  return `Not to be paid now: ${stops.map((stop) => STOP_TEXTS[stop]).join('; ')}.${wallet}`;
}

export type BankStatement = { readonly bankHasPaid?: true; readonly despite?: readonly SettlementStop[] };

/** What a request says of the bank that has paid, and of what stopped it then. Nothing where nobody states it. */
export function statementOf({
  bankHasPaid,
  stopped,
}: {
  readonly bankHasPaid: boolean;
  readonly stopped: SettlementStopped | null;
}): BankStatement {
  if (!bankHasPaid) return {};
  return { bankHasPaid, ...(stopped !== null && { despite: stopped.stops }) };
}

/** The same as an approver is shown it. */
export function showStatement({
  bankHasPaid,
  despite,
}: Readonly<Record<keyof BankStatement, unknown>> & {
  readonly despite: BankStatement['despite'] | undefined;
}): Readonly<Record<string, string>> {
  return {
    ...(bankHasPaid === true && { bankHasPaid: 'BANK_HAS_PAID' }),
    ...(despite !== undefined && { despite: despite.join(', ') }),
  };
}

/** For an approval. It stays pending: it can be given when the reason has ended, or be rejected. */
export function stoppedApproval(stopped: SettlementStopped): NotExecuted {
  return new NotExecuted(
    { code: 'SETTLEMENT_STOPPED', parameters: factsOfStopped(stopped) },
    `${describeStops(stopped)} If the bank has paid it already, reject this request, and request it again with that ` +
      'statement.',
  );
}
