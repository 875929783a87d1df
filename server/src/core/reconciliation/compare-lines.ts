// Compares lines of an operator's report with our books. What a line says of an open payment goes through `advance`
// like an authentic message; what it says against a final one opens a case there.
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
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
import { listPayments } from '../../store/payments/payments.ts';
import {
  markFindings,
  type Found,
  type KeptLine,
  type Report,
} from '../../store/reconciliation/operator-reports.ts';
import type { Unmatched } from '../../store/recovery/unmatched-payments.ts';
import type { Engine, StorePart } from '../engine.ts';
import { advance, type Advance, type Advanced } from '../payments/process/advance.ts';
import { approveUnmatched, postUnmatched } from '../payments/process/unmatched-payments.ts';
import { verifyContradiction } from '../payments/process/verify-contradiction.ts';
import { togetherOrAlone } from '../together-or-alone.ts';

/** Without `mayEnd`, lines that would end a payment wait for an approval, also one that is still to be sent again. */
export type Comparing = Report & {
  readonly onError: (error: unknown) => void;
  readonly mayEnd: boolean;
};

/** A line whose payment must decide. */
type Question = { readonly kept: KeptLine; readonly key: PaymentKey };

/** Answers those that wait for an approval. */
export async function compareLines(
  engine: Engine,
  comparing: Comparing,
  lines: readonly KeptLine[],
): Promise<readonly Buffer[]> {
  const { database, keyring } = engine.store;
  const keys = await findKeys(engine, comparing.provider, lines);
  const payments = new Map(
    (await listPayments(database, keyring, [...keys.values()])).map((one) => [paymentKeyText(one), one]),
  );
  const strange = lines.filter((kept) => !keys.has(kept));
  const unmatched = await postUnmatched(engine, comparing.provider, strange);
  if (comparing.mayEnd) await approveUnmatched(engine, comparing.provider, lines);
  const found: Found[] = strange.map((kept) => {
    return { hash: kept.hash, key: null, finding: findingOfStrange(kept, unmatched.get(kept), comparing) };
  });
  const questions: Question[] = [];
  for (const kept of lines) {
    const key = keys.get(kept);
    if (key === undefined) continue;
    const payment = payments.get(paymentKeyText(key));
    const told = payment === undefined ? null : compareLine(kept.line, { ...comparing, payment });
    const wouldEnd = payment !== undefined && !isFinal(payment.state);
    if (told !== null) found.push({ hash: kept.hash, key, finding: told });
    else if (wouldEnd && !comparing.mayEnd) found.push({ hash: kept.hash, key, finding: 'TO_APPROVE' });
    else questions.push({ kept, key });
  }
  found.push(...(await ask(engine, comparing, questions)));
  await markFindings(database, comparing.provider, found);
  return found.flatMap(({ hash, finding }) => (finding === 'TO_APPROVE' ? [hash] : []));
}

/** Of a line about nothing that is known here, or about a lost payment. */
function findingOfStrange({ line }: KeptLine, lost: Unmatched | undefined, { mayEnd }: Comparing): Finding {
  if (lost === undefined) return 'UNKNOWN';
  if (lost.amount !== line.amount || lost.currency !== line.currency) return 'MISMATCHED';
  return mayEnd || lost.isApproved ? 'UNMATCHED' : 'TO_APPROVE';
}

/**
 * The payments that lines name: by our reference, by the operator's transaction, by the reference it picked, or by a
 * receipt that a message told and that the report now proves. What the line moved must fit the payment all the same.
 */
async function findKeys(
  engine: StorePart,
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
  const byReceipt = Map.groupBy(theirs, ({ reportedReceipt }) => reportedReceipt);
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

/**
 * Asks the single write path, all together or each alone. Successes come first: a failure of the same payment came
 * before it.
 */
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
 * A report is made when all is over, so its successes are believed as they stand, whatever an enquiry says. That
 * something COMPLETED has failed is asked about first.
 */
function advanceOf(provider: string, { kept: { lineNo, line }, key }: Question): Advance {
  return {
    key,
    event: { type: 'OPERATOR_ANSWERED', outcome: outcomeOfLine(line) },
    evidence: `report of ${provider}, line ${lineNo}: ${lineText(line)}`,
    ...(line.status === 'FAILED' ? { mustBeVerified: true } : {}),
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
      await verifyContradiction(engine, told, answer, 'WAIT');
      return (await hasLateFailure(engine, told.key)) ? 'CASE' : 'UNCONFIRMED';
    case 'OTHER_CELL':
    case 'NOT_FOUND':
      return 'OTHER_CELL';
    case 'TRANSACTION_TAKEN':
      throw new Error('only what is done manually is refused for a transaction');
  }
}

async function hasLateFailure(engine: StorePart, key: PaymentKey): Promise<boolean> {
  const evidence = await listEvidence(engine.store.database, [key]);
  return evidence.has(`${paymentKeyText(key)} LATE_FAILURE`);
}
