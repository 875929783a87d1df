// Readers of the merchants' event feeds: a cursor of a database that was lost must not be followed, and who goes on
// from where the answer says must have read every status in the end.
import { numberAllEvents } from '../../server/src/core/event-numbers/number-events.ts';
import type { Merchant } from '../kit/merchants.ts';
import { readStatusChanges } from '../kit/verdict/status-changes.ts';
import type { Finding } from '../kit/verdict/verdict.ts';
import type { Setup } from './setup.ts';

type Page = {
  readonly data: readonly { readonly kind?: string; readonly id?: string; readonly status?: string }[];
  readonly next: string;
  readonly hasMore: boolean;
  readonly restartAfter: string;
};

/** What a merchant has read, and the cursor behind it. */
type Reader = { readonly merchant: Merchant; readonly read: Set<string>; cursor: string | null };

/** Reads all that there is. */
export async function readFeeds({ apiUrl, merchants }: Setup): Promise<readonly Reader[]> {
  const readers = merchants.map((merchant): Reader => ({ merchant, read: new Set(), cursor: null }));
  for (const reader of readers) await readOn(apiUrl, reader);
  return readers;
}

/** After a restore and a recovery, when everything has ended. */
export async function checkFeeds(
  { apiUrl, admin: { engine } }: Setup,
  readers: readonly Reader[],
): Promise<readonly Finding[]> {
  await numberAllEvents(engine);
  const findings: Finding[] = [];
  for (const reader of readers) {
    const { merchantId } = reader.merchant;
    const find = (what: string) => findings.push({ type: 'LOST', subject: `feed of ${merchantId}`, what });
    const { status, page } = await readPage(apiUrl, reader);
    if (status === 410) reader.cursor = page.restartAfter;
    else find('a cursor from before the restore was followed');
    await readOn(apiUrl, reader);
    const stored = await readStatusChanges(engine.store.database, merchantId);
    const missing = stored.filter((change) => !reader.read.has(change));
    if (missing.length > 0)
      find(`${missing.length} statuses were never read: ${missing.slice(0, 3).join(', ')}`);
  }
  return findings;
}

async function readOn(apiUrl: string, reader: Reader): Promise<void> {
  for (let hasMore = true; hasMore;) {
    const { status, page } = await readPage(apiUrl, reader);
    if (status !== 200) throw new Error(`the event feed answered ${status}`);
    for (const { kind, id, status: to } of page.data)
      if (to !== undefined) reader.read.add(`${kind} ${id?.toLowerCase()} ${to}`);
    ({ next: reader.cursor, hasMore } = page);
  }
}

async function readPage(
  apiUrl: string,
  { merchant: { apiToken }, cursor }: Reader,
): Promise<{ readonly status: number; readonly page: Page }> {
  const query = new URLSearchParams({ limit: '100', ...(cursor === null ? {} : { after: cursor }) });
  const headers = { authorization: `Bearer ${apiToken}` };
  const answer = await fetch(`${apiUrl}/v2/events?${query.toString()}`, { headers });
  return { status: answer.status, page: (await answer.json()) as Page };
}
