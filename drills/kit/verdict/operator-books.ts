// The operators' own books, read from their journals: their charges, and how often a result changed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenCharge } from '../../../server/src/sandbox/fakes/books/charge.ts';
import type { JournalLine } from '../../../server/src/sandbox/fakes/books/journal.ts';
import type { Scratch } from '../scratch.ts';

export type BookedCharge = OpenCharge & {
  /** The requested reference; a repeat that was charged again has the same. */
  readonly askedAs: string;
  readonly settlements: number;
  /** The operator whose books contain it. */
  readonly operator: string;
};

/** Where an operator keeps its journal. */
export function journalPathOf(scratch: Scratch, operator: string): string {
  return join(scratch.folder(operator), 'journal.jsonl');
}

export function readOperatorBooks(
  scratch: Scratch,
  operators: readonly string[] = ['simulator'],
): readonly BookedCharge[] {
  return operators.flatMap((operator) => {
    const text = readFileSync(journalPathOf(scratch, operator), 'utf8');
    const charges = new Map<string, BookedCharge>();
    for (const line of text.split('\n').filter((one) => one !== '')) {
      apply(charges, { operator, line: JSON.parse(line) as JournalLine });
    }
    return [...charges.values()];
  });
}

/** What an operator does after the faults: it repeats messages that were lost. False: it has no message for it. */
export async function repeatNotification(operatorUrl: string, { reference }: BookedCharge): Promise<boolean> {
  const answer = await fetch(`${operatorUrl}/control/notifications/${reference}`, { method: 'POST' });
  if (!answer.ok && answer.status !== 404) throw new Error(`the operator repeats nothing: ${answer.status}`);
  return answer.ok;
}

function apply(
  charges: Map<string, BookedCharge>,
  { operator, line }: { readonly operator: string; readonly line: JournalLine },
): void {
  switch (line.type) {
    case 'ACCEPTED': {
      const askedAs = line.charge.reference.replace(/ \(\d+\)$/, '');
      charges.set(line.charge.reference, { ...line.charge, askedAs, settlements: 0, operator });
      return;
    }
    case 'REPEATED': {
      const charge = charges.get(line.reference);
      if (charge !== undefined)
        charges.set(line.reference, { ...charge, submissions: charge.submissions + 1 });
      return;
    }
    case 'SETTLED': {
      const charge = charges.get(line.reference);
      if (charge === undefined) return;
      const { failureCode: _earlier, ...rest } = charge;
      const { verdict, settledAt } = line;
      charges.set(line.reference, { ...rest, ...verdict, settledAt, settlements: charge.settlements + 1 });
    }
  }
}
