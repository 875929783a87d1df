// The time at which the customer's request began, which only API v1 requires.
import { Type } from 'typebox';
import type { Payment } from '../../domain/payments/payment.ts';
import { invalidFault, type Fault } from '../fault.ts';
import { valueAt } from '../json.ts';
import { renderTimestamp } from '../v2/timestamp.ts';

export const customerTimestampSchema = Type.String({
  format: 'date-time',
  description: 'When you or your customer started the payment: RFC 3339. Repeated as you wrote it.',
  examples: ['2020-10-19T11:17:01Z'],
});

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** The error of an invalid time, with its own message. `body` may be anything. */
export function listTimestampFaults(body: unknown): readonly Fault[] {
  const text = valueAt(body, 'customerTimestamp');
  if (typeof text !== 'string' || isDateTime(text)) return [];
  return [invalidFault('customerTimestamp', 'it must be a date and time of RFC 3339')];
}

function isDateTime(text: string): boolean {
  if (!DATE_TIME.test(text)) return false;
  return text.slice(17, 19) === '60' ? isLeapSecond(text) : !Number.isNaN(Date.parse(text));
}

/** RFC 3339 allows a leap second; `Date` does not. */
function isLeapSecond(text: string): boolean {
  const time = new Date(Date.parse(`${text.slice(0, 17)}59${text.slice(19)}`));
  const next = new Date(time.getTime() + 1_000);
  return next.getUTCDate() === 1 && next.getUTCHours() === 0 && next.getUTCMinutes() === 0;
}

/** A payment of API v2 has no such time; the time of acceptance is used. */
export function renderCustomerTimestamp({ details, createdAt }: Payment): string {
  return details.customerTimestamp ?? renderTimestamp(createdAt);
}
