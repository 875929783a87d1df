// Features that need Node: a journal in a file.
import { open, readFile, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { keyOf, type Journal, type JournalEntry } from './journal.ts';
import { MalipoError } from './malipo-error.ts';

export type FileJournal = Journal & {
  /** Finishes pending writes and closes the file. */
  readonly close: () => Promise<void>;
};

/** A line of the file. */
type Line = { readonly act: 'remember' | 'settle'; readonly entry: JournalEntry };

/**
 * Stores identifiers in a file, one per line, on disk before anything is sent. After a crash `unsettled` lists
 * the requests whose outcome is not known. One process uses a file at a time: when another opens it, this one sends
 * nothing more. It contains no personal data.
 *
 * @example
 * ```ts
 * import { Malipo } from '@malipo/sdk';
 * import { openFileJournal } from '@malipo/sdk/node';
 *
 * const { BASE = '', TOKEN = '', FOLDER = '.' } = process.env;
 * const journal = await openFileJournal(`${FOLDER}/malipo-journal`);
 * const malipo = new Malipo({ baseUrl: BASE, token: TOKEN, journal });
 * for (const { kind, id } of await malipo.unsettled()) {
 *   if (kind === 'payout') console.log(id, (await malipo.payouts.get(id)).found);
 * }
 * await journal.close();
 * ```
 */
export async function openFileJournal(path: string): Promise<FileJournal> {
  const absolute = resolve(path);
  const unsettled = readEntries(await readFile(absolute, 'utf8').catch(emptyWhenMissing));
  const file = await startFile(absolute, [...unsettled.values()]);
  let writing = Promise.resolve();
  const store = async (act: Line['act'], entries: readonly JournalEntry[]) => {
    await append(file, act, entries);
    await requireOwn(file, absolute);
    // Not before: what could not be stored was not sent either.
    for (const entry of entries) apply(unsettled, { act, entry });
  };
  const write = (act: Line['act'], entries: readonly JournalEntry[]) => {
    // Writes one after the other, so that lines do not mix. A failed write fails only its own request.
    const written = writing.then(() => store(act, entries));
    writing = written.catch(() => undefined);
    return written;
  };
  return {
    remember: (entries) => write('remember', entries),
    settle: (entries) => write('settle', entries),
    unsettled: async () => [...unsettled.values()],
    close: async () => {
      await writing;
      await file.close();
    },
  };
}

function readEntries(text: string): Map<string, JournalEntry> {
  const unsettled = new Map<string, JournalEntry>();
  for (const line of text.split('\n')) {
    const read = parseLine(line);
    if (read !== null) apply(unsettled, read);
  }
  return unsettled;
}

function apply(unsettled: Map<string, JournalEntry>, { act, entry }: Line): void {
  if (act === 'remember') unsettled.set(keyOf(entry), entry);
  else unsettled.delete(keyOf(entry));
}

/** A crash can leave an incomplete last line. Nothing was sent for it: a line is on disk before sending. */
function parseLine(line: string): Line | null {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return null;
  }
}

/** Settled entries are left out of the new file, which replaces the old one atomically. */
async function startFile(path: string, entries: readonly JournalEntry[]): Promise<FileHandle> {
  const file = await open(`${path}.new`, 'w', 0o600);
  await append(file, 'remember', entries);
  await rename(`${path}.new`, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync();
  await folder.close();
  return file;
}

async function append(file: FileHandle, act: Line['act'], entries: readonly JournalEntry[]): Promise<void> {
  // Each line starts with its own line break, so that a line cut by a full disk does not damage the next.
  await file.appendFile(entries.map((entry) => `\n${JSON.stringify({ act, entry })}`).join(''));
  await file.datasync();
}

/** After writing, which finds a file that was replaced during it too. What is in the old file is lost. */
async function requireOwn(file: FileHandle, path: string): Promise<void> {
  const [own, current] = await Promise.all([file.stat({ bigint: true }), stat(path, { bigint: true })]);
  if (own.ino === current.ino && own.dev === current.dev) return;
  throw new MalipoError({
    code: 'MISUSE',
    message: 'Another process uses this journal, and nothing is sent without it.',
    whatToDo: 'Give each process a file of its own.',
  });
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
