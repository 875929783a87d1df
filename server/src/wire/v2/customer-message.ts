// The few words a customer may see beside a payment.
import { Type } from 'typebox';

export const customerMessageSchema = Type.String({
  minLength: 4,
  maxLength: 22,
  pattern: '^[a-zA-Z0-9 ]+$',
  description:
    'May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. ' +
    'Without it, the name of your company is used, trimmed to fit.',
  examples: ['Order 123456'],
});
