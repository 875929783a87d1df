// Whether a report was probably read wrongly: with a wrong column, decimal mark or word, most of what it says differs
// from what our books know for certain. Such a report takes no effect at all until two people say that it is right.
import { createHash } from 'node:crypto';
import { contradicts, isReadWrongly, lineText } from '../../domain/reconciliation/operator-report.ts';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import { listPayments } from '../../store/payments/payments.ts';
import type { NumberedLine } from '../../store/reconciliation/operator-reports.ts';
import type { ReadingExample, RefusedReading } from '../../store/reconciliation/refused-readings.ts';
import type { StorePart } from '../engine.ts';
import { findKeys } from './find-payments.ts';

/** As many are shown beside our payments: enough to see which column is wrong. */
const EXAMPLES_MAX = 3;

export type CheckedReading = Omit<RefusedReading, 'mappingBy'> & {
  readonly isWrong: boolean;
  /** No line could be read. */
  readonly isEmpty: boolean;
};

/**
 * Reads a report and only counts: nothing is written. Throws UnreadableReport where the file cannot be read to its end,
 * so that nothing of such a file has any effect.
 */
export async function checkReading(
  engine: StorePart,
  provider: string,
  batches: AsyncIterable<readonly NumberedLine[]>,
): Promise<CheckedReading> {
  const hash = createHash('sha256');
  const examples: ReadingExample[] = [];
  // Payments and not lines, because one line can be repeated with another time until a file seems to agree.
  const known = new Set<number>();
  const differing = new Set<number>();
  let lineCount = 0;
  for await (const lines of batches) {
    lineCount += lines.length;
    for (const { line } of lines) hash.update(lineText(line)).update('\n');
    for (const { isDifferent, ...example } of await compareKnown(engine, provider, lines)) {
      const name = shortName(example.key);
      known.add(name);
      if (!isDifferent || differing.has(name)) continue;
      differing.add(name);
      if (examples.length < EXAMPLES_MAX) examples.push(example);
    }
  }
  const counts = { knownCount: known.size, differingCount: differing.size };
  const judged = { isWrong: isReadWrongly(counts), isEmpty: lineCount === 0 };
  return { ...counts, ...judged, linesHash: hash.digest('hex'), examples };
}

/** 48 bits of a hash: of a million payments two have the same with a probability of 0.2 %, and then count as one. */
function shortName(key: PaymentKey): number {
  return createHash('sha256').update(paymentKeyText(key)).digest().readUIntBE(0, 6);
}

/** Of those lines that name a final payment of this cell: what becomes of an open one is not known yet. */
async function compareKnown(engine: StorePart, provider: string, lines: readonly NumberedLine[]) {
  const { database, keyring } = engine.store;
  const about = lines.filter(({ line }) => line.movement === undefined);
  const keys = await findKeys(engine, provider, about);
  const found = await listPayments(database, keyring, [...keys.values()]);
  const payments = new Map(found.map((payment) => [paymentKeyText(payment), payment]));
  return about.flatMap((numbered) => {
    const { lineNo, line } = numbered;
    const key = keys.get(numbered);
    const payment = key === undefined ? undefined : payments.get(paymentKeyText(key));
    if (key === undefined || payment === undefined || !isFinal(payment.state)) return [];
    const { phoneNumber: _, ...withoutCustomer } = line;
    const text = lineText(withoutCustomer);
    return [{ lineNo, text, key, isDifferent: contradicts(line, { provider, payment }) }];
  });
}
