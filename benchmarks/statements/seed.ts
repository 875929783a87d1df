// A month of a busy wallet: deposits, payouts and refunds with fees, top-ups, settlements and corrections, written with
// the gateway's own statements, so that the books are realistic.
import { randomUUID } from 'node:crypto';
import { timedUuid } from '../../server/src/store/timed-uuid.ts';
import { parseAmount, type Amount } from '../../server/src/domain/money.ts';
import type { PaymentKind } from '../../server/src/domain/payments/payment.ts';
import {
  adjustment,
  outgoing,
  settleDeposit,
  settlement,
  topUp,
  type Leg,
  type Posted,
} from '../../server/src/domain/ledger/postings.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { loadDataKeys } from '../../server/src/store/encryption/data-keys.ts';
import { book, ensureAccounts, type Posting } from '../../server/src/store/ledger/ledger.ts';
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';
import { insertPaymentKeys } from '../../server/src/store/payments/payment-keys.ts';
import { insertPayments, type StoredPayment } from '../../server/src/store/payments/payments.ts';
import { amountOfNumeric } from '../../server/src/store/columns.ts';
import type { Say } from '../../drills/kit/program.ts';
import { PLACE, type Setup } from './setup.ts';

export type Span = { readonly startsAt: Date; readonly endsAt: Date };

const DAY_MS = 24 * 3_600_000;
const BATCH = 500;
const FEE = parseAmount('7.5') ?? 0n;

/** One movement of a wallet. */
type Planned = { readonly posting: Posting; readonly payment: StoredPayment | null };

/** The first movement is before the period, so that the statement does not start at zero. */
export async function seedMovements(
  setup: Setup,
  { rows, say }: { readonly rows: number; readonly say: Say },
): Promise<Span> {
  const endsAt = new Date(Date.now() - 60_000);
  const startsAt = new Date(endsAt.getTime() - 30 * DAY_MS);
  await loadDataKeys(setup.engine.store, [setup.merchantId]);
  const before = new Date(startsAt.getTime() - DAY_MS);
  await write(
    setup,
    [movement(setup, 'TOP_UP', topUp(postedOf(setup, parseAmount('100000000') ?? 0n)))],
    before,
  );
  for (let from = 0; from < rows; from += BATCH) {
    const planned = Array.from({ length: Math.min(BATCH, rows - from) }, (_, index) =>
      plan(setup, from + index),
    );
    await write(setup, planned, new Date(startsAt.getTime() + Math.floor(((29 * DAY_MS) / rows) * from)));
    if ((from + BATCH) % 10_000 === 0 || from + BATCH >= rows) say(`${from + planned.length} movements`);
  }
  return { startsAt, endsAt };
}

/** The sums of the transfers themselves, without the statement's own code. */
export async function sumOfTransfers({ engine, merchantId }: Setup, before: Date): Promise<Amount> {
  const { country, currency } = PLACE;
  const id = accountId({ type: 'WALLET', merchantId, country, currency, provider: '' });
  const { rows } = await engine.store.database.query<{ sum: string }>(
    `select sum(case when credit_account_id = $1 then amount else -amount end)::text as sum from transfers
     where (credit_account_id = $1 or debit_account_id = $1) and state = 'POSTED'
       and coalesce(settled_at, created_at) < $2`,
    [id, before],
  );
  return amountOfNumeric(rows[0]?.sum ?? '0');
}

function plan(setup: Setup, number: number): Planned {
  const posted = postedOf(setup, parseAmount(String(100 + (number % 900))) ?? 0n);
  switch (number % 10) {
    case 6:
    case 7:
      return payment(setup, 'PAYOUT', number, posted);
    case 8:
      return payment(setup, 'REFUND', number, posted);
    case 9:
      return number % 3 === 0
        ? movement(setup, 'TOP_UP', topUp(posted))
        : number % 3 === 1
          ? movement(setup, 'SETTLEMENT', settlement(posted))
          : movement(setup, 'ADJUSTMENT', adjustment({ ...posted, amount: -posted.amount }));
    default:
      return payment(setup, 'DEPOSIT', number, posted);
  }
}

function postedOf({ merchantId }: Setup, amount: Amount): Posted {
  return { merchantId, ...PLACE, walletProvider: '', amount, fee: FEE };
}

function movement({ merchantId }: Setup, kind: string, legs: readonly Leg[]): Planned {
  const subject = { merchantId, kind, id: randomUUID() };
  return { posting: { subject, template: kind, firstLegNo: 0, legs }, payment: null };
}

function payment({ merchantId }: Setup, kind: PaymentKind, number: number, posted: Posted): Planned {
  const paymentId = randomUUID();
  const paymentNo = timedUuid(new Date());
  const isDeposit = kind === 'DEPOSIT';
  const legs = isDeposit ? settleDeposit(posted) : outgoing(posted);
  const template = isDeposit ? 'SETTLE' : 'OUTGOING';
  const row: StoredPayment = {
    merchantId,
    kind,
    paymentId,
    paymentNo,
    writtenId: paymentId,
    apiVersion: 'v2',
    state: 'COMPLETED',
    amount: posted.amount,
    amountText: String(posted.amount / 10_000n),
    fee: FEE,
    ...PLACE,
    connector: 'simulator',
    ...(kind === 'REFUND' && { depositId: randomUUID() }),
    details: {
      phoneNumber: `25078${String(number).padStart(7, '0')}`,
      customerMessage: 'PreparedRequest 123456',
      clientReferenceId: `INV-${number}`,
      metadata: [
        { name: 'orderId', value: `ORD-${number}`, isPii: false },
        { name: 'customerEmail', value: `customer.${number}@shop.example`, isPii: true },
      ],
    },
    createdAt: new Date(),
    nextAction: null,
    nextActionAt: null,
    enquiryCount: 0,
    eventCount: 0,
  };
  return {
    posting: { subject: { merchantId, kind, id: paymentNo }, template, firstLegNo: 0, legs },
    payment: row,
  };
}

/** Outgoing money is reserved first and posted a second later, as in production. */
async function write({ engine }: Setup, planned: readonly Planned[], at: Date): Promise<void> {
  const { database, keyring } = engine.store;
  const payments = planned.flatMap((one) => (one.payment === null ? [] : { ...one.payment, createdAt: at }));
  const postings = planned.map(({ posting }) => posting);
  const held = postings.filter(({ template }) => template === 'OUTGOING');
  const posted = postings.filter(({ template }) => template !== 'OUTGOING');
  const fingerprint = Buffer.alloc(16);
  await inTransaction(database, async (tx) => {
    await insertPaymentKeys(
      tx,
      payments.map((row) => ({ ...row, fingerprint })),
    );
    await insertPayments(tx, keyring, payments);
    await ensureAccounts(
      tx,
      postings.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit])),
    );
    await book(tx, { posted, held }, at);
    const ended = held.map(({ subject }) => ({ subject, state: 'POSTED' }) as const);
    await book(tx, { ended }, new Date(at.getTime() + 1_000));
  });
}
