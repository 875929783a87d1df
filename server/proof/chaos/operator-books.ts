// The operator's own books, read from its journal: what it charged, how often it changed its mind.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import type { OpenCharge } from '../../src/connectors/simulator/operator/charge.ts';
import { renderStatus } from '../../src/connectors/simulator/operator/charge.ts';
import type { JournalLine } from '../../src/connectors/simulator/operator/journal.ts';
import { SIGNATURE_HEADER, signatureOf } from '../../src/connectors/simulator/signature.ts';
import type { Scratch } from './scratch.ts';
import { CLIENT } from './settings.ts';

export type BookedCharge = OpenCharge & {
  /** The reference it was asked for under; a repeat that was charged again has the same. */
  readonly askedAs: string;
  readonly settlements: number;
};

export function readOperatorBooks(scratch: Scratch): readonly BookedCharge[] {
  const text = readFileSync(join(scratch.path, 'simulator', 'journal.jsonl'), 'utf8');
  const charges = new Map<string, BookedCharge>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    apply(charges, JSON.parse(line) as JournalLine);
  }
  return [...charges.values()];
}

/** What an operator does once things are calm: it says again what it fears was not heard. */
export async function repeatNotification(charge: BookedCharge): Promise<void> {
  const body = Buffer.from(JSON.stringify(renderStatus(charge)));
  const response = await request(charge.notificationUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signatureOf(body, { secret: CLIENT.notificationSecret, at: new Date() }),
    },
    body,
  });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`the notification was answered ${response.statusCode}`);
}

function apply(charges: Map<string, BookedCharge>, line: JournalLine): void {
  switch (line.type) {
    case 'ACCEPTED': {
      const askedAs = line.charge.reference.replace(/ \(\d+\)$/, '');
      charges.set(line.charge.reference, { ...line.charge, askedAs, settlements: 0 });
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
