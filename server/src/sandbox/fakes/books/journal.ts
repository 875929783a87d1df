// Stores the changes of the books, one JSON line each, so that a killed simulator still knows its charges.
import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { OpenCharge, Verdict } from './charge.ts';

export type JournalLine =
  | { readonly type: 'ACCEPTED'; readonly charge: OpenCharge }
  | { readonly type: 'REPEATED'; readonly reference: string }
  | {
      readonly type: 'SETTLED';
      readonly reference: string;
      readonly verdict: Verdict;
      readonly settledAt: string;
    };

export type Journal = {
  readonly earlier: readonly JournalLine[];
  readonly append: (line: JournalLine) => void;
  readonly close: () => void;
};

/** Without a path nothing is stored. */
export function openJournal(path: string | undefined): Journal {
  if (path === undefined) return { earlier: [], append: () => {}, close: () => {} };
  const earlier = readLines(path);
  const file = openSync(path, 'a');
  let isOpen = true;
  return {
    earlier,
    // Written synchronously before the answer, so that what was acknowledged survives a kill.
    append: (line) => {
      if (isOpen) writeSync(file, `${JSON.stringify(line)}\n`);
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      closeSync(file);
    },
  };
}

/** A kill may leave a partial last line. It was never acknowledged, so it is removed. */
function readLines(path: string): JournalLine[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine);
}
