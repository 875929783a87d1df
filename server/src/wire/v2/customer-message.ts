// The short text that a customer may see with a payment.
import { Type } from 'typebox';
import {
  CUSTOMER_MESSAGE_LENGTH_MAX,
  CUSTOMER_MESSAGE_LENGTH_MIN,
} from '../../domain/payments/customer-message.ts';

/** Letters, digits and spaces. */
export const CUSTOMER_MESSAGE_PATTERN = '^[a-zA-Z0-9 ]+$';

export const customerMessageSchema = Type.String({
  minLength: CUSTOMER_MESSAGE_LENGTH_MIN,
  maxLength: CUSTOMER_MESSAGE_LENGTH_MAX,
  pattern: CUSTOMER_MESSAGE_PATTERN,
  description:
    'May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. ' +
    'Without it, the name of your company is used, trimmed to fit.',
  examples: ['Order 123456'],
});
