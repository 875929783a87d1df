// Compares lines of an operator's report with our books. What a line would do waits for people; approved, it goes
// through `advance` like an authentic message: there it ends an open payment, or opens a case about a final one.
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import {
  compareLine,
  lineText,
  outcomeOfLine,
  type Finding,
  type LineEffect,
} from '../../domain/reconciliation/operator-report.ts';
import { listLatestAttempts } from '../../store/payments/attempts.ts';
import { findCaseAbout, listEvidence } from '../../store/payments/cases.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import type { Found, KeptLine } from '../../store/reconciliation/operator-reports.ts';
import type { WaitingLine } from '../../store/reconciliation/reports-to-approve.ts';
import type { Engine, StorePart } from '../engine.ts';
import { advance, type Advance, type Advanced } from '../payments/process/advance.ts';
import { foresee, type Foreseen } from '../payments/process/foresee.ts';
import { approveLost, noteLost, type LostLine } from '../payments/process/unmatched-payments.ts';
import { verifyContradiction } from '../payments/process/verify-contradiction.ts';
import { togetherOrAlone } from '../together-or-alone.ts';
import { findKeys } from './find-payments.ts';
import { holdReversals } from './hold-reversals.ts';
import { mark, type Comparing } from './mark-lines.ts';

/** A line whose payment must decide. */
type Question = {
  readonly kept: KeptLine;
  readonly key: PaymentKey;
  /** What people approved that it does; null where none need approve. */
  readonly approvedAs: LineEffect | null;
};

/** Lines beside what our books have: about payments of ours, decided on sight, or still to be decided. */
type Sorted = {
  readonly found: readonly Found[];
  readonly strange: readonly KeptLine[];
  readonly questions: readonly Question[];
  readonly payments: ReadonlyMap<string, StoredPayment>;
};

/** Compares lines and does nothing but to note what each would do. Answers what was found. */
export async function proposeLines(
  engine: Engine,
  comparing: Comparing,
  lines: readonly KeptLine[],
): Promise<readonly Found[]> {
  const sorted = await sortLines(engine, comparing, lines);
  const lost = await noteLost(engine, comparing.provider, sorted.strange);
  reportSilence(comparing, lost);
  const strange = sorted.strange.flatMap((kept) => foundOfStrange(kept, lost.get(kept)) ?? []);
  const found = [...sorted.found, ...strange, ...(await proposalsOf(engine, comparing, sorted))];
  await mark(engine, comparing, found);
  return found;
}

/**
 * Lets approved lines do what they were approved for. A line that would do anything else by now waits again, with that.
 * One that cannot be applied now keeps waiting. Answers what was found.
 */
export async function applyLines(
  engine: Engine,
  comparing: Comparing,
  lines: readonly WaitingLine[],
): Promise<readonly Found[]> {
  const { provider } = comparing;
  const effects = new Map<KeptLine, LineEffect>(lines.map((line) => [line, line.effect]));
  const sorted = await sortLines(engine, comparing, lines, effects);
  const lost = sorted.strange.filter((kept) => effects.get(kept) === 'LOST_PAYMENT');
  const strange = await approveStrange(engine, comparing, {
    strange: sorted.strange,
    named: await noteLost(engine, provider, lost),
  });
  const foreseen = await foreseeAll(engine, provider, sorted);
  const isPermitted = ({ approvedAs, kept }: Question) => {
    const then = foreseen.get(kept);
    return then === undefined || (then.type === 'EFFECT' && approvedAs !== null);
  };
  const answered = await ask(engine, comparing, sorted.questions.filter(isPermitted));
  const others = sorted.questions.filter((question) => !isPermitted(question));
  const found = [
    ...sorted.found,
    ...strange,
    ...answered,
    ...others.flatMap(({ kept, key }) => proposalOf(kept, key, foreseen.get(kept))),
  ];
  await mark(engine, comparing, found);
  return found;
}

/** Lets lines take effect at once: where no approval is needed. */
export async function carryOutLines(
  engine: Engine,
  comparing: Comparing,
  lines: readonly KeptLine[],
): Promise<void> {
  const sorted = await sortLines(engine, comparing, lines);
  const strange = await approveStrange(engine, comparing, {
    strange: sorted.strange,
    named: await noteLost(engine, comparing.provider, sorted.strange),
  });
  const answered = await ask(engine, comparing, sorted.questions);
  await mark(engine, comparing, [...sorted.found, ...strange, ...answered]);
}

async function sortLines(
  engine: Engine,
  { provider }: Comparing,
  lines: readonly KeptLine[],
  approved: ReadonlyMap<KeptLine, LineEffect> = new Map(),
): Promise<Sorted> {
  const { database, keyring } = engine.store;
  const keys = await findKeys(engine, provider, lines);
  const payments = new Map(
    (await listPayments(database, keyring, [...keys.values()])).map((one) => [paymentKeyText(one), one]),
  );
  const found: Found[] = [];
  const questions: Question[] = [];
  for (const kept of lines) {
    const key = keys.get(kept);
    if (key === undefined) continue;
    const payment = payments.get(paymentKeyText(key));
    const finding = payment === undefined ? null : compareLine(kept.line, { provider, payment });
    if (finding === null) questions.push({ kept, key, approvedAs: approved.get(kept) ?? null });
    else found.push({ hash: kept.hash, key, finding });
  }
  return { found, questions, payments, strange: lines.filter((kept) => !keys.has(kept)) };
}

/** Lets lost payments that these lines name count. One that no cell could be asked about keeps waiting. */
async function approveStrange(
  engine: Engine,
  comparing: Comparing,
  {
    strange,
    named,
  }: { readonly strange: readonly KeptLine[]; readonly named: ReadonlyMap<KeptLine, LostLine> },
): Promise<readonly Found[]> {
  reportSilence(comparing, named);
  const approved = [...named].flatMap(([kept, one]) => (isHere(one) ? [kept] : []));
  const differing = await approveLost(engine, comparing.provider, approved);
  return strange.flatMap((kept) => {
    const lost = named.get(kept);
    const { hash } = kept;
    if (differing.has(kept)) return { hash, key: null, finding: 'MISMATCHED' };
    if (lost?.standing === 'NEW') return { hash, key: null, finding: 'UNMATCHED' };
    return foundOfStrange(kept, lost) ?? [];
  });
}

/** A line about nothing that is known here, or about a lost payment; null where that could not be found out. */
function foundOfStrange({ hash }: KeptLine, lost: LostLine | undefined): Found | null {
  switch (lost?.standing) {
    case undefined:
      return { hash, key: null, finding: 'UNKNOWN' };
    case 'NEW':
      return { hash, key: null, finding: 'TO_APPROVE', effect: 'LOST_PAYMENT' };
    case 'AGREES':
      return { hash, key: null, finding: 'UNMATCHED' };
    case 'DIFFERS':
      return { hash, key: null, finding: 'MISMATCHED' };
    case 'OTHER_CELL':
      return { hash, key: null, finding: 'OTHER_CELL' };
    case 'SILENT':
      return null;
  }
}

/** Not another cell's, as far as every cell could be asked. */
function isHere({ standing }: LostLine): boolean {
  return standing !== 'OTHER_CELL' && standing !== 'SILENT';
}

function reportSilence({ onError }: Comparing, lost: ReadonlyMap<KeptLine, LostLine>): void {
  const count = [...lost.values()].filter(({ standing }) => standing === 'SILENT').length;
  if (count === 0) return;
  onError(
    new Error(
      `${count} lines name payments that are not known here, and another cell, which may know them, does not answer. ` +
        'They are not sent meanwhile. Import the file again when it does.',
    ),
  );
}

async function foreseeAll(
  engine: StorePart,
  provider: string,
  { questions, payments }: Pick<Sorted, 'questions' | 'payments'>,
): Promise<ReadonlyMap<KeptLine, Foreseen>> {
  const words = questions.map((question) => ({ ...advanceOf(provider, question), kept: question.kept }));
  const foreseen = await foresee(engine, words, payments);
  return new Map([...foreseen].map(([{ kept }, one]) => [kept, one]));
}

async function proposalsOf(
  engine: StorePart,
  { provider }: Comparing,
  sorted: Pick<Sorted, 'questions' | 'payments'>,
): Promise<readonly Found[]> {
  const foreseen = await foreseeAll(engine, provider, sorted);
  return sorted.questions.map(({ kept, key }) => proposalOf(kept, key, foreseen.get(kept)));
}

/** What is to be noted of a line, by what it would do; undefined where its payment is in another cell. */
function proposalOf({ hash }: KeptLine, key: PaymentKey, foreseen: Foreseen | undefined): Found {
  switch (foreseen?.type) {
    case undefined:
      return { hash, key, finding: 'OTHER_CELL' };
    case 'EFFECT':
      return {
        hash,
        key,
        finding: 'TO_APPROVE',
        effect: foreseen.effect,
        ...(foreseen.atRisk > 0n && { atRisk: foreseen.atRisk }),
      };
    case 'CASE':
      return { hash, key, finding: 'CASE', caseId: foreseen.caseId };
    case 'AGREES':
    case 'NOT_SENT':
      return { hash, key, finding: foreseen.type };
  }
}

/**
 * Asks the single write path, all together or each alone. Successes come first: a failure of the same payment came
 * before it.
 */
async function ask(
  engine: Engine,
  comparing: Comparing,
  questions: readonly Question[],
): Promise<readonly Found[]> {
  const { provider, onError } = comparing;
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
  const waiting: { readonly question: Question; readonly payment: StoredPayment }[] = [];
  for (const { question, told, answer } of answered) {
    const { kept, key } = question;
    if (told === undefined || answer === undefined) continue;
    if (answer.type === 'OTHER_EFFECT') {
      waiting.push({ question, payment: answer.payment });
      continue;
    }
    const finding = await findingOf(engine, told, answer);
    const transaction = kept.line.providerTransactionId ?? null;
    const caseId = finding === 'CASE' ? await findCaseAbout(engine.store.database, key, transaction) : null;
    found.push({ hash: kept.hash, key, finding, caseId });
  }
  // Payments that changed since their lines were foreseen: the lines wait again, with what they would do now.
  const payments = new Map(waiting.map(({ payment }) => [paymentKeyText(payment), payment]));
  const proposed = { questions: waiting.map(({ question }) => question), payments };
  return [...found, ...(await proposalsOf(engine, comparing, proposed))];
}

/**
 * A report is made when all is over, so its successes are believed as they stand, whatever an enquiry says. That
 * something COMPLETED has failed is asked about first, unless people approved it.
 */
function advanceOf(provider: string, { kept: { hash, lineNo, line }, key, approvedAs }: Question): Advance {
  return {
    key,
    event: { type: 'OPERATOR_ANSWERED', outcome: outcomeOfLine(line) },
    evidence: `report of ${provider}, line ${lineNo}: ${lineText(line)}`,
    lineHash: hash,
    ...(approvedAs !== null && { approvedAs }),
    ...(approvedAs === null && line.status === 'FAILED' && { mustBeVerified: true }),
  };
}

async function findingOf(
  engine: Engine,
  told: Advance,
  answer: Exclude<Advanced, { readonly type: 'OTHER_EFFECT' }>,
): Promise<Finding> {
  switch (answer.type) {
    case 'MOVE':
      return answer.payment.nextAction === null ? 'APPLIED' : 'CASE';
    case 'CONTRADICTION':
      return 'CASE';
    case 'NOTHING':
      return isFinal(answer.payment.state) ? 'AGREES' : 'NOT_SENT';
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

/** How many reversals operators are asked about for one file: each question may take seconds. */
const ASKED_MAX = 200;
const ASKED_AT_ONCE = 10;

/**
 * Holds what waiting lines say was taken back, all of it or another amount, and asks the operators about reversals.
 * What an operator confirms is its own word: the case opens at once. It can confirm that a payment was taken back, and
 * no amount. `askedBefore`: for the same file. Answers how many were asked about.
 */
export async function heedReversals(
  engine: Engine,
  comparing: Comparing,
  {
    lines,
    found,
    askedBefore,
  }: { readonly lines: readonly KeptLine[]; readonly found: readonly Found[]; readonly askedBefore: number },
): Promise<number> {
  const { provider, onError } = comparing;
  const byHash = new Map(lines.map((kept) => [kept.hash.toString('hex'), kept]));
  const waiting = found.flatMap(({ hash, key, effect, atRisk = 0n }) => {
    const kept = byHash.get(hash.toString('hex'));
    if (effect === undefined || effect === null || key === null || kept === undefined) return [];
    return [{ provider, hash, key, kept, effect, atRisk }];
  });
  const takenBack = waiting.filter(
    ({ kept, key, atRisk }) => atRisk > 0n && key.kind === 'DEPOSIT' && kept.line.status === 'FAILED',
  );
  await holdReversals(engine, takenBack, onError);
  const reversals = waiting.filter(({ effect }) => effect === 'REVERSAL');
  const asked = reversals.slice(0, Math.max(0, ASKED_MAX - askedBefore));
  for (let first = 0; first < asked.length; first += ASKED_AT_ONCE) {
    const answers = asked
      .slice(first, first + ASKED_AT_ONCE)
      .map(({ kept, key }) =>
        askAboutReversal(engine, provider, { kept, key, approvedAs: null }).catch(onError),
      );
    const confirmed = (await Promise.all(answers)).flatMap((one) => one ?? []);
    await mark(engine, comparing, confirmed);
  }
  return asked.length;
}

/** Answers what to note where the operator confirms it; null otherwise. */
async function askAboutReversal(engine: Engine, provider: string, question: Question): Promise<Found | null> {
  const { database, keyring } = engine.store;
  const { key, kept } = question;
  const [payment] = await listPayments(database, keyring, [key]);
  const [attempt = null] = await listLatestAttempts(database, [key]);
  if (payment === undefined) return null;
  const told = advanceOf(provider, question);
  await verifyContradiction(engine, told, { type: 'UNCONFIRMED', payment, attempt }, 'WAIT');
  if (!(await hasLateFailure(engine, key))) return null;
  const transaction = kept.line.providerTransactionId ?? null;
  return { hash: kept.hash, key, finding: 'CASE', caseId: await findCaseAbout(database, key, transaction) };
}

async function hasLateFailure(engine: StorePart, key: PaymentKey): Promise<boolean> {
  const evidence = await listEvidence(engine.store.database, [key]);
  return evidence.has(`${paymentKeyText(key)} LATE_FAILURE`);
}
