// Features that need Node: a journal in a file.
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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
  const { file, unsettled } = await takeOver(absolute);
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

/**
 * Makes the file this process's own, with what was not settled in it. The file that is there is renamed first: from
 * then on a process that still writes to it notices, and sends nothing. Only what is renamed is read, so that no line
 * can be added after the reading by a process that does not notice.
 */
async function takeOver(
  path: string,
): Promise<{ readonly file: FileHandle; readonly unsettled: Map<string, JournalEntry> }> {
  for (;;) {
    await rename(path, `${path}${TAKEN}${randomUUID()}`).catch(ignoreMissing);
    const taken = await listTaken(path);
    const texts = await Promise.all(taken.map((one) => readFile(one, 'utf8').catch(ignoreMissing)));
    // Another process has just taken one over: its lines stand in a file that may have been read before they did.
    if (texts.includes(undefined)) continue;
    const unsettled = readEntries(texts.join('\n'));
    const file = await createFile(path, [...unsettled.values()]);
    // Another process has created the file meanwhile: what it has written there is taken over too.
    if (file === null) continue;
    // What they say is on disk in the new file.
    await Promise.all(taken.map((one) => rm(one, { force: true })));
    return { file, unsettled };
  }
}

/** What follows the name of a file that is being taken over. One is left where a process died meanwhile. */
const TAKEN = '.taken-';

async function listTaken(path: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = await readdir(folder);
  return names.filter((one) => one.startsWith(`${name}${TAKEN}`)).map((one) => join(folder, one));
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

/** Null where the file exists. Settled entries are left out of a new file. */
async function createFile(path: string, entries: readonly JournalEntry[]): Promise<FileHandle | null> {
  const file = await open(path, 'ax', 0o600).catch(nullWhenThere);
  if (file === null) return null;
  await append(file, 'remember', entries);
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

/** After writing, which finds a file that was taken over during it too: what was written may not have been read. */
async function requireOwn(file: FileHandle, path: string): Promise<void> {
  const current = await stat(path, { bigint: true }).catch(ignoreMissing);
  const own = await file.stat({ bigint: true });
  if (own.ino === current?.ino && own.dev === current.dev) return;
  throw new MalipoError({
    code: 'MISUSE',
    message: 'Another process uses this journal, and nothing is sent without it.',
    whatToDo: 'Give each process a file of its own.',
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function nullWhenThere(error: NodeJS.ErrnoException): null {
  if (error.code !== 'EEXIST') throw error;
  return null;
}
