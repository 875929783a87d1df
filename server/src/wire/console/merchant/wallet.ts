// A merchant's wallets and their movements.
import { Type, type Static } from 'typebox';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import { PAYMENT_KINDS, type PaymentKind, type PaymentState } from '../../../domain/payments/payment.ts';
import type { StatementWallet } from '../../../domain/wallet-statement.ts';
import { pageOf, pageQuery } from '../page.ts';
import { merchantPath, strict, timeSchema, describeCalls, strictOrNull } from '../shape.ts';

export const walletName = {
  country: Type.String({ pattern: '^[A-Z]{3}$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  /** Only if the account has a wallet per provider; otherwise empty or omitted. */
  provider: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{0,64}$' })),
};

export const walletSchema = strict({
  country: Type.String(),
  currency: Type.String(),
  /** Empty if the wallet is not tied to one provider. */
  provider: Type.String(),
  /** The available balance. */
  available: Type.String(),
  /** Reserved for payments in progress. */
  held: Type.String(),
});

const movementSchema = strict({
  at: timeSchema,
  /** DEPOSIT, PAYOUT, REFUND, REMITTANCE, TOP_UP, SETTLEMENT, ADJUSTMENT, or how a case was resolved. */
  type: Type.String(),
  id: Type.String(),
  /** `net` = `amount` − `fee`. Negative if the wallet pays. */
  amount: Type.String(),
  fee: Type.String(),
  net: Type.String(),
  /** Null for movements that are no payment's. */
  payment: strictOrNull({
    kind: Type.Enum([...PAYMENT_KINDS], { type: 'string' }),
    paymentId: Type.String(),
    state: Type.String(),
    provider: Type.String(),
  }),
});

export const walletCalls = describeCalls({
  listWallets: {
    path: merchantPath,
    answer: strict({ wallets: Type.Array(walletSchema) }),
  },
  listWalletMovements: {
    path: merchantPath,
    query: strict({ ...walletName, ...pageQuery }),
    answer: pageOf(movementSchema),
  },
});

export type NamedWallet = Static<typeof walletCalls.listWalletMovements.query>;

/** A wallet in a query or body. */
export function readWalletName({
  country,
  currency,
  provider = '',
}: Pick<NamedWallet, 'country' | 'currency' | 'provider'>): StatementWallet {
  return { country, currency, provider };
}

export function renderWallet({
  country,
  currency,
  provider,
  available,
  held,
}: StatementWallet & {
  readonly available: Amount;
  readonly held: Amount;
}): Static<typeof walletSchema> {
  return { country, currency, provider, available: renderAmount(available), held: renderAmount(held) };
}

export function renderMovement(movement: {
  readonly at: Date;
  readonly type: string;
  readonly subjectId: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly net: Amount;
  readonly payment: {
    readonly kind: PaymentKind;
    readonly paymentId: string;
    readonly state: PaymentState;
    readonly provider: string;
  } | null;
}): Static<typeof movementSchema> {
  const { payment } = movement;
  return {
    at: movement.at.toISOString(),
    type: movement.type,
    id: movement.subjectId,
    amount: renderAmount(movement.amount),
    fee: renderAmount(movement.fee),
    net: renderAmount(movement.net),
    payment:
      payment === null
        ? null
        : {
            kind: payment.kind,
            paymentId: payment.paymentId,
            state: payment.state,
            provider: payment.provider,
          },
  };
}
