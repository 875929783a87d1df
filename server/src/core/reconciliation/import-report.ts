// Takes an operator's statement to our books, line by line. What a line says of an open payment is brought to the door
// like an authentic message; what it says against a final one opens a case there. Everything can be done twice.
import { lockOrder, type PaymentKey } from '../../domain/payments/payment.ts';
import {
  compareLine,
  lineText,
  outcomeOfLine,
  type Finding,
} from '../../domain/reconciliation/operator-report.ts';
import {
  listAttemptsByReference,
  listAttemptsInReconciliation,
  listTransactionOwners,
} from '../../store/payments/attempts.ts';
import { findCaseAbout, listEvidence } from '../../store/payments/cases.ts';
import { inTransaction } from '../../store/database.ts';
import {
  insertStatement,
  keepLines,
  markFindings,
  setPeriod,
  type Found,
  type KeptLine,
  type NumberedLine,
  type Period,
  type Statement,
} from '../../store/reconciliation/operator-reports.ts';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { listPayments } from '../../store/payments/payments.ts';
import { advance, type Advance, type Advanced } from '../payments/process/advance.ts';
import { askToApply } from './request-report.ts';
import type { SecondPerson } from '../approvals/request-approval.ts';
import { record, type ByHand } from '../audit.ts';
import { confirm } from '../payments/process/verify-contradiction.ts';
import type { Engine } from '../engine.ts';
import { postForgotten } from '../payments/process/unmatched-payments.ts';
import { orderReported } from './reported-movements.ts';
import { togetherOrAlone } from '../together-or-alone.ts';

export type StatementOrder = ByHand & {
  /** REQUIRED: lines that would end a payment wait for an approval. */
  readonly secondPerson: SecondPerson;
  readonly provider: string;
  /** Of the file's bytes. */
  readonly fileHash: Buffer;
  /** What the statement covers; null: from its first line to its last. */
  readonly period: Period | null;
  /** The lines, some at a time: a statement may be larger than the memory. */
  readonly batches: AsyncIterable<readonly NumberedLine[]>;
  readonly onError: (error: unknown) => void;
};

export type ImportedStatement = {
  readonly statementId: string;
  /** False for a file that was imported before. */
  readonly isNew: boolean;
  readonly lineCount: number;
  /** Of these, those that were compared now; all others were settled before. */
  readonly comparedCount: number;
};

export async function importStatement(engine: Engine, order: StatementOrder): Promise<ImportedStatement> {
  const statement = await begin(engine, order);
  let [lineCount, comparedCount] = [0, 0];
  let covered: Period | null = null;
  for await (const lines of order.batches) {
    const kept = await inTransaction(engine.store.database, (tx) =>
      keepLines(tx, engine.store.keyring, statement, lines),
    );
    const comparing = { ...statement, onError: order.onError, mayEnd: order.secondPerson === 'OPTIONAL' };
    await compareLines(
      engine,
      comparing,
      kept.filter((one) => !isMovement(one)),
    );
    const asked = { ...order, actor: { personId: null, by: order.by } };
    await markFindings(
      engine.store.database,
      order.provider,
      await orderReported(engine, asked, kept.filter(isMovement)),
    );
    lineCount += lines.length;
    comparedCount += kept.length;
    covered = widen(covered, lines);
  }
  const period = order.period ?? covered;
  if (period !== null) await setPeriod(engine.store.database, statement.statementId, period);
  if (order.secondPerson === 'REQUIRED') await askToApply(engine, order);
  return { statementId: statement.statementId, isNew: statement.isNew, lineCount, comparedCount };
}

/** Not about a payment. */
function isMovement({ line }: KeptLine): boolean {
  return line.movement !== undefined;
}

async function begin(engine: Engine, { by, provider, fileHash }: StatementOrder) {
  return inTransaction(engine.store.database, async (tx) => {
    const statement = await insertStatement(tx, { provider, fileHash, now: engine.clock.now() });
    const act = { by, act: 'STATEMENT_IMPORTED', merchantId: null, subject: statement.statementId } as const;
    const detail = { provider, sha256: fileHash.toString('hex') };
    if (statement.isNew) await record(engine, tx, [{ ...act, detail }]);
    return statement;
  });
}

/** Without `mayEnd`, lines that would end a payment wait for an approval. */
type Comparing = Statement & Pick<StatementOrder, 'onError'> & { readonly mayEnd: boolean };

/** A line whose payment must decide. */
type Question = { readonly kept: KeptLine; readonly key: PaymentKey };

export async function compareLines(
  engine: Engine,
  comparing: Comparing,
  lines: readonly KeptLine[],
): Promise<void> {
  const { database, keyring } = engine.store;
  const keys = await findKeys(engine, comparing.provider, lines);
  const payments = new Map(
    (await listPayments(database, keyring, [...keys.values()])).map((one) => [lockOrder(one), one]),
  );
  const strange = lines.filter((kept) => !keys.has(kept));
  const forgotten = await postForgotten(engine, comparing.provider, strange);
  const found: Found[] = strange.map((kept) => ({
    hash: kept.hash,
    key: null,
    finding: forgotten.has(kept) ? 'FORGOTTEN' : 'UNKNOWN',
  }));
  const questions: Question[] = [];
  for (const kept of lines) {
    const key = keys.get(kept);
    if (key === undefined) continue;
    const payment = payments.get(lockOrder(key));
    const told = payment === undefined ? null : compareLine(kept.line, { ...comparing, payment });
    const wouldEnd = payment !== undefined && !isFinal(payment.state);
    if (told !== null) found.push({ hash: kept.hash, key, finding: told });
    else if (wouldEnd && !comparing.mayEnd) found.push({ hash: kept.hash, key, finding: 'TO_APPROVE' });
    else questions.push({ kept, key });
  }
  await markFindings(database, comparing.provider, [...found, ...(await ask(engine, comparing, questions))]);
}

/**
 * The payments that lines name: by our reference, by the operator's transaction, by the reference it picked, or by a
 * receipt that a message told and that the report now proves. What the line moved must fit the payment all the same.
 */
async function findKeys(
  engine: Engine,
  provider: string,
  lines: readonly KeptLine[],
): Promise<ReadonlyMap<KeptLine, PaymentKey>> {
  const { database } = engine.store;
  const references = lines.flatMap(({ line }) => line.reference ?? []);
  const providerTransactionIds = lines.flatMap(({ line }) => line.providerTransactionId ?? []);
  const ours = await listAttemptsByReference(database, references);
  const owners = await listTransactionOwners(database, { provider, providerTransactionIds });
  const byReference = new Map(ours.map((attempt) => [attempt.reference, attempt]));
  const strange = references.filter((reference) => !byReference.has(reference));
  const receipts = providerTransactionIds.filter((receipt) => !owners.has(receipt));
  const theirs = await listAttemptsInReconciliation(database, { providerReferences: strange, receipts });
  const byTheirs = new Map(theirs.map((attempt) => [attempt.providerReference, attempt]));
  const byReceipt = Map.groupBy(theirs, ({ toldReceipt }) => toldReceipt);
  // One receipt that several payments were told proves nothing about any of them.
  const ofReceipt = (receipt: string) => {
    const [attempt, ...others] = byReceipt.get(receipt) ?? [];
    return others.length === 0 ? attempt : undefined;
  };
  return new Map(
    lines.flatMap((kept) => {
      const { reference = '', providerTransactionId = '' } = kept.line;
      const named =
        byReference.get(reference) ??
        owners.get(providerTransactionId) ??
        byTheirs.get(reference) ??
        ofReceipt(providerTransactionId);
      if (named === undefined) return [];
      const { merchantId, kind, paymentId } = named;
      return [[kept, { merchantId, kind, paymentId }]];
    }),
  );
}

/** Asks the door, all together or each alone. Successes come first: a failure of the same payment came before it. */
async function ask(
  engine: Engine,
  { provider, onError }: Comparing,
  questions: readonly Question[],
): Promise<readonly Found[]> {
  const isFailure = ({ kept }: Question) => kept.line.status === 'FAILED';
  const inOrder = questions.toSorted((one, other) => Number(isFailure(one)) - Number(isFailure(other)));
  const answered = await togetherOrAlone(
    inOrder,
    async (some) => {
      const advances = some.map((question) => advanceOf(provider, question));
      const answers = await advance(engine, advances);
      return some.map((question, index) => ({ question, told: advances[index], answer: answers[index] }));
    },
    onError,
  );
  const found: Found[] = [];
  for (const { question, told, answer } of answered) {
    const { kept, key } = question;
    if (told === undefined || answer === undefined) continue;
    const finding = await findingOf(engine, told, answer);
    const transaction = kept.line.providerTransactionId ?? null;
    const caseId = finding === 'CASE' ? await findCaseAbout(engine.store.database, key, transaction) : null;
    found.push({ hash: kept.hash, key, finding, caseId });
  }
  return found;
}

/**
 * A statement is made when all is over, so its successes are believed as they stand, whatever an enquiry says. That
 * something COMPLETED has failed is asked about first.
 */
function advanceOf(provider: string, { kept: { lineNo, line }, key }: Question): Advance {
  return {
    key,
    event: { type: 'OPERATOR_ANSWERED', outcome: outcomeOfLine(line) },
    evidence: `statement of ${provider}, line ${lineNo}: ${lineText(line)}`,
    ...(line.status === 'FAILED' ? { mustBeConfirmed: true } : {}),
  };
}

async function findingOf(engine: Engine, told: Advance, answer: Advanced): Promise<Finding> {
  switch (answer.type) {
    case 'MOVE':
      return answer.payment.nextAction === null ? 'APPLIED' : 'CASE';
    case 'CONTRADICTION':
      return 'CASE';
    case 'NOTHING':
      return answer.payment.finalAt === undefined ? 'NOT_SENT' : 'AGREES';
    case 'UNCONFIRMED':
      await confirm(engine, told, answer, 'WAIT');
      return (await hasLateFailure(engine, told.key)) ? 'CASE' : 'UNCONFIRMED';
    case 'ELSEWHERE':
    case 'NOT_FOUND':
      return 'ELSEWHERE';
    case 'TRANSACTION_TAKEN':
      throw new Error('only what is done by hand is refused for a transaction');
  }
}

async function hasLateFailure(engine: Engine, key: PaymentKey): Promise<boolean> {
  const evidence = await listEvidence(engine.store.database, [key]);
  return evidence.has(`${lockOrder(key)} LATE_FAILURE`);
}

function widen(covered: Period | null, lines: readonly NumberedLine[]): Period | null {
  return lines.reduce<Period | null>((period, { line: { occurredAt } }) => {
    if (period === null) return { from: occurredAt, to: occurredAt };
    const { from, to } = period;
    return { from: occurredAt < from ? occurredAt : from, to: occurredAt > to ? occurredAt : to };
  }, covered);
}
