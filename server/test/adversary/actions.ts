// What can happen in a world with an adversary, one function for each. What the API refuses is not a fault; what it
// answers with an error of its own is.
import { randomUUID } from 'node:crypto';
import { MerchantInOtherCell } from '../../src/core/cells/lock-merchant.ts';
import { requestMoney } from '../../src/core/ledger/request-money-movement.ts';
import { releaseDueFunds } from '../../src/core/limits/wallet-holds.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { makeMissingFollowUps } from '../../src/core/payments/process/make-missing-follow-ups.ts';
import { requestResolution } from '../../src/core/reconciliation/resolve-cases.ts';
import { requestSettlementDecision } from '../../src/core/settlements/decide-settlement.ts';
import { requestSettlement } from '../../src/core/settlements/request-settlement.ts';
import { allowedResolutions, needsAmount } from '../../src/domain/reconciliation/cases.ts';
import type { Evidence, PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { End, Outcome } from '../../src/domain/payments/outcome.ts';
import type { PaymentKey, PaymentKind, PaymentState } from '../../src/domain/payments/payment.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { call, payer } from '../gateway.ts';
import { moveBetween, type TestCell } from '../two-cells.ts';
import { checkRefund, checkSpendable, Violation } from './promises.ts';
import {
  chooseAnyIdentifier,
  chooseIdentifier,
  drawOrdinaryIdentifier,
  FRANCS,
  moveTime,
  processOf,
  VERSION_4,
  type KnownPayment,
  type Shop,
  type World,
} from './world.ts';

const HOUR_MS = 3_600_000;
const UNIT = 10_000n;
const NOUNS = { DEPOSIT: 'deposit', PAYOUT: 'payout', REFUND: 'refund' } as const;

const anyAmount = ({ cunning }: World) => String(cunning.pick([1, 5, 50, 100, 100, 500, 1_000, 5_000]));

/** Sends a request to either cell: the other one forwards it. Answers the body. */
async function send(world: World, shop: Shop, path: string, body: object): Promise<Record<string, any>> {
  const { cells, cunning } = world;
  const { url } = cunning.chance(0.2) ? cunning.pick([cells.one, cells.two]) : shop.cell;
  const answer = await call({ url, apiToken: shop.account.apiToken }, 'POST', path, body);
  if (answer.status >= 500)
    throw new Violation('a request is answered', `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function know(world: World, payment: KnownPayment): void {
  world.payments.push(payment);
  world.seen.push(payment.paymentId);
}

async function start(world: World, kind: 'DEPOSIT' | 'PAYOUT'): Promise<void> {
  const { cunning, shops } = world;
  const shop = cunning.pick(shops);
  const paymentId = cunning.chance(0.3) ? chooseIdentifier(world) : drawOrdinaryIdentifier(world);
  const person = payer('MTN_MOMO_RWA', `25078${cunning.between(0, 9_999_999).toString().padStart(7, '0')}`);
  const noun = NOUNS[kind];
  const { status } = await send(world, shop, `/v2/${noun}s`, {
    [`${noun}Id`]: paymentId,
    amount: anyAmount(world),
    currency: FRANCS.currency,
    ...(kind === 'DEPOSIT' ? { payer: person } : { recipient: person }),
  });
  if (status === 'ACCEPTED') know(world, { shop, kind, paymentId });
}

async function refund(world: World): Promise<void> {
  const { cunning, payments } = world;
  const isOfTrusted = cunning.chance(0.4);
  const deposits = payments.filter(
    ({ kind, shop }) => kind === 'DEPOSIT' && (!isOfTrusted || shop.isTrusted),
  );
  const refunded = payments.flatMap(({ shop, refundOf }) =>
    refundOf === undefined ? [] : [{ shop, paymentId: refundOf }],
  );
  // Often one that was refunded before: who wants more than there is asks again, whatever became of the first.
  const before = new Set(refunded.map(({ paymentId }) => paymentId));
  const fresh = deposits.filter(({ paymentId }) => !before.has(paymentId));
  const candidates = (cunning.chance(0.4) ? refunded : fresh).slice(-40);
  if (candidates.length === 0) return;
  const { shop, paymentId: depositId } = await pickMostlyCompleted(world, candidates);
  const refundId = cunning.chance(0.2) ? chooseIdentifier(world) : drawOrdinaryIdentifier(world);
  const amount = cunning.chance(0.5) ? {} : { amount: anyAmount(world), currency: FRANCS.currency };
  const { status } = await send(world, shop, '/v2/refunds', { refundId, depositId, ...amount });
  if (status !== 'ACCEPTED') return;
  world.counts.refunds += 1;
  know(world, { shop, kind: 'REFUND', paymentId: refundId, refundOf: depositId });
  const { merchantId, cell } = shop;
  await checkRefund(cell.engine.store.database, { merchantId, refundId });
}

/** A merchant knows which of its deposits were completed. Of others it asks when a few tries met none. */
async function pickMostlyCompleted(
  { cunning }: World,
  deposits: readonly Pick<KnownPayment, 'shop' | 'paymentId'>[],
) {
  for (let tries = 1; ; tries += 1) {
    const deposit = cunning.pick(deposits);
    const found = await find({ ...deposit, kind: 'DEPOSIT' });
    if (found?.state === 'COMPLETED' || tries === 4) return deposit;
  }
}

async function split(world: World): Promise<void> {
  const { cunning, shops } = world;
  const shop = cunning.pick(shops);
  const person = payer('MTN_MOMO_RWA', '250783456789');
  const splits = Array.from({ length: cunning.between(1, 3) }, () => ({
    payoutId: chooseIdentifier(world),
    amount: '30',
    recipient: person,
  }));
  const splitPaymentId = chooseIdentifier(world);
  const body = { splitPaymentId, amount: '100', currency: 'RWF', payer: person, splits };
  const { status } = await send(world, shop, '/v2/split-payments', body);
  if (status !== 'ACCEPTED') return;
  know(world, { shop, kind: 'DEPOSIT', paymentId: splitPaymentId });
  for (const { payoutId } of splits) know(world, { shop, kind: 'PAYOUT', paymentId: payoutId });
}

async function openCheckout(world: World): Promise<void> {
  const shop = world.cunning.pick(world.shops);
  const checkoutId = chooseIdentifier(world);
  await send(world, shop, '/v2/checkouts', { checkoutId, returnUrl: 'https://shop.example/' });
  await send(world, shop, '/v2/statements', {
    statementId: chooseIdentifier(world),
    wallet: { ...FRANCS, provider: '' },
    startDate: '2026-01-01T00:00:00Z',
    endDate: '2026-01-02T00:00:00Z',
  });
}

/** Behind the edge, which lets only UUIDs of version 4 by: the ledger must not rest on that. */
async function settle(world: World): Promise<void> {
  const { cunning, shops } = world;
  const shop = cunning.pick(shops);
  const { merchantId, cell } = shop;
  const requestId = chooseAnyIdentifier(world);
  const order = { by: 'Ana', merchantId, requestId, provider: '', ...FRANCS };
  // A merchant that means to owe something leaves nothing behind.
  const amount = cunning.chance(0.15) ? await availableOf(shop) : UNIT;
  if (amount <= 0n) return;
  const requested = requestSettlement(processOf(world, cell), { ...order, amount });
  const answer = await requested.catch((error: unknown) => {
    throw new Violation('a request is answered', `settlement ${requestId}: ${String(error)}`);
  });
  if (answer.type !== 'REQUESTED') return;
  if (!VERSION_4.test(requestId)) world.counts.namedSettlements += 1;
  world.settlements.push({ shop, settlementId: answer.settlementId });
}

async function availableOf({ merchantId, cell }: Shop): Promise<bigint> {
  const { rows } = await cell.engine.store.database.query<{ available: string }>(
    'select (sum(posted - held) * 10000)::bigint::text as available from wallets where merchant_id = $1',
    [merchantId],
  );
  return BigInt(rows[0]?.available ?? '0');
}

/** Few, so that they meet; and as different people copy them. */
function anyReference({ cunning }: World): string {
  const number = cunning.between(1, 60);
  return cunning.pick([`FT26-${number}`, `FT26-${number}`, `ft26-${number}`, ` FT26 -${number} `]);
}

async function decideSettlement(world: World): Promise<void> {
  const { cunning, settlements } = world;
  const settled = settlements.splice(cunning.between(0, Math.max(0, settlements.length - 1)), 1)[0];
  if (settled === undefined) return;
  const engine = processOf(world, settled.shop.cell);
  const decision = cunning.chance(0.5)
    ? ({ decision: 'PAID', reference: anyReference(world), bankHasPaid: cunning.chance(0.5) } as const)
    : ({ decision: 'REJECTED', reason: 'mistyped' } as const);
  const { settlementId } = settled;
  const asked = await requestSettlementDecision(engine, {
    actor: actorNamed('Ana'),
    settlementId,
    ...decision,
  });
  if (asked.type === 'REQUESTED') await decideAs(engine, 'Ben', asked.approvalId);
}

async function moveMoney(world: World): Promise<void> {
  const { cunning, shops } = world;
  const { merchantId, cell } = cunning.pick(shops);
  const engine = processOf(world, cell);
  const type = cunning.pick(['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const);
  const sign = type === 'ADJUSTMENT' && cunning.chance(0.5) ? -1n : 1n;
  const asked = await requestMoney(engine, {
    actor: actorNamed('Ana'),
    merchantId,
    type,
    ...FRANCS,
    walletProvider: '',
    amount: sign * BigInt(cunning.between(1, 100)) * UNIT,
    reference: type === 'ADJUSTMENT' ? null : anyReference(world),
    reason: 'why',
  });
  if (asked.type !== 'REQUESTED') return;
  world.approvals.push(asked.approvalId);
  world.seen.push(asked.approvalId);
  // Some wait, so that somebody can take their identifier first.
  if (cunning.chance(0.5)) return;
  await decideAs(engine, 'Ben', cunning.pick(world.approvals));
}

type Found = { readonly state: PaymentState; readonly amount: bigint };

async function find({ shop, kind, paymentId }: KnownPayment): Promise<Found | null> {
  const { rows } = await shop.cell.engine.store.database.query<{ state: PaymentState; amount: string }>(
    `select state, (amount * 10000)::bigint::text as amount from payments
     where merchant_id = $1 and kind = $2 and payment_id = $3`,
    [shop.merchantId, kind, paymentId],
  );
  const [row] = rows;
  return row === undefined ? null : { state: row.state, amount: BigInt(row.amount) };
}

const keyOf = ({ shop, kind, paymentId }: KnownPayment): PaymentKey => ({
  merchantId: shop.merchantId,
  kind,
  paymentId,
});

async function tell(world: World, known: KnownPayment, event: PaymentEvent, from?: string) {
  const about = { key: keyOf(known), event, ...(from === undefined ? {} : { fromConnector: from }) };
  try {
    const [answer] = await advance(processOf(world, known.shop.cell), [about]);
    return answer?.type;
  } catch (error) {
    throw new Violation(
      'what an operator did is recorded',
      `${JSON.stringify(about, bigints)}: ${String(error)}`,
    );
  }
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** An operator sends what waits, or says what became of it: also later, and also otherwise than before. */
async function operate(world: World): Promise<void> {
  const { ordinary, payments } = world;
  if (payments.length === 0) return;
  const { known, before } = await pickMostlyOpen(world);
  if (before === null) return;
  if (before.state === 'ACCEPTED' || before.state === 'ENQUEUED') {
    if ((await tell(world, known, { type: 'SUBMIT_CLAIMED' })) === 'MOVE') world.counts.sent += 1;
    // Many answers come at once, the others in a later step, when much may have happened.
    if (ordinary.chance(0.3)) return;
  }
  const sent = await find(known);
  // It waits for its wallet, for people or for another payment.
  if (sent === null || sent.state === 'ACCEPTED' || sent.state === 'ENQUEUED') return;
  const outcome = anyOutcome(world, sent);
  await tell(world, known, { type: 'OPERATOR_ANSWERED', outcome });
  const after = await find(known);
  const isRecorded =
    sent.state === 'COMPLETED' || sent.state === 'FAILED'
      ? outcome.type === sent.state || (await hasCase(known))
      : after?.state === 'COMPLETED' || after?.state === 'FAILED' || (await hasCase(known));
  if (!isRecorded)
    throw new Violation('what an operator did is recorded', `${known.kind} ${known.paymentId} ${sent.state}`);
}

/** Operators mostly speak of what is open. Of what has ended they speak when nothing open was met in a few tries. */
async function pickMostlyOpen({ ordinary, payments }: World) {
  for (let tries = 1; ; tries += 1) {
    const known = ordinary.chance(0.7) ? ordinary.pick(payments.slice(-60)) : ordinary.pick(payments);
    const before = await find(known);
    const isOpen = before !== null && before.state !== 'COMPLETED' && before.state !== 'FAILED';
    if (isOpen || tries === 4) return { known, before };
  }
}

function anyOutcome({ ordinary }: World, { amount }: Found): Outcome {
  // Now and then it is a transaction that another payment has.
  const providerTransactionId = ordinary.chance(0.9) ? `T${ordinary.word()}` : `T${ordinary.between(1, 40)}`;
  if (ordinary.chance(0.25)) return { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' };
  // Now and then it moved something else than was asked for.
  const moved = ordinary.chance(0.2) ? amount / 2n + UNIT : amount;
  return { type: 'COMPLETED', providerTransactionId, moved: { amount: moved, currency: FRANCS.currency } };
}

async function hasCase({ shop, kind, paymentId }: KnownPayment): Promise<boolean> {
  const { rowCount } = await shop.cell.engine.store.database.query(
    'select 1 from cases where merchant_id = $1 and kind = $2 and payment_id = $3',
    [shop.merchantId, kind, paymentId],
  );
  return (rowCount ?? 0) > 0;
}

/** A payer who is in league with the merchant has the operator take a deposit back. */
async function chargeBack(world: World): Promise<void> {
  const { cunning, payments } = world;
  const deposits = payments.filter(({ kind, shop }) => kind === 'DEPOSIT' && !shop.isTrusted).slice(-60);
  if (deposits.length === 0) return;
  const known = cunning.pick(deposits);
  if ((await find(known))?.state !== 'COMPLETED') return;
  const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
  await tell(world, known, { type: 'OPERATOR_ANSWERED', outcome });
  if (!(await hasCase(known))) throw new Violation('what an operator did is recorded', known.paymentId);
  world.counts.chargeBacks += 1;
}

/** Merchants whose money the operator took back, and that have not paid it yet. */
async function listOwing({ cells }: World): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [cells.one, cells.two].map(({ engine }) =>
      engine.store.database.query<{ id: string }>('select merchant_id as id from wallets where owed > 0'),
    ),
  );
  return new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id)));
}

/** A deposit that was sent and has no end yet, of a merchant that owes something. */
async function findUrged(world: World): Promise<KnownPayment | null> {
  const owing = await listOwing(world);
  const deposits = world.payments.filter(
    ({ shop, kind }) => kind === 'DEPOSIT' && owing.has(shop.merchantId),
  );
  for (const deposit of deposits.slice(-30).toReversed()) {
    const found = await find(deposit);
    if (found?.state === 'PROCESSING' || found?.state === 'IN_RECONCILIATION') return deposit;
  }
  return null;
}

/** People end what no operator answers; also what a merchant that owes something urges them to complete. */
async function endManually(world: World): Promise<void> {
  const { cunning, ordinary, payments } = world;
  if (payments.length === 0) return;
  const urged = cunning.chance(0.5) ? await findUrged(world) : null;
  const known = urged ?? ordinary.pick(payments.slice(-40));
  const outcome: End = ordinary.chance(0.7)
    ? { type: 'COMPLETED', providerTransactionId: `M${ordinary.between(1, 100_000)}` }
    : { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' };
  await tell(world, known, { type: 'HORIZON_PASSED' });
  await tell(world, known, { type: 'ENDED_MANUALLY', outcome });
  await work(world);
  await checkSpendable(known.shop.cell.engine.store.database);
}

type OpenCase = {
  readonly case_id: string;
  readonly evidence: Evidence;
  readonly kind: PaymentKind;
};

async function resolve(world: World): Promise<void> {
  const { ordinary, cells } = world;
  const cell = ordinary.pick([cells.one, cells.two]);
  const { engine } = cell;
  const { rows } = await engine.store.database.query<OpenCase>(
    'select case_id, evidence, kind from cases where resolved_at is null order by opened_at, case_id limit 20',
  );
  if (rows.length === 0) return;
  const { case_id: caseId, evidence, kind } = ordinary.pick(rows);
  const resolution = ordinary.pick(allowedResolutions({ evidence, kind }));
  const amount = needsAmount({ evidence }) ? BigInt(ordinary.between(0, 60)) * UNIT : null;
  const asked = await requestResolution(engine, {
    actor: actorNamed('Ana'),
    caseId,
    resolution,
    reason: 'why',
    amount,
  });
  if (asked.type === 'REQUESTED') await decideAs(engine, 'Ben', asked.approvalId);
}

/** A message that nobody signed, or that comes from an operator that the payment was never sent to. */
async function pretend(world: World): Promise<void> {
  const { cunning, payments, shops } = world;
  const known: KnownPayment =
    payments.length > 0 && cunning.chance(0.8)
      ? cunning.pick(payments)
      : { shop: cunning.pick(shops), kind: 'DEPOSIT', paymentId: chooseAnyIdentifier(world) };
  const before = await find(known);
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  await tell(world, known, { type: 'OPERATOR_ANSWERED', outcome }, 'another-connector');
  await tell(world, known, { type: 'HINTED' }, 'simulator');
  const after = await find(known);
  if (before?.state !== after?.state && after?.state === 'COMPLETED')
    throw new Violation('a message that nobody signed moves no money', known.paymentId);
}

async function passTime(world: World): Promise<void> {
  await moveTime(world, world.ordinary.between(1, 15) * HOUR_MS);
  await work(world);
}

function complain(error: unknown): never {
  throw new Violation('what is due is done', String(error));
}

/** What workers do, each by its own clock. */
export async function work(world: World): Promise<void> {
  for (const cell of [world.cells.one, world.cells.two]) {
    for (const engine of [processOf(world, cell), cell.engine]) {
      await releaseDueFunds(engine, { countMax: 500, onError: complain });
      await makeMissingFollowUps(engine, { countMax: 500, onError: () => undefined });
    }
  }
}

async function moveMerchant(world: World): Promise<void> {
  const { cells, ordinary, shops } = world;
  const shop = ordinary.pick(shops);
  const to = shop.cell === cells.one ? cells.two : cells.one;
  const { apiToken, tokenId } = shop.account;
  const merchant = { ...cells.merchant, merchantId: shop.merchantId, apiToken, tokenId };
  const moving = moveBetween({ ...cells, merchant }, shop.cell, to);
  const answer = await moving.catch((error: unknown) => {
    throw new Violation('a merchant can be moved', String(error));
  });
  if (answer.type === 'MOVED') {
    [shop.left, shop.cell] = [shop.cell, to];
    world.counts.movesTo[to.engine.home] = (world.counts.movesTo[to.engine.home] ?? 0) + 1;
  }
  // Nothing that an adversary chose may keep a merchant where it is.
  else if (answer.type === 'DIFFERENT')
    throw new Violation('a merchant can be moved', JSON.stringify(answer));
}

/** A process that does not know yet that a merchant has left: nothing is written there any more, and nothing moves. */
async function actInCellThatWasLeft(world: World): Promise<void> {
  const { counts, cunning, payments } = world;
  const moved = payments.filter(({ shop }) => shop.left !== null);
  if (moved.length === 0) return;
  const known = cunning.pick(moved);
  const { merchantId, left } = known.shop;
  if (left === null) return;
  const stale = processOf(world, left);
  const before = await fingerprint(left, merchantId);
  const outcome = { type: 'COMPLETED', providerTransactionId: `T${cunning.between(1, 40)}` } as const;
  await advance(stale, [{ key: keyOf(known), event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  const order = { by: 'Ana', merchantId, requestId: chooseAnyIdentifier(world), provider: '', ...FRANCS };
  await refusedThere(requestSettlement(stale, { ...order, amount: UNIT }));
  const topUp = { actor: actorNamed('Ana'), merchantId, type: 'TOP_UP', ...FRANCS } as const;
  const asked = { ...topUp, walletProvider: '', amount: UNIT, reference: anyReference(world), reason: 'why' };
  await refusedThere(requestMoney(stale, asked));
  counts.inCellThatWasLeft += 1;
  if ((await fingerprint(left, merchantId)) !== before)
    throw new Violation('nothing is written in a cell that the merchant has left', merchantId);
}

async function refusedThere(handled: Promise<unknown>): Promise<void> {
  await handled.catch((error: unknown) => {
    if (!(error instanceof MerchantInOtherCell)) throw error;
  });
}

/** What a cell has of a merchant. */
async function fingerprint({ engine }: TestCell, merchantId: string): Promise<string> {
  const { rows } = await engine.store.database.query<{ found: string }>(
    `select concat_ws(' ',
       (select count(*) from payment_events join payments using (payment_no) where merchant_id = $1),
       (select count(*) from settlements where merchant_id = $1),
       (select count(*) from approvals where merchant_id = $1),
       (select count(*) from cases where merchant_id = $1),
       (select string_agg(concat_ws('/', account_id, posted, held, owed), ' ' order by account_id)
        from wallets where merchant_id = $1)) as found`,
    [merchantId],
  );
  return rows[0]?.found ?? '';
}

export const ACTIONS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  deposit: (world) => start(world, 'DEPOSIT'),
  payout: (world) => start(world, 'PAYOUT'),
  refund,
  split,
  openCheckout,
  settle,
  decideSettlement,
  moveMoney,
  operate,
  endManually,
  chargeBack,
  resolve,
  pretend,
  passTime,
  moveMerchant,
  actInCellThatWasLeft,
};

/** How often each happens, in a thousand steps. */
export const WEIGHTS: Readonly<Record<keyof typeof ACTIONS, number>> = {
  deposit: 150,
  payout: 90,
  refund: 90,
  split: 10,
  openCheckout: 5,
  settle: 120,
  decideSettlement: 40,
  moveMoney: 30,
  operate: 330,
  endManually: 40,
  chargeBack: 30,
  resolve: 50,
  pretend: 30,
  passTime: 14,
  moveMerchant: 3,
  actInCellThatWasLeft: 10,
};
