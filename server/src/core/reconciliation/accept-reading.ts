// A report that contradicts most of what is known is imported all the same when two people say that it is right. What
// they accept is exactly this reading: with other columns the file is judged anew.
import { paymentKeyText } from '../../domain/payments/payment.ts';
import {
  acceptReading,
  findReading,
  type ReadingExample,
  type RefusedReading,
} from '../../store/reconciliation/refused-readings.ts';
import { findPlatformApproval, type ActingPerson } from '../../store/approvals/approvals.ts';
import { inTransaction } from '../../store/database.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import { refuseColumnsSetter } from '../approvals/columns-setter.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine, StorePart } from '../engine.ts';

export type ReadingRequest = {
  readonly reportId: string;
  readonly actor: ActingPerson;
  readonly reason: string;
};

export type ReadingAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  /** NOT_REFUSED: the file was imported, or its reading is accepted already. */
  | { readonly type: 'NOT_FOUND' | 'NOT_REFUSED' | 'REQUESTED_BEFORE' };

/** Asks that a refused report be imported all the same. Another person approves, and then it is imported again. */
export async function requestReading(
  engine: Engine,
  { reportId, actor, reason }: ReadingRequest,
): Promise<ReadingAnswer> {
  return inTransaction(engine.store.database, async (tx) => {
    const found = await findReading(tx, reportId);
    if (found === null) return { type: 'NOT_FOUND' };
    const { provider, refused, acceptedHash } = found;
    if (refused === null || refused.linesHash === acceptedHash) return { type: 'NOT_REFUSED' };
    const { examples: _, ...facts } = refused;
    const approvalId = await requestApproval(engine, tx, {
      kind: 'REPORT_READING',
      merchantId: null,
      subject: reportId,
      request: { provider, ...facts, reason },
      actor,
    });
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
  });
}

export const readingExecutor: Executor<'REPORT_READING'> = {
  show: ({ provider, knownCount, differingCount, linesHash, mappingBy, reason }) => ({
    provider,
    knownCount: String(knownCount),
    differingCount: String(differingCount),
    linesHash,
    ...(mappingBy !== undefined && { mappingBy: mappingBy.join(', ') }),
    note: reason,
  }),
  execute: async ({ engine, tx, decider, approval: { subject: reportId, request } }) => {
    await refuseColumnsSetter(tx, decider, request);
    const { provider, linesHash } = request;
    if (!(await acceptReading(tx, { reportId, linesHash }))) throw new NotExecuted();
    const act = {
      by: decider.by,
      act: 'REPORT_READING_ACCEPTED',
      merchantId: null,
      subject: reportId,
    } as const;
    await record(engine, tx, [{ ...act, detail: { provider, linesHash } }]);
  },
};

/** A line that differs, beside our payment, as far as that is in this cell. */
export type ShownExample = ReadingExample & { readonly payment: StoredPayment | null };

export type ShownReading = Omit<RefusedReading, 'examples'> & {
  readonly status: 'REFUSED' | 'REQUESTED' | 'ACCEPTED';
  readonly examples: readonly ShownExample[];
};

/** What was refused of a report when it was read last; null where nothing was. */
export async function readRefused(engine: StorePart, reportId: string): Promise<ShownReading | null> {
  const { database, keyring } = engine.store;
  const found = await findReading(database, reportId);
  if (found === null || found.refused === null) return null;
  const { refused, acceptedHash } = found;
  const approval = await findPlatformApproval(database, { kind: 'REPORT_READING', subject: reportId });
  const keys = refused.examples.map(({ key }) => key);
  const payments = new Map(
    (await listPayments(database, keyring, keys)).map((payment) => [paymentKeyText(payment), payment]),
  );
  return {
    ...refused,
    status:
      acceptedHash === refused.linesHash
        ? 'ACCEPTED'
        : approval?.status === 'PENDING'
          ? 'REQUESTED'
          : 'REFUSED',
    examples: refused.examples.map((example) => {
      return { ...example, payment: payments.get(paymentKeyText(example.key)) ?? null };
    }),
  };
}
