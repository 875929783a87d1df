// Everything that is known about one payment, for people who have to understand it. What is encrypted is opened: the
// merchant's data key must be loaded, and anyone who shows it decides what of it may be seen.
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey, PaymentKind, PaymentState } from '../../domain/payments/payment.ts';
import { openCallback, type OpenedCallback } from '../callbacks/callback-log.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

const OF_PAYMENT = 'merchant_id = $1 and kind = $2 and payment_id = $3';

function valuesOf({ merchantId, kind, paymentId }: PaymentKey): unknown[] {
  return [merchantId, kind, paymentId];
}

export type LoggedTransfer = {
  readonly legNo: number;
  readonly template: string;
  readonly debit: NamedAccount;
  readonly credit: NamedAccount;
  readonly amount: Amount;
  readonly state: 'PENDING' | 'POSTED' | 'VOIDED';
  readonly createdAt: Date;
  readonly settledAt: Date | null;
};

export type NamedAccount = { readonly type: string; readonly currency: string; readonly provider: string };

/** What moved between which accounts. */
export async function listTransfers(tx: Tx, key: PaymentKey): Promise<readonly LoggedTransfer[]> {
  const { rows } = await tx.query<{
    leg_no: number;
    template: string;
    debit_type: string;
    debit_provider: string;
    credit_type: string;
    credit_provider: string;
    currency: string;
    amount: string;
    state: LoggedTransfer['state'];
    created_at: Date;
    settled_at: Date | null;
  }>(
    `select t.leg_no, t.template, d.type as debit_type, d.provider as debit_provider, c.type as credit_type,
       c.provider as credit_provider, d.currency, t.amount, t.state, t.created_at, t.settled_at
     from transfers t join accounts d on d.account_id = t.debit_account_id
     join accounts c on c.account_id = t.credit_account_id
     where t.merchant_id = $1 and t.subject_kind = $2 and t.subject_id = $3 order by t.leg_no`,
    valuesOf(key),
  );
  return rows.map((row) => ({
    legNo: row.leg_no,
    template: row.template,
    debit: { type: row.debit_type, currency: row.currency, provider: row.debit_provider },
    credit: { type: row.credit_type, currency: row.currency, provider: row.credit_provider },
    amount: amountOfNumeric(row.amount),
    state: row.state,
    createdAt: row.created_at,
    settledAt: row.settled_at,
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
    `select callback_id from callbacks where ${OF_PAYMENT} order by created_at desc limit $4`,
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

export type LoggedCase = {
  readonly caseId: string;
  readonly evidence: string;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
};

export async function listCasesOf(tx: Tx, key: PaymentKey): Promise<readonly LoggedCase[]> {
  const { rows } = await tx.query<{
    case_id: string;
    evidence: string;
    opened_at: Date;
    resolved_at: Date | null;
  }>(
    `select case_id, evidence, opened_at, resolved_at from cases where ${OF_PAYMENT} order by opened_at`,
    valuesOf(key),
  );
  return rows.map((row) => ({
    caseId: row.case_id,
    evidence: row.evidence,
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at,
  }));
}

export type RelatedPayment = {
  readonly kind: PaymentKind;
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly amount: Amount;
  readonly createdAt: Date;
};

const RELATED_MAX = 50;

/** The refunds of a deposit, the parts of a split and the attempts of a checkout that it belongs to. */
export async function listRelated(
  tx: Tx,
  key: PaymentKey & {
    readonly depositId?: string;
    readonly splitPaymentId?: string;
    readonly checkoutId?: string;
  },
): Promise<readonly RelatedPayment[]> {
  const { rows } = await tx.query<{
    kind: PaymentKind;
    payment_id: string;
    state: PaymentState;
    amount: string;
    created_at: Date;
  }>(
    `select * from (
       select kind, payment_id, state, amount, created_at from payments
         where merchant_id = $1 and kind = 'REFUND' and deposit_id = $3
       union select kind, payment_id, state, amount, created_at from payments
         where merchant_id = $1 and kind = 'DEPOSIT' and payment_id = $4
       union select kind, payment_id, state, amount, created_at from payments
         where merchant_id = $1 and split_payment_id = $5 and split_payment_id is not null
       union select kind, payment_id, state, amount, created_at from payments
         where merchant_id = $1 and checkout_id = $6 and checkout_id is not null) related
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
  return rows.map((row) => ({
    kind: row.kind,
    paymentId: row.payment_id,
    state: row.state,
    amount: amountOfNumeric(row.amount),
    createdAt: row.created_at,
  }));
}
