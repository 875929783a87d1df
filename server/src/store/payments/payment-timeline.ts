// Everything that is known about one payment, for people who have to understand it. What is encrypted is opened: the
// merchant's data key must be loaded, and anyone who shows it decides what of it may be seen.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { openCallback, type OpenedCallback } from '../callbacks/callback-log.ts';
import type { Tx } from '../database.ts';
import { column, columns, type Row } from '../columns.ts';
import { PAYMENT_NO } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

const OF_PAYMENT = 'merchant_id = $1 and kind = $2 and payment_id = $3';

function valuesOf({ merchantId, kind, paymentId }: PaymentKey): unknown[] {
  return [merchantId, kind, paymentId];
}

export type NamedAccount = { readonly type: string; readonly currency: string; readonly provider: string };

const transfers = columns({
  legNo: 'int',
  template: 'text',
  debitType: column<string>('text', 'd.type'),
  debitProvider: column<string>('text', 'd.provider'),
  creditType: column<string>('text', 'c.type'),
  creditProvider: column<string>('text', 'c.provider'),
  currency: column<string>('text', 'd.currency'),
  amount: 'numeric',
  state: column<'PENDING' | 'POSTED' | 'VOIDED'>('text'),
  createdAt: 'timestamptz',
  settledAt: 'timestamptz null',
});

export type LoggedTransfer = Pick<
  Row<typeof transfers>,
  'legNo' | 'template' | 'amount' | 'state' | 'createdAt' | 'settledAt'
> & { readonly debit: NamedAccount; readonly credit: NamedAccount };

/** What moved between which accounts. */
export async function listTransfers(tx: Tx, key: PaymentKey): Promise<readonly LoggedTransfer[]> {
  const rows = await transfers.select(
    tx,
    `from transfers t join accounts d on d.account_id = t.debit_account_id
     join accounts c on c.account_id = t.credit_account_id
     where t.subject_id = ${PAYMENT_NO} order by t.leg_no`,
    valuesOf(key),
  );
  return rows.map(({ debitType, debitProvider, creditType, creditProvider, currency, ...row }) => ({
    ...row,
    debit: { type: debitType, currency, provider: debitProvider },
    credit: { type: creditType, currency, provider: creditProvider },
  }));
}

/** Who would look at more of one payment would do better with a program. */
const CALLBACKS_MAX = 20;

/** With bodies and answers; the newest first. */
export async function openCallbacksOf(
  tx: Tx,
  keyring: Keyring,
  key: PaymentKey,
): Promise<readonly OpenedCallback[]> {
  const { rows } = await tx.query<{ callback_id: string }>(
    `select callback_id from callbacks where subject_id = ${PAYMENT_NO} order by created_at desc limit $4`,
    [...valuesOf(key), CALLBACKS_MAX],
  );
  const opened: OpenedCallback[] = [];
  for (const row of rows) {
    const one = { merchantId: key.merchantId, callbackId: row.callback_id };
    const callback = await openCallback(tx, keyring, one);
    if (callback !== null) opened.push(callback);
  }
  return opened;
}

const cases = columns({
  caseId: 'uuid',
  evidence: 'text',
  openedAt: 'timestamptz',
  resolvedAt: 'timestamptz null',
});

export type LoggedCase = Row<typeof cases>;

export async function listCasesOf(tx: Tx, key: PaymentKey): Promise<readonly LoggedCase[]> {
  return cases.select(tx, `from cases where ${OF_PAYMENT} order by opened_at`, valuesOf(key));
}

const related = columns({
  kind: 'payment_kind',
  paymentId: 'uuid',
  state: 'payment_state',
  amount: 'numeric',
  createdAt: 'timestamptz',
});

export type RelatedPayment = Row<typeof related>;

const RELATED_MAX = 50;

const OF_MERCHANT = 'select kind, payment_id, state, amount, created_at from payments where merchant_id = $1';

/** The refunds of a deposit, the parts of a split and the attempts of a checkout that it belongs to. */
export async function listRelated(
  tx: Tx,
  key: PaymentKey & {
    readonly depositId?: string;
    readonly splitPaymentId?: string;
    readonly checkoutId?: string;
  },
): Promise<readonly RelatedPayment[]> {
  return related.select(
    tx,
    `from (
       ${OF_MERCHANT} and kind = 'REFUND' and deposit_id = $3
       union ${OF_MERCHANT} and payment_no = (
         select payment_no from payment_keys where merchant_id = $1 and kind = 'DEPOSIT' and payment_id = $4)
       union ${OF_MERCHANT} and split_payment_id = $5 and split_payment_id is not null
       union ${OF_MERCHANT} and checkout_id = $6 and checkout_id is not null) related
     where (kind, payment_id) <> ($2, $7) order by created_at limit $8`,
    [
      key.merchantId,
      key.kind,
      key.kind === 'DEPOSIT' ? key.paymentId : null,
      key.depositId ?? null,
      key.splitPaymentId ?? null,
      key.checkoutId ?? null,
      key.paymentId,
      RELATED_MAX,
    ],
  );
}
