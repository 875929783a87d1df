// A reader of one merchant's event feed as a process of its own, so that it can be killed at any moment. It writes what
// it reads into its log, then its cursor beside it. Between the two it can die: then it reads the same events again.
// Arguments: the scratch directory (so that it is found), then its options as JSON.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type FeedReaderOptions = {
  readonly url: string;
  readonly apiToken: string;
  readonly logPath: string;
  readonly cursorPath: string;
};

const { url, apiToken, logPath, cursorPath } = JSON.parse(process.argv[3] ?? '{}') as FeedReaderOptions;
const PAUSE_MS = 200;
/** Between the log and the cursor: some kills must fall into it. */
const BEFORE_CURSOR_MS = 100;

type Page = { readonly data: readonly object[]; readonly next: string; readonly restartAfter?: string };

/** Null where there is no answer, or none that helps. */
async function readPage(after: string | null): Promise<{ status: number; page: Page } | null> {
  const query = new URLSearchParams({ limit: '100', wait: '5', ...(after === null ? {} : { after }) });
  try {
    const answer = await fetch(`${url}/v2/events?${query.toString()}`, {
      headers: { authorization: `Bearer ${apiToken}` },
      signal: AbortSignal.timeout(15_000),
    });
    return { status: answer.status, page: (await answer.json()) as Page };
  } catch {
    return null;
  }
}

function store(cursor: string): void {
  writeFileSync(`${cursorPath}.new`, cursor);
  renameSync(`${cursorPath}.new`, cursorPath);
}

// A line that a kill cut off begins nothing.
if (existsSync(logPath)) appendFileSync(logPath, '\n');
let after = existsSync(cursorPath) ? readFileSync(cursorPath, 'utf8') : null;
for (;;) {
  const answer = await readPage(after);
  if (answer === null || (answer.status !== 200 && answer.status !== 410)) {
    await sleep(PAUSE_MS);
    continue;
  }
  const { status, page } = answer;
  if (status === 410) appendFileSync(logPath, `${JSON.stringify({ expired: after })}\n`);
  for (const event of status === 200 ? page.data : []) appendFileSync(logPath, `${JSON.stringify(event)}\n`);
  after = status === 410 ? (page.restartAfter ?? null) : page.next;
  if (status === 410 || page.data.length > 0) await sleep(BEFORE_CURSOR_MS);
  if (after !== null) store(after);
}
