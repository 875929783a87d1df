// Payments that operators made in time a restored database has lost. What approved lines of reports say of them stands
// in SUSPENSE, so that our float is what the operator's is; when its payment is in the books again it leaves there, in
// the same transaction, so that no money is ever in the books twice. Why: docs/decisions/0022-after-a-restore.md.
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
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
import { listHomes } from '../../../store/merchants/merchants.ts';
import { findLineText, type KeptLine } from '../../../store/reconciliation/operator-reports.ts';
import { lockPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { PLATFORM } from '../../../store/encryption/encryption.ts';
import { lockForWriting } from '../../cells/lock-merchant.ts';
import type { Engine, StorePart } from '../../engine.ts';
import { firstReferenceOf } from '../../operators/operator-calls.ts';
import { isReference } from '../../operators/reference.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import { togetherOrAlone } from '../../together-or-alone.ts';

/** What a line says of a lost payment, beside what was approved about the same payment before. */
export type LostLine = { readonly name: UnmatchedName; readonly approved: 'NONE' | 'AGREES' | 'DIFFERS' };

/**
 * Notes which of these lines, about nothing that is known here, speak of payments that a restore has lost. From now on
 * those payments are not sent; nothing is posted before a line is approved. Answers the lines that do.
 */
export async function noteLost(
  engine: Engine,
  provider: string,
  lines: readonly KeptLine[],
): Promise<ReadonlyMap<KeptLine, LostLine>> {
  const ours = await keepOurs(engine, provider, lines);
  if (ours.size === 0) return new Map();
  const found = [...ours.values()];
  await inTimedTransaction(engine, (tx, foundAt) =>
    insertUnmatched(
      tx,
      found.map((one) => ({ ...one, unmatchedId: timedUuid(foundAt), foundAt })),
    ),
  );
  const live = Map.groupBy(await listUnreleased(engine.store.database, found), nameOf);
  return new Map(
    [...ours].map(([line, one]) => {
      const approved = live.get(nameOf(one))?.find(({ isApproved }) => isApproved);
      const standing = approved === undefined ? 'NONE' : isSameMoney(approved, one) ? 'AGREES' : 'DIFFERS';
      return [line, { name: one, approved: standing }];
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

function isSameMoney(
  one: Pick<Unmatched, 'amount' | 'currency'>,
  other: Pick<Unmatched, 'amount' | 'currency'>,
): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}

/** Successes under references of ours, of the time that was lost. Anything else a person has to look at. */
async function keepOurs(engine: Engine, provider: string, lines: readonly KeptLine[]) {
  const recovery = await engine.directory.recovery();
  const country = findProvider(provider)?.country;
  if (recovery === null || country === undefined) return new Map<KeptLine, never>();
  // A merchant that was made in the lost time is lost as well, and its home was this cell's.
  const homes = new Set([engine.home, ...(await listHomes(engine.store.database))]);
  return new Map(
    lines.flatMap((kept) => {
      const { status, reference = '', direction, amount, currency, occurredAt } = kept.line;
      const isOurs = isReference(reference) && homes.has(reference.slice(0, 4)) && amount > 0n;
      if (status !== 'COMPLETED' || !isOurs || !mayBeUnmatched(recovery, occurredAt)) return [];
      const place = { provider, country, currency };
      const facts = { reference, direction, amount, occurredAt, lineHash: kept.hash };
      return [[kept, { ...place, ...facts }] as const];
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
  if (found.length === 0) return [];
  // Several lines may speak of one payment.
  const names = new Set(found.map(nameOf));
  const releases = [...names].flatMap((name) => owners.get(name) ?? []);
  await markReleased(tx, releases, now);
  return postingsOfReleased(found);
}

/** What `releaseUnmatched` would answer at this moment. Nothing is released. */
export async function listUnmatchedReleases(tx: Tx, booked: readonly Booked[]): Promise<readonly Posting[]> {
  return postingsOfReleased(await listUnreleased(tx, [...ownersOf(booked).values()]));
}

/** The payments, by the names under which their operators may have been found to have made them. */
function ownersOf(
  booked: readonly Booked[],
): ReadonlyMap<string, UnmatchedName & { readonly to: PaymentKey }> {
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
 * have made up a report that waits for its approval: it is no more than a reason not to send.
 */
export async function readUnmatchedOutcome(
  engine: StorePart,
  payment: StoredPayment,
  attempt: Attempt,
): Promise<{ readonly outcome: End; readonly evidence: string } | 'TO_APPROVE' | null> {
  const { database, keyring } = engine.store;
  const { provider } = payment;
  const name = { provider, reference: attempt.reference, direction: directionOf(payment) };
  const [found] = await listUnreleased(database, [name]);
  if (found === undefined) return null;
  if (!found.isApproved) return 'TO_APPROVE';
  const text = await findLineText(database, keyring, { provider, hash: found.lineHash });
  if (text === null) return null;
  return { outcome: outcomeOfLine(parseLineText(text)), evidence: `report of ${provider}: ${text}` };
}

/** Those that their operators have made already, as reports say, by their names in the order of locks. */
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
  const made = new Set((await listUnreleased(tx, names)).map(nameOf));
  return new Set(
    names.filter((name) => made.has(nameOf(name))).map(({ payment }) => paymentKeyText(payment)),
  );
}

type Template = 'UNMATCHED' | 'UNMATCHED_RELEASED';

function postingOf(found: Unmatched, template: Template): Posting {
  const { direction, unmatchedId: id } = found;
  const subject = { merchantId: PLATFORM, kind: 'UNMATCHED', id };
  return template === 'UNMATCHED'
    ? { subject, template, firstLegNo: 0, legs: unmatched(found, direction) }
    : { subject, template, firstLegNo: 10, legs: releaseLegs(found, direction) };
}

function nameOf({ provider, reference, direction }: UnmatchedName): string {
  return `${provider}/${reference}/${direction}`;
}
