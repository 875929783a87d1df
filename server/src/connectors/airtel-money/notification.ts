// Reads a callback. Its hash, if the app uses one, stops other senders from using up our enquiries. Money moves only on
// the answer to an enquiry, because a callback has no amount and may be about an intermediate step.
import { isObject, parseObject, textOf } from '../json.ts';
import { accountWanted, type OperatorContext } from '../operator.ts';
import type { AccountOf, NotificationReading, RawNotification } from '../port.ts';
import { authenticTransaction } from './callback-hash.ts';

export async function readNotification(
  { findAccount }: Pick<OperatorContext, 'findAccount'>,
  notification: RawNotification,
  accountOf: AccountOf,
): Promise<NotificationReading> {
  const { body, pathProvider: provider } = notification;
  const transaction = parseObject(body.toString('utf8'))?.['transaction'];
  const reference = isObject(transaction) ? textOf(transaction['id']) : undefined;
  if (reference === undefined) return { type: 'UNREADABLE' };
  // The callback address registered with Airtel names the provider. A message to another address is not from Airtel.
  if (provider === undefined) return { type: 'HINT', reference, isForged: true };
  const sentWith = await accountOf(reference);
  const accounts = await Promise.all([
    findAccount(accountWanted({ provider, operation: 'DEPOSIT' }, sentWith)),
    findAccount(accountWanted({ provider, operation: 'PAYOUT' }, sentWith)),
  ]);
  const known = accounts.filter((account) => account !== null);
  const isVouched = known.some(({ values: { callbackKey } }) => {
    if (callbackKey === undefined) return true;
    const vouched = authenticTransaction(notification, callbackKey);
    return vouched !== null && textOf(vouched['id']) === reference;
  });
  return isVouched ? { type: 'HINT', reference } : { type: 'HINT', reference, isForged: true };
}
