// The journal of a batch: the identifier of each row, stored beside the file before anything is sent. Starting the same
// file again sends the same identifiers, and the gateway pays each of them once.
import { createHash, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Trouble } from '../command.ts';

export type RowResult = {
  readonly rowNo: number;
  readonly payoutId: string;
  readonly outcome: 'accepted' | 'rejected';
  readonly failureCode?: string;
  readonly failureMessage?: string;
};

export type BatchJournal = {
  /** The identifier of each row. */
  readonly ids: ReadonlyMap<number, string>;
  /** The results of rows so far. */
  readonly results: ReadonlyMap<number, RowResult>;
  /** Whether it existed before this start. */
  readonly isResumed: boolean;
  readonly append: (results: readonly RowResult[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type JournalOptions = {
  readonly path: string;
  /** The whole file of payouts. */
  readonly text: string;
  /** The gateway it is for. */
  readonly url: string;
  readonly rowNos: readonly number[];
};

type Heading = { readonly malipo: 'payouts batch'; readonly sha256: string; readonly url: string };

export async function openJournal(request: JournalOptions): Promise<BatchJournal> {
  const isNew = await createJournal(request);
  const [heading, ...entries] = (await readFile(request.path, 'utf8')).split('\n').flatMap(readLine);
  requireSame(heading as Heading | undefined, request);
  const file = await open(request.path, 'a');
  return { ...readEntries(entries), isResumed: !isNew, append: append(file), close: () => file.close() };
}

type Entry = { readonly rowNo: number; readonly payoutId: string } & Partial<RowResult>;

function readEntries(entries: readonly unknown[]): Pick<BatchJournal, 'ids' | 'results'> {
  const ids = new Map<number, string>();
  const results = new Map<number, RowResult>();
  for (const entry of entries as readonly Entry[]) {
    if (entry.outcome === undefined) ids.set(entry.rowNo, entry.payoutId);
    else results.set(entry.rowNo, entry as RowResult);
  }
  return { ids, results };
}

/** Not flushed to disk each time: a lost result is requested again, and nothing is paid twice. */
function append(file: Awaited<ReturnType<typeof open>>): BatchJournal['append'] {
  return async (results) => {
    await file.appendFile(results.map(renderLine).join(''));
  };
}

/** Written completely and flushed under another name first: half a journal would be worse than none. */
async function createJournal({ path, text, url, rowNos }: JournalOptions): Promise<boolean> {
  const heading: Heading = { malipo: 'payouts batch', sha256: digest(text), url };
  const lines = [heading, ...rowNos.map((rowNo) => ({ rowNo, payoutId: randomUUID() }))].map(renderLine);
  const beside = `${path}.${process.pid}`;
  const file = await open(beside, 'w', 0o600);
  try {
    await file.writeFile(lines.join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // Of two starts at once, one creates the journal and the other reads it.
    await link(beside, path);
    await flushFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(beside);
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function requireSame(heading: Heading | undefined, { path, text, url }: JournalOptions): void {
  if (heading?.malipo !== 'payouts batch') {
    throw new Trouble(
      `${path} is not the journal of a batch.`,
      'If you do not need it, move or delete it, and run the command again.',
    );
  }
  if (heading.sha256 !== digest(text)) {
    throw new Trouble(
      `The file was changed after payouts were sent from it. ${path} is for the original file.`,
      'Restore the original file to finish it. Put new payouts in a new file with another name.',
    );
  }
  if (heading.url !== url) {
    throw new Trouble(
      `The file was started with the gateway ${heading.url}, but the current one is ${url}.`,
      'Use that gateway with --profile. To send the file with this gateway too, copy it under another name.',
    );
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const renderLine = (value: object) => `${JSON.stringify(value)}\n`;

/** After a power cut the last line may be incomplete: it was a result, and is requested again. */
function readLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
}
