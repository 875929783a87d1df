// What follows from a payment's change: holds, announcements, counts that are given back, and what its end means for
// its split payment or checkout. It is made in the transaction of the change. But the change itself is a fact, and
// nothing that follows from it may keep it from being recorded: where a follow-up fails, the change is written again
// with each follow-up behind a savepoint, and what fails is noted to be made later.
import { addMs } from '../../../domain/time.ts';
import type { Amount } from '../../../domain/money.ts';
import type { PaymentKey } from '../../../domain/payments/payment.ts';
import { errorName, isOutOfReach, withSavepoint, type Tx } from '../../../store/database.ts';
import { refreshUnheld } from '../../../store/ledger/wallet-holds.ts';
import { insertMissingFollowUp, type FollowUpType } from '../../../store/payments/missing-follow-ups.ts';
import { timedUuid } from '../../../store/timed-uuid.ts';
import type { EngineClock } from '../../engine.ts';

/** Follow-ups of one type, for any number of payments. */
export type FollowUps<Item, Made> = {
  readonly type: FollowUpType;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => PaymentKey;
  /** What the later making needs to know: codes, identifiers, amounts and times only. */
  readonly detailOf: (item: Item) => Readonly<Record<string, unknown>>;
  readonly make: (items: readonly Item[]) => Promise<readonly Made[]>;
  /** How much of which wallet must stay there until it is made. */
  readonly wantedOf?: (item: Item) => { readonly accountId: string; readonly wanted: Amount } | null;
};

export type MakeFollowUps = <Item, Made>(
  tx: Tx,
  followUps: FollowUps<Item, Made>,
) => Promise<readonly Made[]>;

/** A follow-up could not be made: its transaction must be repeated with `makeApart`. */
export class FollowUpFailed extends Error {
  constructor(type: FollowUpType, cause: unknown) {
    super(`a follow-up of a payment could not be made: ${type}`, { cause });
    this.name = 'FollowUpFailed';
  }
}

/** All in one go, as cheaply as possible. Throws FollowUpFailed where one cannot be made. */
export const makeTogether: MakeFollowUps = async (_tx, { type, items, make }) => {
  try {
    return await make(items);
  } catch (error) {
    throw isOutOfReach(error) ? error : new FollowUpFailed(type, error);
  }
};

/** How long after it failed a follow-up is tried again. */
export const FOLLOW_UP_PAUSE_MS = 60_000;

/** Each behind a savepoint of its own. One that fails is noted, and the transaction goes on. */
export function makeApart({ timeOf }: Pick<EngineClock, 'timeOf'>): MakeFollowUps {
  return async (tx, { type, items, keyOf, detailOf, make, wantedOf }) => {
    const made = [];
    for (const item of items) {
      try {
        made.push(...(await withSavepoint(tx, () => make([item]))));
      } catch (error) {
        if (isOutOfReach(error)) throw error;
        const { merchantId, kind, paymentId } = keyOf(item);
        const now = await timeOf(tx);
        const wanted = wantedOf?.(item) ?? { accountId: null, wanted: null };
        await insertMissingFollowUp(tx, {
          followUpId: timedUuid(now),
          merchantId,
          kind,
          paymentId,
          type,
          detail: detailOf(item),
          ...wanted,
          error: errorName(error),
          missingSince: now,
          dueAt: addMs(now, FOLLOW_UP_PAUSE_MS),
        });
        if (wanted.accountId !== null) await refreshUnheld(tx, [wanted.accountId]);
      }
    }
    return made;
  };
}
