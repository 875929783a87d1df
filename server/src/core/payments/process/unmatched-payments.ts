// Payments that operators made in time a restored database has lost. What approved lines of reports say of them stands
// in SUSPENSE, so that our float is what the operator's is; when its payment is in the books again it leaves there, in
// the same transaction, so that no money is ever in the books twice. Why: docs/decisions/0022-after-a-restore.md.
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import { postedBackLegs } from '../../../domain/ledger/lost-payment.ts';
import { unmatched, releaseUnmatched as releaseLegs } from '../../../domain/ledger/postings.ts';
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import type { End } from '../../../domain/payments/outcome.ts';
import { mayBeUnmatched } from '../../../domain/recovery.ts';
import { directionOf, outcomeOfLine, parseLineText } from '../../../domain/reconciliation/operator-report.ts';
import { listAttemptsByReference, type Attempt } from '../../../store/payments/attempts.ts';
import { inTransaction, isOutOfReach, withSavepoint, type Tx } from '../../../store/database.ts';
import { timedUuid } from '../../../store/timed-uuid.ts';
import {
  insertUnmatched,
  listUnposted,
  listUnreleased,
  lockUnreleased,
  markApproved,
  markPosted,
  markReleased,
  markWithdrawn,
  type Unmatched,
  type UnmatchedName,
} from '../../../store/recovery/unmatched-payments.ts';
import { ensureAccounts, post, type Posting } from '../../../store/ledger/ledger.ts';
import { listMarks } from '../../../store/recovery/lost-payment-marks.ts';
import {
  listDecisions,
  lockDecisions,
  markPostedBack,
  type Decided,
} from '../../../store/recovery/lost-payment-decisions.ts';
import { listHomes } from '../../../store/merchants/merchants.ts';
import { listOfVoidedLines } from '../../../store/reconciliation/voided-effects.ts';
import { findLineText, type KeptLine } from '../../../store/reconciliation/operator-reports.ts';
import { lockPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { PLATFORM } from '../../../store/encryption/encryption.ts';
import { lockForWriting } from '../../cells/lock-merchant.ts';
import type { Engine } from '../../engine.ts';
import { firstReferenceOf } from '../../operators/operator-calls.ts';
import { isReference } from '../../operators/reference.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import { togetherOrAlone } from '../../together-or-alone.ts';
import { claimLost, isMarked, nameOf } from './ask-about-lost.ts';

/**
 * What a line says of a lost payment, beside what was approved or decided about the same payment before. OTHER_CELL:
 * another cell knows the payment. SILENT: a cell that could know it did not answer.
 */
export type LostLine = {
  readonly name: UnmatchedName;
  readonly standing: 'NEW' | 'AGREES' | 'DIFFERS' | 'OTHER_CELL' | 'SILENT';
};

/**
 * Notes which of these lines, about nothing that is known here, speak of payments that a restore has lost. From now on
 * those payments are not sent, from any cell; nothing is posted before a line is approved. Answers the lines that do,
 * and those about payments that another cell has. While a cell does not answer, a line only keeps its payment from
 * being sent, until the file is imported again.
 */
export async function noteLost(
  engine: Engine,
  provider: string,
  lines: readonly KeptLine[],
): Promise<ReadonlyMap<KeptLine, LostLine>> {
  const ours = await keepOurs(engine, provider, lines);
  if (ours.size === 0) return new Map();
  const { database } = engine.store;
  const decided = new Map(
    (await listDecisions(database, [...ours.values()])).map((one) => [nameOf(one), one]),
  );
  const recovery = await engine.directory.recovery();
  const found = [...ours.values()].filter(
    (one) => !decided.has(nameOf(one)) && mayBeUnmatched(recovery, one.occurredAt) && one.isOfHome,
  );
  const claimed = await claimLost(engine, found);
  const elsewhere = claimed.type === 'ANSWERED' ? claimed.elsewhere : new Map<string, never>();
  const lost = found.filter((one) => !elsewhere.has(nameOf(one)));
  const isLost = new Set(lost.map(nameOf));
  await inTimedTransaction(engine, async (tx, foundAt) => {
    await insertUnmatched(
      tx,
      lost.map((one) => ({ ...one, unmatchedId: timedUuid(foundAt), foundAt })),
    );
    // Noted while the other cell was silent.
    const noted = await lockUnreleased(
      tx,
      found.filter((one) => elsewhere.has(nameOf(one))),
    );
    const unapproved = noted.filter(({ isApproved }) => !isApproved);
    await markWithdrawn(
      tx,
      unapproved.map(({ unmatchedId }) => unmatchedId),
      foundAt,
    );
  });
  const live = Map.groupBy(await listUnreleased(database, lost), nameOf);
  const standingOf = (one: UnmatchedName & Money): LostLine['standing'] | null => {
    const name = nameOf(one);
    const other = decided.get(name) ?? live.get(name)?.find(({ isApproved }) => isApproved);
    if (other !== undefined) return isSameMoney(other, one) ? 'AGREES' : 'DIFFERS';
    if (elsewhere.has(name)) return 'OTHER_CELL';
    if (!isLost.has(name)) return null;
    return claimed.type === 'CELL_SILENT' ? 'SILENT' : 'NEW';
  };
  return new Map(
    [...ours].flatMap(([line, one]) => {
      const standing = standingOf(one);
      return standing === null ? [] : [[line, { name: one, standing }] as const];
    }),
  );
}

/**
 * Posts the lost payments that these approved lines name, each once, and lets payments that merchants send again
 * complete as the lines say. Answers the lines whose payment was approved with other money before: those count for
 * nothing. The lines must have been noted before, in a transaction that is committed: whoever completes one of the
 * payments meanwhile has either seen the note, or has left an attempt that is seen here.
 */
export async function approveLost(
  engine: Engine,
  provider: string,
  lines: readonly KeptLine[],
): Promise<ReadonlySet<KeptLine>> {
  const named = new Map(
    lines.flatMap((line) => {
      const { reference, direction } = line.line;
      return reference === undefined ? [] : [[line, { provider, reference, direction }] as const];
    }),
  );
  const differing = new Set<KeptLine>();
  await inLostPayments(engine, [...named.values()], async (tx, rows, now) => {
    const approved = rows.filter(({ isApproved }) => isApproved);
    const withdrawn: string[] = [];
    for (const [line, name] of named) {
      const own = rows.find((row) => row.lineHash.equals(line.hash));
      if (own === undefined || own.isApproved) continue;
      const other = approved.find((row) => nameOf(row) === nameOf(name));
      if (other === undefined || isSameMoney(other, own)) {
        approved.push({ ...own, isApproved: true });
      } else {
        differing.add(line);
        withdrawn.push(own.unmatchedId);
      }
    }
    await markApproved(
      tx,
      approved.map(({ unmatchedId }) => unmatchedId),
      now,
    );
    await markWithdrawn(tx, withdrawn, now);
    return approved;
  });
  return differing;
}

/** Posts what was approved and could not be posted then. */
export async function postUnposted(engine: Engine, provider: string): Promise<void> {
  const names = await listUnposted(engine.store.database, provider);
  if (names.length === 0) return;
  await inLostPayments(engine, names, async (_tx, rows) => rows.filter(({ isApproved }) => isApproved));
}

/**
 * Takes back what approved lines of voided files said of a lost payment: what they posted is posted back, and the
 * payment is sent when its merchant sends it. A line of another file that says the same counts on: `postUnposted` posts
 * its money. A payment that is in the books again, or that two people have decided about, is left as it is.
 */
export async function withdrawLost(engine: Engine, name: UnmatchedName): Promise<void> {
  await inTimedTransaction(engine, async (tx, now) => {
    const rows = await lockUnreleased(tx, [name]);
    const voided = await listOfVoidedLines(
      tx,
      rows.map(({ unmatchedId }) => unmatchedId),
    );
    const gone = rows.filter(({ unmatchedId }) => voided.has(unmatchedId));
    await post(
      tx,
      gone.filter(({ isPosted }) => isPosted).map((one) => postingOf(one, 'UNMATCHED_WITHDRAWN')),
      now,
    );
    await markWithdrawn(tx, [...voided], now);
  });
}

/**
 * Runs `approve` with the live rows of these names locked, and posts one row of each name that it answers. A payment
 * that is known again is locked too: one that is final has its money in the books, and one that is open completes from
 * the approved line and books it then.
 */
async function inLostPayments(
  engine: Engine,
  names: readonly UnmatchedName[],
  approve: (tx: Tx, rows: readonly Unmatched[], now: Date) => Promise<readonly Unmatched[]>,
): Promise<void> {
  const { database, keyring } = engine.store;
  const attempts = await listAttemptsByReference(
    database,
    names.map(({ reference }) => reference),
  );
  await inTransaction(database, async (tx) => {
    const merchantIds = attempts.map(({ merchantId }) => merchantId);
    const { away } = await lockForWriting(tx, [...new Set(merchantIds)]);
    const now = await engine.clock.timeOf(tx);
    const payments = await lockPayments(
      tx,
      keyring,
      attempts.filter(({ merchantId }) => !away.has(merchantId)),
    );
    const open = new Set(payments.filter(({ state }) => !isFinal(state)).map(paymentKeyText));
    const known = new Map(attempts.map((attempt) => [attempt.reference, attempt]));
    const approved = await approve(tx, await lockUnreleased(tx, names), now);
    const isPosted = new Set(approved.filter((row) => row.isPosted).map(nameOf));
    const unposted = new Map(
      approved.flatMap((row) =>
        known.has(row.reference) || isPosted.has(nameOf(row)) ? [] : [[nameOf(row), row] as const],
      ),
    );
    const lost = [...unposted.values()];
    await ensureAccounts(
      tx,
      lost.flatMap((one) => postingOf(one, 'UNMATCHED').legs).flatMap(({ debit, credit }) => [debit, credit]),
    );
    const posted = await postEach(tx, lost, now);
    await markPosted(
      tx,
      posted.map(({ unmatchedId }) => unmatchedId),
      now,
    );
    const again = approved.flatMap((row) => {
      const to = known.get(row.reference);
      return to === undefined || open.has(paymentKeyText(to)) ? [] : [{ ...row, to }];
    });
    await markReleased(tx, again, now);
  });
}

type Money = Pick<Unmatched, 'amount' | 'currency'>;

function isSameMoney(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}

/**
 * Successes under what has the form of a reference of ours. `isOfHome`: of a merchant that may have been made here.
 * Anything else a person has to look at.
 */
async function keepOurs(engine: Engine, provider: string, lines: readonly KeptLine[]) {
  const country = findProvider(provider)?.country;
  if (country === undefined || !(await engine.directory.mayBeLost())) return new Map<KeptLine, never>();
  // A merchant that was made in the lost time is lost as well, and its home was this cell's.
  const homes = new Set([engine.home, ...(await listHomes(engine.store.database))]);
  return new Map(
    lines.flatMap((kept) => {
      const { status, reference = '', direction, amount, currency, occurredAt } = kept.line;
      if (status !== 'COMPLETED' || !isReference(reference) || amount <= 0n) return [];
      const place = { provider, country, currency };
      const facts = { reference, direction, amount, occurredAt, lineHash: kept.hash };
      return [[kept, { ...place, ...facts, isOfHome: homes.has(reference.slice(0, 4)) }] as const];
    }),
  );
}

/**
 * Posts what was lost, together or each alone. Answers what was posted: one that cannot be must not keep the others. It
 * stays unposted, is tried again with every report of its provider, and counts as a missing follow-up meanwhile.
 */
async function postEach<Lost extends Unmatched>(
  tx: Tx,
  lost: readonly Lost[],
  now: Date,
): Promise<readonly Lost[]> {
  const postAll = (some: readonly Lost[]) =>
    withSavepoint(tx, async () => {
      await post(
        tx,
        some.map((one) => postingOf(one, 'UNMATCHED')),
        now,
      );
      return some;
    });
  return togetherOrAlone(lost, postAll, (error) => {
    if (isOutOfReach(error)) throw error;
  });
}

/** A payment that books money of its own now, and under which reference its operator knows it. */
export type Booked = { readonly payment: StoredPayment; readonly attempt: Attempt | null };

/** What must be posted beside what these payments post, so that their money is in the books once. */
export async function releaseUnmatched(
  tx: Tx,
  booked: readonly Booked[],
  now: Date,
): Promise<readonly Posting[]> {
  const owners = ownersOf(booked);
  const found = await lockUnreleased(tx, [...owners.values()]);
  // Several lines may speak of one payment.
  const names = new Set(found.map(nameOf));
  const releases = [...names].flatMap((name) => owners.get(name) ?? []);
  await markReleased(tx, releases, now);
  return [...postingsOfReleased(found), ...(await postBackDecided(tx, owners, now))];
}

/** What two people decided of these payments while they were lost counts no more: their money is theirs. */
async function postBackDecided(
  tx: Tx,
  owners: ReadonlyMap<string, Owner>,
  now: Date,
): Promise<readonly Posting[]> {
  const decisions = await lockDecisions(tx, [...owners.values()]);
  for (const decision of decisions) {
    const to = owners.get(nameOf(decision))?.to;
    if (to !== undefined) await markPostedBack(tx, { decisionId: decision.decisionId, to }, now);
  }
  return decisions.map((decision) => postingBack(decision, owners));
}

/** What `releaseUnmatched` would answer at this moment. Nothing is released. */
export async function listUnmatchedReleases(tx: Tx, booked: readonly Booked[]): Promise<readonly Posting[]> {
  const owners = ownersOf(booked);
  const names = [...owners.values()];
  const decisions = (await listDecisions(tx, names)).filter(({ postedBackAt }) => postedBackAt === null);
  return [
    ...postingsOfReleased(await listUnreleased(tx, names)),
    ...decisions.map((decision) => postingBack(decision, owners)),
  ];
}

/** The transfers of a merchant's wallet are the merchant's, and all others the platform's. */
function postingBack(decision: Decided, owners: ReadonlyMap<string, Owner>): Posting {
  const { decisionId: id, bearerMerchantId } = decision;
  const isOwner = owners.get(nameOf(decision))?.to.merchantId === bearerMerchantId;
  const merchantId = isOwner && bearerMerchantId !== null ? bearerMerchantId : PLATFORM;
  return {
    subject: { merchantId, kind: LOST_PAYMENT, id },
    template: 'LOST_PAYMENT_BACK',
    firstLegNo: 10,
    legs: postedBackLegs(decision, { isOwner }),
    isCollectedAtOnce: true,
  };
}

/** What takes a payment's money out of SUSPENSE again. */
export function postingOfRelease(found: Unmatched): Posting {
  return postingOf(found, 'UNMATCHED_RELEASED');
}

/** The subject of what a decision posts. */
export const LOST_PAYMENT = 'LOST_PAYMENT';

type Owner = UnmatchedName & { readonly to: PaymentKey };

/** The payments, by the names under which their operators may have been found to have made them. */
function ownersOf(booked: readonly Booked[]): ReadonlyMap<string, Owner> {
  return new Map(
    booked.flatMap(({ payment, attempt }) => {
      if (attempt === null) return [];
      const { provider } = payment;
      const name = { provider, reference: attempt.reference, direction: directionOf(payment) };
      return [[nameOf(name), { ...name, to: payment }] as const];
    }),
  );
}

function postingsOfReleased(found: readonly Unmatched[]): readonly Posting[] {
  return found.filter(({ isPosted }) => isPosted).map((one) => postingOf(one, 'UNMATCHED_RELEASED'));
}

/**
 * What the operator's report says of an unmatched payment: it counts for more than an enquiry. One person alone could
 * have made up a report that waits for its approval: it is no more than a reason not to send. So is what another cell
 * has as lost.
 */
export async function readUnmatchedOutcome(
  engine: Engine,
  payment: StoredPayment,
  attempt: Attempt,
): Promise<{ readonly outcome: End; readonly evidence: string } | 'TO_APPROVE' | null> {
  const { database, keyring } = engine.store;
  const { provider } = payment;
  const name = { provider, reference: attempt.reference, direction: directionOf(payment) };
  const isMarkedThere = await isMarked(engine, name);
  const [decided] = await listDecisions(database, [name]);
  if (decided !== undefined) return outcomeOfDecided(decided);
  const [found] = await listUnreleased(database, [name]);
  if (found === undefined) return isMarkedThere ? 'TO_APPROVE' : null;
  if (!found.isApproved) return 'TO_APPROVE';
  const text = await findLineText(database, keyring, { provider, hash: found.lineHash });
  if (text === null) return null;
  return { outcome: outcomeOfLine(parseLineText(text)), evidence: `report of ${provider}: ${text}` };
}

/** The line itself stands in the cell of the report, and only there. */
function outcomeOfDecided(decided: Decided): { readonly outcome: End; readonly evidence: string } {
  const { amount, currency, providerTransactionId, cell, decidedAt, decisionId } = decided;
  const transaction = providerTransactionId === null ? {} : { providerTransactionId };
  return {
    outcome: { type: 'COMPLETED', ...transaction, moved: { amount, currency } },
    evidence: `decision ${decisionId} of ${decidedAt.toISOString()} in cell ${cell}, by an approved report`,
  };
}

/** Returns, by key, the payments that their operators have made already according to reports of any cell. */
export async function listMade(
  engine: Engine,
  tx: Tx,
  payments: readonly StoredPayment[],
  homeOf: (payment: StoredPayment) => string,
): Promise<ReadonlySet<string>> {
  const names = payments.map((payment) => ({
    payment,
    provider: payment.provider,
    reference: firstReferenceOf(engine, payment, homeOf(payment)),
    direction: directionOf(payment),
  }));
  const made = new Set([
    ...(await listUnreleased(tx, names)).map(nameOf),
    ...(await listDecisions(tx, names)).map(nameOf),
    ...(await listMarks(tx, names)).map(nameOf),
  ]);
  return new Set(
    names.filter((name) => made.has(nameOf(name))).map(({ payment }) => paymentKeyText(payment)),
  );
}

type Template = 'UNMATCHED' | 'UNMATCHED_RELEASED' | 'UNMATCHED_WITHDRAWN';

function postingOf(found: Unmatched, template: Template): Posting {
  const { direction, unmatchedId: id } = found;
  const subject = { merchantId: PLATFORM, kind: 'UNMATCHED', id };
  return template === 'UNMATCHED'
    ? { subject, template, firstLegNo: 0, legs: unmatched(found, direction) }
    : { subject, template, firstLegNo: 10, legs: releaseLegs(found, direction) };
}
