// Which transfers move wallets, for the event feed: one event for each posting, as wallet statements have one line.
import type { Leg } from '../../domain/ledger/postings.ts';
import type { QueuedEvent } from '../events/event-queue.ts';

/** A transfer that moved a wallet. */
export type WalletMovement = {
  readonly merchantId: string;
  readonly subjectId: string;
  readonly legNo: number;
};

/** A subject's postings have ten numbers each for their legs. */
export const LEGS_PER_POSTING = 10;

type PostedLeg = Leg & {
  readonly subject: { readonly merchantId: string; readonly id: string };
  readonly legNo: number;
};

export function movementsOf(posted: readonly PostedLeg[]): readonly WalletMovement[] {
  return posted
    .filter(({ debit, credit }) => debit.type === 'WALLET' || credit.type === 'WALLET')
    .map(({ subject, legNo }) => ({ merchantId: subject.merchantId, subjectId: subject.id, legNo }));
}

export function eventsOf(moved: readonly WalletMovement[]): readonly QueuedEvent[] {
  const events = moved.map(({ merchantId, subjectId, legNo }) => ({
    merchantId,
    subjectId,
    no: Math.floor(legNo / LEGS_PER_POSTING),
  }));
  return [...new Map(events.map((event) => [`${event.subjectId}/${event.no}`, event])).values()];
}
