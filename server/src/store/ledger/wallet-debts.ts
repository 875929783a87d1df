// Debts of merchants as rows, beside the wallets whose owed sum they are. Changed only under the wallet's lock.
import { payOldestFirst, type Debt } from '../../domain/ledger/debts.ts';
import { beside, type Leg } from '../../domain/ledger/postings.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { amountOfNumeric, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import { accountId } from './wallet-funds.ts';

/** A debt has the name of the transfer that it began with. */
export type DebtName = {
  readonly subject: { readonly kind: string; readonly id: string };
  readonly legNo: number;
};

const opened = columns({
  subjectId: 'uuid',
  subjectKind: 'text',
  legNo: 'int',
  merchantId: 'uuid',
  accountId: 'uuid',
  amount: 'numeric',
  owedSince: 'timestamptz',
});

const insertDebts = rowInserter<Row<typeof opened>>('wallet_debts', opened.cells);

/** A posted leg, and the debt that its posting is about; undefined where a credit pays whatever is owed. */
export type DebtLeg = Leg & {
  readonly subject: DebtName['subject'] & { readonly merchantId: string };
  readonly legNo: number;
  readonly debt?: DebtName | undefined;
};

/** Writes what posted legs mean for debts. Their wallets must be locked, and changed already. */
export async function changeDebts(tx: Tx, legs: readonly DebtLeg[], now: Date): Promise<void> {
  await insertDebts(
    tx,
    legs.filter(opensDebt).map(({ subject, legNo, debit, amount }) => ({
      subjectId: subject.id,
      subjectKind: subject.kind,
      legNo,
      merchantId: subject.merchantId,
      accountId: accountId(beside(debit, 'WALLET')),
      amount,
      owedSince: now,
    })),
  );
  for (const [name, change] of changesOfNamed(legs)) await changeDebt(tx, name, change);
  for (const { debit, amount, debt } of legs.filter(paysDebt)) {
    if (debt === undefined) await payOldest(tx, accountId(debit), amount);
  }
}

type DebtChange = Pick<Debt, 'paid' | 'forgiven'>;

/** All at once for each debt: what is forgiven and what is given back of it belong together. */
function changesOfNamed(legs: readonly DebtLeg[]): readonly (readonly [DebtName, DebtChange])[] {
  const changes = new Map<string, readonly [DebtName, DebtChange]>();
  for (const leg of legs) {
    const change = changeBy(leg);
    if (change === null) continue;
    // Only what is collected may leave open which debt it is for.
    if (leg.debt === undefined) throw new Error(`${leg.subject.kind} ${leg.subject.id} names no debt`);
    const text = nameValues(leg.debt).join(' ');
    const [, { paid, forgiven }] = changes.get(text) ?? [leg.debt, { paid: 0n, forgiven: 0n }];
    changes.set(text, [leg.debt, { paid: paid + change.paid, forgiven: forgiven + change.forgiven }]);
  }
  return [...changes.values()];
}

/** Null where the leg changes no debt, opens one, or pays whichever is the oldest. */
function changeBy(leg: DebtLeg): DebtChange | null {
  const { debit, credit, amount, debt } = leg;
  if (paysDebt(leg)) return debt === undefined ? null : { paid: amount, forgiven: 0n };
  if (debit.type === 'RECEIVABLE' && credit.type === 'WALLET') return { paid: -amount, forgiven: 0n };
  return credit.type === 'RECEIVABLE' ? { paid: 0n, forgiven: amount } : null;
}

function opensDebt({ debit, credit }: Leg): boolean {
  return debit.type === 'RECEIVABLE' && credit.type !== 'WALLET';
}

function paysDebt({ debit, credit }: Leg): boolean {
  return debit.type === 'WALLET' && credit.type === 'RECEIVABLE';
}

const debts = columns({ amount: 'numeric', paid: 'numeric', forgiven: 'numeric' });
const named = columns({ subjectId: 'uuid', subjectKind: 'text', legNo: 'int', ...debts.defs });

const OF_NAME = 'subject_id = $1 and subject_kind = $2 and leg_no = $3';
const nameValues = ({ subject, legNo }: DebtName) => [subject.id, subject.kind, legNo];

/** Null where the transfer began no debt. */
export async function findDebt(tx: Tx, name: DebtName): Promise<Debt | null> {
  return debts.find(tx, `from wallet_debts where ${OF_NAME}`, nameValues(name));
}

/** What the merchant owes for a payment that its operator took back. */
export async function sumUnpaid(tx: Tx, { merchantId, kind, paymentId }: PaymentKey): Promise<Amount> {
  const { rows } = await tx.query<{ unpaid: string }>(
    `select coalesce(sum(d.amount - d.paid - d.forgiven), 0)::text as unpaid from payment_keys k
     join wallet_debts d on d.subject_id = k.payment_no and d.subject_kind = k.kind::text
     where k.merchant_id = $1 and k.kind = $2 and k.payment_id = $3`,
    [merchantId, kind, paymentId],
  );
  return rows[0] === undefined ? 0n : amountOfNumeric(rows[0].unpaid);
}

/** How many debts are looked at in one go. Most credits pay one or two. */
const PAID_AT_ONCE = 50;

/**
 * As far as there are debts: should they ever be fewer than the wallet's sum, a credit is recorded all the same, and a
 * check of the books finds the difference.
 */
async function payOldest(tx: Tx, walletId: string, credited: Amount): Promise<void> {
  let left = credited;
  while (left > 0n) {
    const oldest = await named.select(
      tx,
      `from wallet_debts where account_id = $1 and paid + forgiven < amount
       order by owed_since, subject_id, leg_no limit ${PAID_AT_ONCE}`,
      [walletId],
    );
    const payments = payOldestFirst(oldest, left);
    if (payments.length === 0) return;
    for (const { debt, amount } of payments) {
      const { subjectKind: kind, subjectId: id, legNo } = debt;
      await changeDebt(tx, { subject: { kind, id }, legNo }, { paid: amount, forgiven: 0n });
      left -= amount;
    }
  }
}

async function changeDebt(tx: Tx, name: DebtName, { paid, forgiven }: DebtChange): Promise<void> {
  const { rowCount } = await tx.query(
    `update wallet_debts set paid = paid + $4, forgiven = forgiven + $5 where ${OF_NAME}`,
    [...nameValues(name), renderAmount(paid), renderAmount(forgiven)],
  );
  if (rowCount !== 1) throw new Error(`there is no debt ${name.subject.id} ${name.legNo}`);
}
