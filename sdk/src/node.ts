// What needs Node: a journal in a file.
import type { Journal } from './journal.ts';

/** Keeps identifiers in a file, one line for each, flushed to the disk before anything is sent. */
export async function openFileJournal(_path: string): Promise<Journal> {
  throw new Error('not built yet');
}
