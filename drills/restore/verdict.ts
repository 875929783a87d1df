// The verdict of a drill, from outside facts, above all the operator's books, which no restore changes.
import type { Database } from '../../server/src/store/database.ts';
import type { BookedCharge } from '../kit/verdict/operator-books.ts';
import { isFinal, nameOf, readPayments, readSplits, type PaymentRow } from '../kit/verdict/payment-rows.ts';
import { checkRun, type Finding } from '../kit/verdict/verdict.ts';
import type { Order, Trade } from './trade.ts';

export type DrillEvidence = {
  readonly database: Database;
  readonly trade: Trade;
  readonly charges: readonly BookedCharge[];
  /** References in operator reports that the gateway does not know, or has posted as unmatched. */
  readonly unknown: ReadonlySet<string>;
  /** What was not sent again. */
  readonly unmatched: readonly Order[];
  /** What merchants had been notified of before the loss, by "KIND id". */
  readonly announced: ReadonlyMap<string, string>;
  readonly lostFrom: Date;
  readonly lostUntil: Date;
};

export type DrillVerdict = {
  readonly payments: number;
  readonly findings: readonly Finding[];
  /** Of what operators paid in the lost time: what is known again, and what is unmatched. */
  readonly chargedInLostTime: number;
  readonly repaired: number;
  readonly unmatched: number;
  /** How much of it was in SUSPENSE when its request was repeated, and how much is there now. */
  readonly released: number;
  readonly standing: number;
};

export async function checkDrill(evidence: DrillEvidence): Promise<DrillVerdict> {
  const { database, trade, charges, unknown, lostFrom, lostUntil } = evidence;
  const payments = await readPayments(database);
  const known = new Set(payments.map(({ reference }) => reference));
  const strays = charges.filter(({ askedAs, status }) => status === 'SUCCESSFUL' && !known.has(askedAs));
  const { findings } = await checkRun({
    database,
    merchants: [...new Set(trade.orders.map(({ merchant }) => merchant))],
    acknowledged: await acknowledgedAndAwaited(evidence, payments),
    // Unmatched or unpaid requests have no payment here. Below is checked that nothing was charged twice, and that
    // everything paid is listed.
    charges: charges.filter(({ askedAs }) => known.has(askedAs)),
    // Without a payment, but in the books all the same.
    strays,
  });
  const inLostTime = charges.filter(
    ({ status, acceptedAt }) =>
      status === 'SUCCESSFUL' && new Date(acceptedAt) >= lostFrom && new Date(acceptedAt) < lostUntil,
  );
  const suspended = await readSuspended(database);
  return {
    payments: payments.length,
    ...suspended,
    findings: [
      ...findings,
      ...findTwice(charges, known),
      ...findUnaccounted(strays, unknown),
      ...findContradicted(evidence, payments),
    ],
    chargedInLostTime: inLostTime.length,
    repaired: inLostTime.filter(({ askedAs }) => known.has(askedAs)).length,
    unmatched: inLostTime.filter(({ askedAs }) => !known.has(askedAs)).length,
  };
}

async function readSuspended(database: Database): Promise<Pick<DrillVerdict, 'released' | 'standing'>> {
  const { rows } = await database.query<{ released: number; standing: number }>(
    `select count(*) filter (where released_at is not null)::int as released,
       count(*) filter (where released_at is null)::int as standing
     from unmatched_payments where posted_at is not null`,
  );
  return rows[0] ?? { released: 0, standing: 0 };
}

/**
 * Acknowledged payments that must exist: all except unmatched ones, those that had failed before the loss, and refunds
 * whose deposit was given back by another refund before they were sent again.
 */
async function acknowledgedAndAwaited(
  { database, trade, unmatched, announced }: DrillEvidence,
  payments: readonly PaymentRow[],
) {
  const there = new Set([...payments.map(nameOf), ...(await readSplits(database))]);
  const lost = new Set(unmatched.flatMap(({ request }) => request.ids));
  const isThere = (kind: string, id: string) => there.has(`${kind} ${id}`) || there.has(id);
  const depositOf = new Map(
    trade.orders.flatMap(({ request: { kind, ids, body } }) =>
      kind === 'REFUND' ? [[ids[0], (body as { readonly depositId?: string }).depositId ?? '']] : [],
    ),
  );
  return [...trade.load.acknowledged.values()].filter(({ kind, id }) => {
    if (isThere(kind, id)) return true;
    // A refund of an unmatched deposit cannot be repeated, even if its deposit came back later.
    const depositId = depositOf.get(id) ?? '';
    const isOfUnmatched = kind === 'REFUND' && (lost.has(depositId) || !isThere('DEPOSIT', depositId));
    const isReplaced =
      trade.load.rejections.has(`${kind} ${id}`) &&
      [...depositOf].some(([other = '', of]) => of === depositId && isThere('REFUND', other));
    const hasFailed = announced.get(`${kind} ${id}`) === 'FAILED';
    return !lost.has(id) && !hasFailed && !isOfUnmatched && !isReplaced;
  });
}

/** Charged twice under an unknown reference. */
function findTwice(charges: readonly BookedCharge[], known: ReadonlySet<string | null>): readonly Finding[] {
  const strays = charges.filter(({ askedAs, status }) => status !== 'FAILED' && !known.has(askedAs));
  return [...Map.groupBy(strays, ({ askedAs }) => askedAs)]
    .filter(([, some]) => some.length > 1)
    .map(([subject, some]) => ({ type: 'DOUBLED', subject, what: `charged ${some.length} times` }));
}

function findUnaccounted(strays: readonly BookedCharge[], unknown: ReadonlySet<string>): readonly Finding[] {
  return strays
    .filter(({ askedAs }) => !unknown.has(askedAs))
    .map(({ askedAs: subject }) => ({ type: 'UNACCOUNTED', subject, what: 'paid, and not recorded' }));
}

function findContradicted({ announced }: DrillEvidence, payments: readonly PaymentRow[]): readonly Finding[] {
  return payments.flatMap((payment) => {
    const before = announced.get(nameOf(payment));
    const wasFinal = before === 'COMPLETED' || before === 'FAILED';
    // A payment that waits for a person has not ended: for example a refund of the rest, when an earlier one is
    // unmatched.
    if (!wasFinal || !isFinal(payment) || before === payment.state) return [];
    return [
      { type: 'CONTRADICTED', subject: nameOf(payment), what: `${payment.state}, announced ${before}` },
    ];
  });
}
