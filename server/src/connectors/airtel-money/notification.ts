// What a callback is worth. Its hash, where the app makes one, keeps strangers from using up our enquiries; money moves
// only on the answer to an enquiry, because a callback tells no amount and may be about a step on the way.
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
  // The address in Airtel's portal names its provider; anyone who writes to another one is not Airtel.
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
