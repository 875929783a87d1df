// What a voided report has done is undone: what its lines posted is posted back, the cases that nothing but they say
// end, and operators are asked again about the payments that they ended. Each is done in a transaction of its own, and
// only once, so that whoever goes on after a crash begins here again. What the operator itself has said stays.
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText } from '../../domain/payments/payment.ts';
import { listLatestAttempts, type Attempt } from '../../store/payments/attempts.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import {
  listEndedPayments,
  listVoidedCases,
  listVoidedFloats,
  listVoidedLost,
  markAskedAgain,
} from '../../store/reconciliation/voided-effects.ts';
import { findVoider, type VoidedReport } from '../../store/reconciliation/voided-files.ts';
import { MerchantInOtherCell } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { postBackFloat } from '../ledger/move-float.ts';
import { connectorFor } from '../operators/operator-calls.ts';
import { advance, type Advance } from '../payments/process/advance.ts';
import { askOperator } from '../payments/process/enquire.ts';
import { postUnposted, withdrawLost } from '../payments/process/unmatched-payments.ts';
import { isClear } from '../payments/process/verify-contradiction.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import { reverseVoidedCase } from './resolve-cases.ts';

type PostingBack = {
  readonly report: VoidedReport;
  /** Called between transactions: the lease of the provider's files goes on. */
  readonly renew: () => Promise<void>;
  /** For what cannot be done now: everything else is done all the same, and this is tried again. */
  readonly onError: (error: unknown) => void;
};

/**
 * Undoes what the lines of a voided report did. All of them must be taken out, and the lease of the provider's files be
 * held. Answers whether nothing is left to be done.
 */
export async function postBackReport(
  engine: Engine,
  { report, renew, onError }: PostingBack,
): Promise<boolean> {
  const by = (await findVoider(engine.store.database, report.reportId)) ?? 'worker';
  let isDone = true;
  const attempt = async (work: () => Promise<void>) => {
    await renew();
    await work().catch((error) => {
      isDone = false;
      onError(error);
    });
  };
  for (const posted of await listVoidedFloats(engine.store.database, report))
    await attempt(() => postBackFloat(engine, { posted, by }));
  const lost = await listVoidedLost(engine.store.database, report);
  for (const name of lost) await attempt(() => withdrawLost(engine, name));
  if (lost.length > 0) await attempt(() => postUnposted(engine, report.provider));
  for await (const found of voidedCases(engine, report))
    await attempt(() => reverseVoidedCase(engine, { ...found, by }).catch(ignoreMoved));
  for await (const some of endedPayments(engine, report))
    await attempt(() => askAgain(engine, { report, some }));
  return isDone;
}

/** Its cases are in the other cell, which has no such file: they stay for people. */
function ignoreMoved(error: unknown): void {
  if (!(error instanceof MerchantInOtherCell)) throw error;
}

const CASES_AT_ONCE = 500;
/** Before every other identifier. */
const NO_CASE = '00000000-0000-0000-0000-000000000000';

async function* voidedCases(engine: Engine, report: VoidedReport) {
  for (let after = NO_CASE; ;) {
    const found = await listVoidedCases(engine.store.database, report, { after, countMax: CASES_AT_ONCE });
    yield* found;
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.caseId;
  }
}

/** Payments that operators are asked about at the same time. */
const ASKED_AT_ONCE = 10;

async function* endedPayments(engine: Engine, report: VoidedReport) {
  for (let after: Buffer = Buffer.alloc(0); ;) {
    const found = await listEndedPayments(engine.store.database, report, { after, countMax: ASKED_AT_ONCE });
    if (found.length > 0) yield found;
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.hash;
  }
}

/**
 * Final is final, so that payments which a voided report ended are not ended otherwise. Their operator is asked, and
 * what it says counts as everywhere. One that only the report said was COMPLETED gets a case, which posts it back.
 */
async function askAgain(
  engine: Engine,
  {
    report,
    some,
  }: { readonly report: VoidedReport; readonly some: Awaited<ReturnType<typeof listEndedPayments>> },
): Promise<void> {
  const { database, keyring } = engine.store;
  const payments = await listPayments(database, keyring, some);
  const attempts = new Map(
    (await listLatestAttempts(database, payments)).map((one) => [paymentKeyText(one), one]),
  );
  const asked = payments
    .filter(({ state }) => isFinal(state))
    .map((payment) => saidNow(engine, { report, payment, attempt: attempts.get(paymentKeyText(payment)) }));
  const advances = (await Promise.all(asked)).filter((one) => one !== null);
  await advance(engine, advances);
  const hashes = some.map(({ hash }) => hash);
  await inTimedTransaction(engine, (tx, now) =>
    markAskedAgain(tx, { provider: report.provider, hashes, now }),
  );
}

type Asked = {
  readonly report: VoidedReport;
  readonly payment: StoredPayment;
  readonly attempt: Attempt | undefined;
};

/** Null where nothing is known that speaks against the payment's end. */
async function saidNow(engine: Engine, { report, payment, attempt }: Asked): Promise<Advance | null> {
  const connector = connectorFor(engine, payment);
  const said = attempt === undefined ? null : await askOperator(engine, connector, payment, attempt);
  if (said !== null && isClear(said.outcome)) {
    const { outcome, evidence } = said;
    return { key: payment, event: { type: 'OPERATOR_ANSWERED', outcome }, evidence };
  }
  if (payment.state !== 'COMPLETED') return null;
  const evidence = `only report ${report.reportId} of ${report.provider} said that it was COMPLETED, and it was voided`;
  const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
  return { key: payment, event: { type: 'OPERATOR_ANSWERED', outcome }, evidence };
}
