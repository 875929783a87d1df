// Fees of a merchant, by operation, provider and currency.
import { Type } from 'typebox';
import { DONE, merchantPath, strict, describeCalls, arrayOf } from '../shape.ts';
import { amountSchema, codeSchema, kindSchema } from '../terms.ts';

const priced = { provider: codeSchema, operation: kindSchema, currency: codeSchema };

const fee = {
  /** Basis points: 150 is 1.5 %. */
  basisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
  fixed: amountSchema,
};

export const feeCalls = describeCalls({
  listFees: {
    path: merchantPath,
    answer: strict({
      /** Operations that are not listed are free. */
      rows: arrayOf({ ...priced, ...fee }),
      /** What the merchant may use, and for which a fee could be set. */
      offers: arrayOf(priced),
    }),
  },
  setFee: {
    path: merchantPath,
    body: strict({ ...priced, ...fee }),
    answer: DONE,
  },
});
