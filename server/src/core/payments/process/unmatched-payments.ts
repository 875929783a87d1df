// Payments that operators made in time a restored database has lost. What reports tell of them stands in SUSPENSE,
// so that our float is what the operator's is; when its payment is in the books again it leaves there, in the same
// transaction, so that no money is ever in the books twice. Why: docs/decisions/0022-after-a-restore.md.
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import { unmatched, releaseUnmatched as releaseLegs } from '../../../domain/ledger/postings.ts';
import type { End } from '../../../domain/payments/outcome.ts';
import { mayBeUnmatched } from '../../../domain/recovery.ts';
import { directionOf, outcomeOfLine, parseLineText } from '../../../domain/reconciliation/operator-report.ts';
import { listAttemptsByReference, type Attempt } from '../../../store/payments/attempts.ts';
import { isOutOfReach, withSavepoint, type Tx } from '../../../store/database.ts';
import { derivedUuid } from '../../../store/derived-uuid.ts';
import {
  insertUnmatched,
  listUnreleased,
  lockUnposted,
  lockUnreleased,
  markApproved,
  markPosted,
  markReleased,
  type Unmatched,
  type UnmatchedName,
} from '../../../store/recovery/unmatched-payments.ts';
import { ensureAccounts, post, type Posting } from '../../../store/ledger/ledger.ts';
import { listHomes } from '../../../store/merchants/merchants.ts';
import { findLineText, type KeptLine } from '../../../store/reconciliation/operator-reports.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { PLATFORM } from '../../../store/encryption/encryption.ts';
import type { Engine, StorePart, TimedStore } from '../../engine.ts';
import { firstReferenceOf } from '../../operators/operator-calls.ts';
import { isReference } from '../../operators/reference.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import { togetherOrAlone } from '../../together-or-alone.ts';

/**
 * Posts what lines about nothing that is known here tell of payments of ours. Answers those lines. Found first, posted
 * in a transaction of its own: anyone who completes one of these payments meanwhile has either seen that it was found,
 * or has left an attempt that is seen here.
 */
export async function postUnmatched(
  engine: Engine,
  provider: string,
  lines: readonly KeptLine[],
): Promise<ReadonlyMap<KeptLine, Unmatched>> {
  const { database } = engine.store;
  const ours = await keepOurs(engine, provider, lines);
  if (ours.size === 0) return new Map();
  await inTimedTransaction(engine, (tx, foundAt) =>
    insertUnmatched(
      tx,
      [...ours.values()].map((one) => ({ ...one, foundAt })),
    ),
  );
  await inTimedTransaction(engine, (tx, now) => postFound(tx, provider, now));
  const unreleased = await listUnreleased(database, [...ours.values()]);
  const standing = new Map(unreleased.filter(({ isPosted }) => isPosted).map((one) => [nameOf(one), one]));
  return new Map(
    [...ours].flatMap(([line, one]) => {
      const found = standing.get(nameOf(one));
      return found === undefined ? [] : [[line, found] as const];
    }),
  );
}

/** These lines are approved, or need no approval: payments that they name may complete as they say. */
export async function approveUnmatched(
  engine: TimedStore,
  provider: string,
  lines: readonly KeptLine[],
): Promise<void> {
  const named = lines.flatMap(({ hash, line: { status, reference, direction, amount, currency } }) =>
    status === 'COMPLETED' && reference !== undefined
      ? [{ provider, reference, direction, amount, currency, lineHash: hash }]
      : [],
  );
  const byTerms = Map.groupBy(named, nameAndAmountOf);
  await inTimedTransaction(engine, async (tx, now) => {
    const approved = (await lockUnreleased(tx, named)).flatMap((found) => {
      // Another line may name the same payment with another amount.
      const same = found.isApproved ? [] : (byTerms.get(nameAndAmountOf(found)) ?? []);
      const line = same.find(({ lineHash }) => lineHash.equals(found.lineHash)) ?? same[0];
      return line === undefined ? [] : [line];
    });
    if (approved.length > 0) await markApproved(tx, approved, now);
  });
}

function nameAndAmountOf({
  amount,
  currency,
  ...name
}: UnmatchedName & Pick<Unmatched, 'amount' | 'currency'>) {
  return `${nameOf(name)}/${amount}/${currency}`;
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

async function postFound(tx: Tx, provider: string, now: Date): Promise<void> {
  const found = await lockUnposted(tx, provider);
  const attempts = await listAttemptsByReference(
    tx,
    found.map(({ reference }) => reference),
  );
  const known = new Map(attempts.map((attempt) => [attempt.reference, attempt]));
  const lost = found.filter(({ reference }) => !known.has(reference));
  await ensureAccounts(
    tx,
    lost.flatMap((one) => postingOf(one, 'UNMATCHED').legs).flatMap(({ debit, credit }) => [debit, credit]),
  );
  await markPosted(tx, await postEach(tx, lost, now), now);
  const again = found.flatMap((one) => {
    const to = known.get(one.reference);
    return to === undefined ? [] : [{ ...one, to }];
  });
  await markReleased(tx, again, now);
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
  const releases = found.flatMap((one) => owners.get(nameOf(one)) ?? []);
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

/** The key of its transfers follows from its name, so that none can be made twice. */
function postingOf(found: Unmatched, template: Template): Posting {
  const subject = { merchantId: PLATFORM, kind: 'UNMATCHED', id: derivedUuid(`forgotten/${nameOf(found)}`) };
  const { direction } = found;
  return template === 'UNMATCHED'
    ? { subject, template, firstLegNo: 0, legs: unmatched(found, direction) }
    : { subject, template, firstLegNo: 10, legs: releaseLegs(found, direction) };
}

function nameOf({ provider, reference, direction }: UnmatchedName): string {
  return `${provider}/${reference}/${direction}`;
}
