// The short text that a customer may see with a payment, under its v1 name.
import { Type } from 'typebox';
import {
  CUSTOMER_MESSAGE_LENGTH_MAX,
  CUSTOMER_MESSAGE_LENGTH_MIN,
} from '../../domain/payments/customer-message.ts';
import { CUSTOMER_MESSAGE_PATTERN } from '../v2/customer-message.ts';

export const statementDescriptionSchema = Type.String({
  minLength: CUSTOMER_MESSAGE_LENGTH_MIN,
  maxLength: CUSTOMER_MESSAGE_LENGTH_MAX,
  pattern: CUSTOMER_MESSAGE_PATTERN,
  description:
    'May be shown to the customer in the SMS receipt or the transaction history, depending on the provider.',
  examples: ['Order 123456'],
});
