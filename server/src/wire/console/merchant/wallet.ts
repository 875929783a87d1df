// A merchant's wallets and their movements.
import { Type, type Static } from 'typebox';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import type { StatementWallet } from '../../../domain/wallet-statement.ts';
import { pageOf, pageQuery } from '../page.ts';
import { amountSchema } from '../terms.ts';
import {
  arrayOf,
  describeCalls,
  DONE,
  merchantPath,
  orNull,
  strict,
  strictOrNull,
  timeSchema,
} from '../shape.ts';

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
  /** The wallet's balance after it, with what is reserved. */
  balance: Type.String(),
  /** Null for movements without a payment. */
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
    answer: strict({
      wallets: arrayOf({
        ...walletSchema.properties,
        /** People are mailed when less than this is available; null: never. */
        alertBelow: orNull(Type.String()),
      }),
    }),
  },
  setWalletAlert: {
    path: merchantPath,
    body: strict({ ...walletName, below: orNull(amountSchema) }),
    answer: DONE,
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
