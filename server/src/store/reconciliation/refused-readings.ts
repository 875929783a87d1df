// Reports that were probably read wrongly, and which reading of such a report two people have accepted.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';

/** A line that differs, without the customer's number, and the payment that it names. */
export type ReadingExample = { readonly lineNo: number; readonly text: string; readonly key: PaymentKey };

export type RefusedReading = {
  /** Of what the lines say: the same file read with other columns is another reading. */
  readonly linesHash: string;
  readonly knownCount: number;
  readonly differingCount: number;
  readonly examples: readonly ReadingExample[];
  /** Who set how the columns are read; left out for our own format. */
  readonly mappingBy?: readonly string[];
};

const readings = columns({
  provider: 'text',
  /** The last reading, where it was refused. */
  refused: column<RefusedReading | null>('jsonb null', 'refused_reading'),
  /** The hash of the lines that two people have accepted. */
  acceptedHash: column<string | null>('text null', 'accepted_reading'),
});

export type Reading = Row<typeof readings>;

/** Null where there is no such report. */
export async function findReading(tx: Tx, reportId: string): Promise<Reading | null> {
  return readings.find(tx, 'from operator_reports where report_id = $1', [reportId]);
}

/** The same, locked until the transaction ends. */
export async function lockReading(tx: Tx, reportId: string): Promise<Reading | null> {
  return readings.find(tx, 'from operator_reports where report_id = $1 for update', [reportId]);
}

/** Null: the file was read, and nothing is wrong with it. */
export async function setRefusedReading(
  tx: Tx,
  reportId: string,
  refused: RefusedReading | null,
): Promise<void> {
  await tx.query('update operator_reports set refused_reading = $2 where report_id = $1', [
    reportId,
    refused === null ? null : JSON.stringify(refused),
  ]);
}

/** The database refuses it without the approval of two people. Answers whether the last reading was this one. */
export async function acceptReading(
  tx: Tx,
  { reportId, linesHash }: { readonly reportId: string; readonly linesHash: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update operator_reports set accepted_reading = $2
     where report_id = $1 and refused_reading ->> 'linesHash' = $2`,
    [reportId, linesHash],
  );
  return rowCount === 1;
}
