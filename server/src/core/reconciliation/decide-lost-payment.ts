// The end of a payment that a restore lost and whose merchant does not send it again: two people decide, from a closed
// list, whose its money is. It leaves SUSPENSE with the approval, and the payment is never sent, from any cell. Should
// its merchant send it again after all, it completes, because its operator has made it, and what was decided is posted
// back in that transaction. docs/decisions/0041-lost-payments-are-decided.md says why.
import type { ApprovalRequests } from '../../domain/approval.ts';
import { decidedLegs, type LostPaymentBearer } from '../../domain/ledger/lost-payment.ts';
import { renderAmount } from '../../domain/money.ts';
import { isAwaited } from '../../domain/recovery.ts';
import { parseLineText } from '../../domain/reconciliation/operator-report.ts';
import { findPlatformApproval, type ActingPerson } from '../../store/approvals/approvals.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { PLATFORM } from '../../store/encryption/encryption.ts';
import { ensureAccounts, post, type Posting } from '../../store/ledger/ledger.ts';
import { listAttemptsByReference } from '../../store/payments/attempts.ts';
import { findLineText } from '../../store/reconciliation/operator-reports.ts';
import { insertDecision, listDecisions, type Decided } from '../../store/recovery/lost-payment-decisions.ts';
import { findRecovery } from '../../store/recovery/recoveries.ts';
import {
  listUnreleased,
  lockUnreleased,
  markDecided,
  type Unmatched,
  type UnmatchedName,
} from '../../store/recovery/unmatched-payments.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { isIndependent } from '../approvals/independence.ts';
import { refuseMerchantPeople } from '../approvals/merchant-people.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { askCell, describeSilence, type CellSilent } from '../cells/ask-other-cells.ts';
import { lockOneMerchant } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { isWalletPlace } from '../ledger/administer-wallets.ts';
import { findElsewhere, nameOf, type KnownElsewhere } from '../payments/process/ask-about-lost.ts';
import { LOST_PAYMENT, postingOfRelease } from '../payments/process/unmatched-payments.ts';
import { beginWork, endWork, refuseWhileBusy, takeTurn } from './file-lease.ts';
import { copyLostPayments } from '../recovery/copy-lost-payments.ts';

export type LostPaymentOrder = UnmatchedName & {
  readonly actor: ActingPerson;
  readonly bearer: LostPaymentBearer;
  /** Of MERCHANT, and of no other. */
  readonly merchantId: string | null;
  readonly reason: string;
};

export type LostPaymentAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  /** NOT_FOUND: it does not stand in SUSPENSE here. */
  | { readonly type: 'NOT_FOUND' | 'REQUESTED_BEFORE' | 'NO_SUCH_MERCHANT' | 'NO_SUCH_WALLET' }
  /** The merchant lives in another cell: its wallet is there. */
  | { readonly type: 'MERCHANT_AWAY' }
  /** Whoever asks for it belongs to the merchant, or has added it. */
  | { readonly type: 'NOT_INDEPENDENT' }
  | LostPaymentObstacle;

type LostPaymentObstacle =
  /** Merchants may still send it again. */
  | { readonly type: 'RECOVERY_OPEN' }
  /** It was sent again, here, and is on its way to its end. */
  | { readonly type: 'SENT_AGAIN' }
  /** Another cell knows it otherwise than the decision says. */
  | { readonly type: 'ELSEWHERE'; readonly known: KnownElsewhere | null }
  | CellSilent;

export function subjectOf(name: UnmatchedName): string {
  return nameOf(name);
}

/** Another person must approve, also where no money is real. */
export async function requestLostPayment(
  engine: Engine,
  order: LostPaymentOrder,
): Promise<LostPaymentAnswer> {
  const { actor, bearer, merchantId, reason } = order;
  const { database } = engine.store;
  const found = await findStanding(database, order);
  if (found === null) return { type: 'NOT_FOUND' };
  const obstacle = await findObstacle(engine, order);
  if (obstacle !== null) return obstacle;
  const named = merchantId === null ? null : await engine.directory.merchant(merchantId);
  if (merchantId !== null && named === null) return { type: 'NO_SUCH_MERCHANT' };
  if (named !== null) {
    const place = await engine.cellAssignments.of(named.merchantId, { isFresh: true });
    if (place.type !== 'HERE') return { type: 'MERCHANT_AWAY' };
    const walletProvider = named.walletPerProvider ? found.provider : '';
    if (!isWalletPlace(named, { ...found, walletProvider })) return { type: 'NO_SUCH_WALLET' };
  }
  const { provider, reference, direction, currency } = found;
  return inTransaction(database, async (tx) => {
    const merchantIds = named === null ? [] : [named.merchantId];
    if (!(await isIndependent(tx, { decider: actor, merchantIds, as: 'PLATFORM' })))
      return { type: 'NOT_INDEPENDENT' };
    const approvalId = await requestApproval(engine, tx, {
      kind: 'LOST_PAYMENT',
      merchantId: null,
      subject: subjectOf(order),
      request: {
        provider,
        reference,
        direction,
        currency,
        bearer,
        reason,
        amount: renderAmount(found.amount),
        ...(named !== null && { merchantId: named.merchantId, merchant: named.companyName }),
      },
      actor,
    });
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
  });
}

/** The pending request about a lost payment; null without one. */
export async function findDecisionRequest(tx: Tx, name: UnmatchedName) {
  const found = await findPlatformApproval(tx, { kind: 'LOST_PAYMENT', subject: subjectOf(name) });
  return found?.status === 'PENDING' ? found : null;
}

/** The row whose money stands in SUSPENSE. */
async function findStanding(tx: Tx, name: UnmatchedName): Promise<Unmatched | null> {
  return (await listUnreleased(tx, [name])).find(({ isPosted }) => isPosted) ?? null;
}

/** What speaks against a decision, here or in another cell. Never call it inside a transaction. */
async function findObstacle(
  engine: Engine,
  { bearer, ...name }: UnmatchedName & { readonly bearer: LostPaymentBearer },
): Promise<LostPaymentObstacle | null> {
  const { database } = engine.store;
  if (isAwaited(await findRecovery(database), name.provider)) return { type: 'RECOVERY_OPEN' };
  if ((await listAttemptsByReference(database, [name.reference])).length > 0) return { type: 'SENT_AGAIN' };
  const elsewhere = await findElsewhere(engine, [name]);
  if (elsewhere.type === 'CELL_SILENT') return elsewhere;
  const known = elsewhere.known.get(nameOf(name)) ?? null;
  const isTheirs = known !== null && isCountedThere(known, engine.home);
  return known?.as === 'PAYMENT' || isTheirs !== (bearer === 'OTHER_CELL')
    ? { type: 'ELSEWHERE', known }
    : null;
}

/**
 * Whether another cell has the payment's money in its books, so that here nothing is left of it. Where two cells posted
 * the same lost payment, it counts in the first one by its name. What is only noted there waits for people, who are
 * then told that it was decided here.
 */
function isCountedThere({ cell, as }: KnownElsewhere, home: string): boolean {
  return as === 'BOOKED' || as === 'DECIDED' || (as === 'LOST' && cell < home);
}

export const lostPaymentExecutor: Executor<'LOST_PAYMENT'> = {
  show: ({ provider, reference, direction, currency, amount, bearer, merchant, merchantId, reason }) => ({
    provider,
    reference,
    direction,
    currency,
    amount,
    bearer,
    note: reason,
    ...(merchant !== undefined && { merchant }),
    ...(merchantId !== undefined && { merchantId }),
  }),
  concerns: (_tx, { request: { merchantId } }) =>
    Promise.resolve(merchantId === undefined ? [] : [merchantId]),
  mayApprove: async ({ engine, tx, decider, approval }) => {
    const { merchantId } = approval.request;
    await refuseMerchantPeople(engine, tx, decider, approval);
    const merchantIds = merchantId === undefined ? [] : [merchantId];
    const { requestedBy, confirmedBy } = approval;
    for (const person of [decider, requestedBy, ...(confirmedBy === null ? [] : [confirmedBy])])
      if (!(await isIndependent(tx, { decider: person, merchantIds, as: 'PLATFORM' })))
        throw new NotExecuted(
          { code: 'APPROVAL_NOT_INDEPENDENT', parameters: {} },
          'Whoever asks for this or approves it must not belong to the merchant, or have added it.',
        );
  },
  before: async ({ engine, approval: { request } }) => {
    const obstacle = await findObstacle(engine, request);
    if (obstacle !== null) throw notExecuted(obstacle);
  },
  lock: async ({ tx, approval: { request } }) => {
    if (request.merchantId !== undefined) await lockOneMerchant(tx, request.merchantId);
  },
  execute: async ({ engine, tx, approval: { approvalId, request }, decider: { by } }) => {
    // No line of the provider is noted meanwhile: it would be taken for undecided.
    const work = { provider: request.provider, by, owner: approvalId };
    await refuseWhileBusy(() => beginWork(engine, tx, work));
    const rows = await lockUnreleased(tx, [request]);
    const found = rows.find(({ isPosted }) => isPosted);
    const isSame = found !== undefined && renderAmount(found.amount) === request.amount;
    if (!isSame || (await listAttemptsByReference(tx, [request.reference])).length > 0)
      throw new NotExecuted();
    const now = await engine.clock.timeOf(tx);
    const decided = await decidedOf(engine, tx, { found, request, decisionId: approvalId, now });
    // The decision of another cell came here already.
    const [before] = await listDecisions(tx, [request]);
    if (before !== undefined && request.bearer !== 'OTHER_CELL') throw new NotExecuted();
    if (before === undefined) await insertDecision(tx, decided);
    await markDecided(tx, found, now);
    const postings = postingsOf(decided, found);
    await ensureAccounts(
      tx,
      postings.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit])),
    );
    await post(tx, postings, now);
    await endWork(engine, tx, work);
    const { provider, reference, direction, bearer, amount, currency } = request;
    const detail = { provider, direction, bearer, amount, currency };
    const merchantId = request.merchantId ?? null;
    await record(engine, tx, [{ by, act: 'LOST_PAYMENT_DECIDED', merchantId, subject: reference, detail }]);
  },
  notExecuted: async ({ engine, decider: { by }, approval: { approvalId, request } }, because) =>
    takeTurn(engine, { provider: request.provider, by, approvalId }, because),
  after: async ({ engine }) => {
    // Moves and the end of a cell do the same, so that a cell that is silent now learns of it before it matters.
    const from = engine.store.database;
    const others = engine.cells.filter((cell) => cell !== engine.home);
    await Promise.all(
      others.map((cell) => askCell(cell, () => copyLostPayments({ from, to: engine.databaseOf(cell) }))),
    );
  },
};

type Deciding = {
  readonly found: Unmatched;
  readonly request: ApprovalRequests['LOST_PAYMENT'];
  readonly decisionId: string;
  readonly now: Date;
};

async function decidedOf(
  engine: Engine,
  tx: Tx,
  { found, request, decisionId, now }: Deciding,
): Promise<Decided> {
  const { provider, reference, direction, country, currency, amount, occurredAt } = found;
  const { bearer, merchantId = null } = request;
  const merchant = merchantId === null ? null : await engine.directory.merchant(merchantId);
  const text = await findLineText(tx, engine.store.keyring, { provider, hash: found.lineHash });
  return {
    decisionId,
    provider,
    reference,
    direction,
    country,
    currency,
    amount,
    occurredAt,
    bearer,
    providerTransactionId: text === null ? null : (parseLineText(text).providerTransactionId ?? null),
    bearerMerchantId: merchantId,
    walletProvider: merchant?.walletPerProvider === true ? provider : '',
    cell: engine.home,
    decidedAt: now,
  };
}

/**
 * A merchant gets the payment's money as the payment would have brought it, out of the float: all of its transfers are
 * the merchant's, and go with it to another cell.
 */
function postingsOf(decided: Decided, found: Unmatched): readonly Posting[] {
  const { decisionId: id, bearer, bearerMerchantId } = decided;
  const posting: Posting = {
    subject: { merchantId: bearerMerchantId ?? PLATFORM, kind: LOST_PAYMENT, id },
    template: 'LOST_PAYMENT',
    firstLegNo: 0,
    legs: decidedLegs(decided),
    isCollectedAtOnce: true,
  };
  return bearer === 'PLATFORM' ? [posting] : [postingOfRelease(found), posting];
}

function notExecuted(obstacle: LostPaymentObstacle): NotExecuted {
  switch (obstacle.type) {
    case 'CELL_SILENT':
      return new NotExecuted(
        { code: 'CELL_SILENT', parameters: { cell: obstacle.cell } },
        describeSilence(obstacle),
      );
    case 'RECOVERY_OPEN':
      return new NotExecuted({ code: 'RECOVERY_OPEN', parameters: {} }, describeObstacle(obstacle));
    case 'ELSEWHERE':
      return new NotExecuted(
        { code: 'LOST_PAYMENT_ELSEWHERE', parameters: { cell: obstacle.known?.cell ?? '' } },
        describeObstacle(obstacle),
      );
    case 'SENT_AGAIN':
      return new NotExecuted();
  }
}

/** For the person who asked. */
export function describeObstacle(obstacle: LostPaymentObstacle): string {
  switch (obstacle.type) {
    case 'RECOVERY_OPEN':
      return 'The recovery is open, so merchants may still send it again. End it first: malipo-server recovery end.';
    case 'SENT_AGAIN':
      return 'Its merchant has sent it again. It ends by itself, or by the payment.';
    case 'ELSEWHERE':
      return describeElsewhere(obstacle.known);
    case 'CELL_SILENT':
      return describeSilence(obstacle);
  }
}

function describeElsewhere(known: KnownElsewhere | null): string {
  switch (known?.as) {
    case 'BOOKED':
    case 'DECIDED':
      return `Cell ${known.cell} has the payment in its books. Decide OTHER_CELL.`;
    case 'PAYMENT':
      return `Cell ${known.cell} has the payment, and it is not completed there. End it there first.`;
    case 'LOST':
      return (
        `Cell ${known.cell} has posted the same lost payment. It counts in the first of the two by name: ` +
        'decide OTHER_CELL in the other one.'
      );
    case undefined:
    case 'NOTED':
      return 'No other cell has the payment in its books.';
  }
}
