// Holds what payments that send money need, in the transaction that accepts them. Wallets are locked by id; who gets
// the money that is there, and the space that limits leave, is decided row by row, in the order of arrival.
import { failureReason } from '../../../domain/failure.ts';
import { renderAmount } from '../../../domain/money.ts';
import type { Tx } from '../../../store/database.ts';
import { book, ensureAccounts } from '../../../store/ledger/ledger.ts';
import { accountId, lockFunds, mustStay, NO_FUNDS } from '../../../store/ledger/wallet-funds.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { Refused } from '../admit.ts';
import { holdOf } from '../payment-postings.ts';
import { refusalOf, type OrderGate } from './count-orders.ts';
import { allocate } from './funds.ts';
import type { ResolvedCandidate } from '../payment-request.ts';

export async function holdFunds(
  tx: Tx,
  candidates: readonly ResolvedCandidate[],
  { gate, now }: { readonly gate: OrderGate; readonly now: Date },
): Promise<readonly ResolvedCandidate[]> {
  const wants = candidates.flatMap((item) => {
    if ('reason' in item.becomes || item.becomes.kind === 'DEPOSIT') return [];
    const payment = item.becomes;
    const posting = holdOf(payment, item.order.merchant.walletPerProvider ? payment.provider : '');
    const [first] = posting.legs;
    if (first === undefined) return [];
    const amount = payment.amount + payment.fee;
    return [{ item, posting, wallet: first.debit, walletId: accountId(first.debit), amount }];
  });
  if (wants.length === 0) return candidates;
  // Accounts before wallets, as everywhere.
  await ensureAccounts(
    tx,
    wants.flatMap(({ posting }) => posting.legs.map(({ credit }) => credit)),
  );
  const funds = await lockFunds(
    tx,
    wants.map(({ wallet }) => wallet),
  );
  const available = new Map([...funds].map(([id, wallet]) => [id, wallet.available]));
  const refusals = new Map<ResolvedCandidate, Refused>();
  // What a merchant owes and what holds want must stay in the wallet, also when a refund is to give back what came in.
  const leavingEnough = wants.map((want) => ({
    ...want,
    leaving: mustStay(funds.get(want.walletId) ?? NO_FUNDS),
  }));
  const { paid, short } = allocate(available, leavingEnough, {
    isFull: (item) => {
      const refusal = refusalOf(item.order, gate);
      if (refusal !== null) refusals.set(item, refusal);
      return refusal !== null;
    },
    take: ({ order }) => gate.take(order),
  });
  const isPaid = new Set(paid);
  await book(tx, { held: wants.filter(({ item }) => isPaid.has(item)).map(({ posting }) => posting) }, now);
  const isShort = new Set(short);
  const walletIds = new Map(wants.map(({ item, walletId }) => [item, walletId]));
  return candidates.map((item) => {
    const refusal = refusals.get(item);
    if (refusal !== undefined) return { ...item, becomes: refusal };
    const walletId = walletIds.get(item);
    if (walletId === undefined || 'reason' in item.becomes) return item;
    const payment: StoredPayment = item.becomes;
    return { ...item, becomes: isShort.has(item) ? outOfFunds(payment) : { ...payment, walletId } };
  });
}

function outOfFunds(payment: StoredPayment): Refused {
  const needed = renderAmount(payment.amount + payment.fee);
  const { country, currency } = payment;
  return { type: 'REJECTED', reason: failureReason('WALLET_OUT_OF_FUNDS', { country, currency, needed }) };
}
