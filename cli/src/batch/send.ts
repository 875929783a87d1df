// Sends the payouts of a batch, several at a time. Accepted payouts are not sent again.
import type { Malipo, Started } from '@malipo/sdk';
import type { BatchJournal, RowResult } from './journal.ts';
import type { PlannedPayout } from './read-payouts.ts';

/** The gateway's maximum per request. */
const TOGETHER = 20;

export type Sending = {
  readonly malipo: Malipo;
  readonly journal: BatchJournal;
  readonly payouts: readonly PlannedPayout[];
  readonly stopped: AbortSignal;
  /** Called after each request. */
  readonly onResults: (results: readonly RowResult[]) => void;
};

/** Null if every payout has a result, otherwise why it stopped. */
export async function sendPayouts(sending: Sending): Promise<string | null> {
  const { journal, payouts, stopped } = sending;
  const open = payouts.filter(({ rowNo }) => journal.results.get(rowNo)?.outcome !== 'accepted');
  for (let from = 0; from < open.length; from += TOGETHER) {
    if (stopped.aborted) return 'It was stopped.';
    const some = open.slice(from, from + TOGETHER);
    const started = await startSome(sending, some);
    const results = some.flatMap(({ rowNo }, index) => resultOf(rowNo, started[index]));
    await journal.append(results);
    sending.onResults(results);
    const unknown = started.find((one) => one.outcome === 'unknown');
    if (unknown?.outcome === 'unknown') return unknown.cause.message;
  }
  return null;
}

/** One invalid payout makes the gateway refuse the whole list: then each is sent alone. */
async function startSome(
  { malipo, journal }: Sending,
  some: readonly PlannedPayout[],
): Promise<readonly Started[]> {
  const requests = some.map(({ rowNo, request }) => ({ ...request, payoutId: journal.ids.get(rowNo) ?? '' }));
  const started = await malipo.payouts.createMany(requests);
  if (requests.length === 1 || !isRefusedAsAWhole(started)) return started;
  const alone: Started[] = [];
  for (const request of requests) alone.push(await malipo.payouts.create(request));
  return alone;
}

function isRefusedAsAWhole(started: readonly Started[]): boolean {
  return started.every(
    (one) => one.outcome === 'rejected' && SHAPE_CODES.includes(one.failureReason.failureCode),
  );
}

const SHAPE_CODES: readonly string[] = [
  'INVALID_INPUT',
  'MISSING_PARAMETER',
  'INVALID_PARAMETER',
  'UNSUPPORTED_PARAMETER',
  'DUPLICATE_METADATA_FIELD',
];

function resultOf(rowNo: number, started: Started | undefined): readonly RowResult[] {
  switch (started?.outcome) {
    case 'accepted':
    case 'duplicate':
      return [{ rowNo, payoutId: started.id, outcome: 'accepted' }];
    case 'rejected':
      return [{ rowNo, payoutId: started.id, outcome: 'rejected', ...started.failureReason }];
    case 'unknown':
    case undefined:
      return [];
  }
}
