// Whether a report was probably read wrongly: with a wrong column, decimal mark or word, most of what it says differs
// from what our books know for certain. Such a report takes no effect at all until two people say that it is right.
import { createHash } from 'node:crypto';
import { contradicts, isReadWrongly, lineText } from '../../domain/reconciliation/operator-report.ts';
import { paymentKeyText } from '../../domain/payments/payment.ts';
import { listPayments } from '../../store/payments/payments.ts';
import type { NumberedLine } from '../../store/reconciliation/operator-reports.ts';
import type { ReadingExample, RefusedReading } from '../../store/reconciliation/refused-readings.ts';
import { UnreadableReport } from '../../wire/report-file.ts';
import type { StorePart } from '../engine.ts';
import { findKeys } from './find-payments.ts';

/** As many are shown beside our payments: enough to see which column is wrong. */
const EXAMPLES_MAX = 3;

export type CheckedReading = Omit<RefusedReading, 'mappingBy'> & {
  readonly isWrong: boolean;
  /** No line could be read. */
  readonly isEmpty: boolean;
};

/** Reads a report and only counts: nothing is written. Where it cannot be read further, what was read so far counts. */
export async function checkReading(
  engine: StorePart,
  provider: string,
  batches: AsyncIterable<readonly NumberedLine[]>,
): Promise<CheckedReading> {
  const hash = createHash('sha256');
  const examples: ReadingExample[] = [];
  let [lineCount, knownCount, differingCount] = [0, 0, 0];
  try {
    for await (const lines of batches) {
      lineCount += lines.length;
      for (const { line } of lines) hash.update(lineText(line)).update('\n');
      for (const { isDifferent, ...example } of await compareKnown(engine, provider, lines)) {
        knownCount += 1;
        if (!isDifferent) continue;
        differingCount += 1;
        if (examples.length < EXAMPLES_MAX) examples.push(example);
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
  }
  const counts = { knownCount, differingCount };
  const judged = { isWrong: isReadWrongly(counts), isEmpty: lineCount === 0 };
  return { ...counts, ...judged, linesHash: hash.digest('hex'), examples };
}

/** Of those lines that name a payment of this cell. */
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
    if (key === undefined || payment === undefined) return [];
    const { phoneNumber: _, ...withoutCustomer } = line;
    const text = lineText(withoutCustomer);
    return [{ lineNo, text, key, isDifferent: contradicts(line, { provider, payment }) }];
  });
}
