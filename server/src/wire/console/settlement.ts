// Settlement to merchants' bank accounts: what merchants request, and what the platform's people do with it.
import { Type } from 'typebox';
import { SETTLEMENT_STOPS } from '../../domain/ledger/bank-account.ts';
import { approvalSchema } from './approval.ts';
import { walletName } from './merchant/wallet.ts';
import { pageOf, pageQuery } from './page.ts';
import { arrayOf, describeCalls, merchantPath, orNull, strict, timeSchema } from './shape.ts';
import { amountSchema, newIdentifierSchema, ownerSchema, reasonSchema, uuidSchema } from './terms.ts';

const currencySchema = Type.String({ pattern: '^[A-Z]{3}$' });
const nameSchema = Type.String({ minLength: 2, maxLength: 100, pattern: '\\S' });

const accountFields = {
  bank: Type.String(),
  /** The name that the account is held under. */
  holder: Type.String(),
  number: Type.String(),
};

const settlementFields = {
  settlementId: Type.String(),
  country: Type.String(),
  currency: Type.String(),
  /** Empty if the wallet is not tied to one provider. */
  provider: Type.String(),
  amount: Type.String(),
  status: Type.Enum(['REQUESTED', 'PAID', 'REJECTED'], { type: 'string' }),
  bank: Type.String(),
  /** Masked. */
  number: Type.String(),
  requestedBy: Type.String(),
  requestedAt: timeSchema,
  decidedAt: orNull(timeSchema),
  /** The bank's, once it is paid. */
  reference: orNull(Type.String()),
  /** Why it was rejected. */
  reason: orNull(Type.String()),
};

const settlementPath = strict({ settlementId: uuidSchema });
const requestedAnswer = strict({ approvalId: Type.String() });

export const settlementCalls = describeCalls({
  listBankAccounts: {
    path: merchantPath,
    answer: strict({
      accounts: arrayOf({
        currency: Type.String(),
        bank: Type.String(),
        holder: Type.String(),
        /** Masked. */
        number: Type.String(),
        status: Type.Enum(['CURRENT', 'REQUESTED'], { type: 'string' }),
        /** The end of the cooling-off; null while it is pending approval. */
        usableFrom: orNull(timeSchema),
        /** The pending request. */
        approval: orNull(approvalSchema),
      }),
      /** How long the cooling-off of a new account is. */
      coolingOffHours: Type.Number(),
    }),
  },
  requestBankAccount: {
    path: strict({ ...merchantPath.properties, currency: currencySchema }),
    body: strict({
      bank: nameSchema,
      holder: nameSchema,
      number: Type.String({ minLength: 5, maxLength: 64 }),
    }),
    answer: requestedAnswer,
  },
  listMerchantSettlements: {
    path: merchantPath,
    query: strict({ ...pageQuery }),
    answer: pageOf(strict(settlementFields)),
  },
  requestSettlement: {
    path: merchantPath,
    body: strict({
      /** A new UUID of version 4, chosen by the client. The same again is the same request. */
      requestId: newIdentifierSchema,
      ...walletName,
      amount: amountSchema,
    }),
    answer: strict({ settlementId: Type.String() }),
  },
  listSettlements: {
    query: strict({ status: Type.Enum(['REQUESTED', 'DECIDED'], { type: 'string' }), ...pageQuery }),
    answer: pageOf(
      strict({
        ...ownerSchema,
        ...settlementFields,
        /** What keeps it from being paid at the bank now. Empty where nothing does, and once it is decided. */
        stops: Type.Array(Type.Enum([...SETTLEMENT_STOPS], { type: 'string' })),
        /** Of the wallet that it leaves, beside what is reserved; null once it is decided. */
        wallet: orNull(
          strict({
            available: Type.String(),
            owed: Type.String(),
            /** What holds want beyond what they hold. */
            unheld: Type.String(),
          }),
        ),
        /** The pending request to record it as paid, or to reject it. */
        approval: orNull(approvalSchema),
      }),
    ),
  },
  revealSettlementAccount: { path: settlementPath, answer: strict(accountFields) },
  requestSettlementPaid: {
    path: settlementPath,
    body: strict({
      reference: Type.String({ minLength: 1, maxLength: 100 }),
      /** The bank has paid it already, so that it is recorded whatever stops settlements. */
      bankHasPaid: Type.Optional(Type.Boolean()),
    }),
    answer: requestedAnswer,
  },
  requestSettlementRejection: {
    path: settlementPath,
    body: strict({ reason: reasonSchema }),
    answer: requestedAnswer,
  },
});
