// What operations cost a merchant, by provider and currency.
import { Type } from 'typebox';
import { DONE, merchantPath, strict, type Shape } from '../shape.ts';
import { amountSchema, codeSchema, kindSchema } from '../terms.ts';

const priced = { provider: codeSchema, operation: kindSchema, currency: codeSchema };
const fee = {
  /** Hundredths of a per cent: 150 are 1.5 %. */
  basisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
  fixed: amountSchema,
};

export const listFeesShape = {
  path: merchantPath,
  answer: strict({
    /** What is not here costs nothing. */
    rows: Type.Array(strict({ ...priced, ...fee })),
    /** What the merchant may use, and a fee could be set for. */
    offers: Type.Array(strict(priced)),
  }),
} satisfies Shape;

export const setFeeShape = {
  path: merchantPath,
  body: strict({ ...priced, ...fee }),
  answer: DONE,
} satisfies Shape;
