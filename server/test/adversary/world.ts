// Two cells with several merchants, time that can be moved, and everything that somebody outside could know.
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { holdIdOfCase, holdIdOfDeposit } from '../../src/core/limits/wallet-holds.ts';
import { requestBankAccount } from '../../src/core/settlements/bank-accounts.ts';
import type { Amount } from '../../src/domain/money.ts';
import { OPERATIONS, type PaymentKey, type PaymentKind } from '../../src/domain/payments/payment.ts';
import type { Engine } from '../../src/core/engine.ts';
import type { Database } from '../../src/store/database.ts';
import { derivedUuid } from '../../src/store/derived-uuid.ts';
import { streamOf, type Random } from '../../../drills/kit/random.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { inProcessOff } from '../clocks.ts';
import { openToken, type Account } from '../edge/accounts.ts';
import { openTwoCells, type TestCell, type TwoCells } from '../two-cells.ts';

export const FRANCS = { country: 'RWA', currency: 'RWF' } as const;
const HOUR_MS = 3_600_000;

/** A merchant, the cell that it lives in now, and the one that it has left. */
export type Shop = {
  readonly account: Account;
  readonly merchantId: string;
  /** Has funds, and payers who do not ask for their money back: what it refunds is rarely refused for want of funds. */
  readonly isTrusted: boolean;
  cell: TestCell;
  left: TestCell | null;
};

export type KnownPayment = {
  readonly shop: Shop;
  readonly kind: PaymentKind;
  readonly paymentId: string;
  /** Only for a refund: the identifier of the deposit that it gives back. */
  readonly refundOf?: string;
};

export type World = {
  readonly cells: TwoCells;
  readonly shops: readonly Shop[];
  /** What operators, people and ordinary merchants do in this step: drawn alike in this step of every run of a seed. */
  ordinary: Random;
  /** What the adversary chooses. */
  readonly cunning: Random;
  readonly payments: KnownPayment[];
  readonly approvals: string[];
  readonly settlements: { readonly shop: Shop; readonly settlementId: string }[];
  /** Identifiers that somebody outside has seen, or that an earlier run of this seed has written. */
  readonly seen: string[];
  readonly earlier: ReadonlySet<string>;
  readonly counts: AdversaryCounts;
};

/** What an adversary did, so that a run that tried nothing is not taken for one that found nothing. */
export type AdversaryCounts = {
  /** Identifiers that it chose because an earlier run of the seed had written them. */
  chosenFromEarlier: number;
  /** Identifiers of ordinary payments of this run that an earlier one had written: those could be known beforehand. */
  knownBeforehand: number;
  /** Settlements that were requested under an identifier that no client would draw: one of ours. */
  namedSettlements: number;
  /** Payments that an operator was asked to make. */
  sent: number;
  /** Refunds that were accepted. */
  refunds: number;
  /** Deposits that an operator took back. */
  chargeBacks: number;
  /** Moves of merchants, by the cell that they arrived in. */
  readonly movesTo: Record<string, number>;
  /** Work of a process whose clock is wrong by hours. */
  staleProcesses: number;
  /** Facts and wishes that arrived in a cell that their merchant had left. */
  inCellThatWasLeft: number;
};

const SHOPS_IN_EACH_CELL = 3;
const FUNDS_OF_TRUSTED: Amount = 5_000_000_000n;

/** `earlier`: identifiers that an earlier run of the same seed has written. */
export async function openWorld(
  seed: number,
  { earlier }: { readonly earlier: readonly string[] },
): Promise<World> {
  const cells = await openTwoCells({
    role: 'api',
    bankCoolingOffMs: 0,
    clockIsMovable: true,
    // What waits for an operator waits for a step of this run, while days pass.
    backlogMs: Infinity,
  });
  const both = [cells.one, cells.two];
  for (const { engine } of both) {
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
  }
  const shops: Shop[] = [];
  for (const cell of both)
    // The others have nothing but what their deposits bring: soon they owe more than they have, and refund nothing.
    for (let count = 0; count < SHOPS_IN_EACH_CELL; count += 1)
      shops.push(await openShop(cell, { isTrusted: count === 0 }));
  return {
    cells,
    shops,
    ordinary: ordinaryOf(seed, 0),
    cunning: streamOf(seed, earlier.length === 0 ? 'cunning' : 'cunning again'),
    payments: [],
    approvals: [],
    settlements: [],
    seen: [...earlier, ...shops.map(({ merchantId }) => merchantId)],
    earlier: new Set(earlier),
    counts: {
      chosenFromEarlier: 0,
      knownBeforehand: 0,
      namedSettlements: 0,
      sent: 0,
      refunds: 0,
      chargeBacks: 0,
      movesTo: {},
      staleProcesses: 0,
      inCellThatWasLeft: 0,
    },
  };
}

/**
 * Every step has a stream of its own: however many numbers the adversary made others draw before, the ordinary merchant
 * of a step draws the identifier that it drew in an earlier run.
 */
export function ordinaryOf(seed: number, step: number): Random {
  return streamOf(seed, `ordinary ${step}`);
}

/** The identifier of a payment that nobody means any harm with. */
export function drawOrdinaryIdentifier({ ordinary, earlier, counts }: World): string {
  const identifier = drawIdentifier(ordinary);
  if (earlier.has(identifier)) counts.knownBeforehand += 1;
  return identifier;
}

async function openShop(cell: TestCell, { isTrusted }: Pick<Shop, 'isTrusted'>): Promise<Shop> {
  const { engine } = cell;
  const merchantId = await createMerchant(engine, {
    by: 'test',
    companyName: 'Duka',
    operations: OPERATIONS,
    walletPerProvider: false,
    providers: ['MTN_MOMO_RWA', 'AIRTEL_RWA'],
  });
  if (isTrusted)
    await topUpWallets(engine, [{ by: 'test', merchantId, ...FRANCS, amount: FUNDS_OF_TRUSTED }]);
  const bank = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
  const account = { actor: actorNamed('Ana'), merchantId, currency: 'RWF', account: bank };
  await decideAs(engine, 'Ben', (await requestBankAccount(engine, account))!);
  return { merchantId, isTrusted, cell, left: null, account: await openToken(cell, merchantId) };
}

/** A process of the cell. Some have stood still, or have a clock that nobody set. */
export function processOf(world: World, cell: TestCell): Engine {
  const offMs = world.cunning.chance(0.15) ? world.cunning.between(-72, 72) * HOUR_MS : 0;
  if (offMs === 0) return cell.engine;
  world.counts.staleProcesses += 1;
  return inProcessOff(cell.engine, offMs);
}

/** Every process knows of it: one that did not would take it for a clock that was set, and send nothing. */
export async function moveTime({ cells }: World, byMs: number): Promise<void> {
  for (const { gateway } of [cells.one, cells.two]) await gateway.movableClock!.move(byMs);
}

/** A UUID of version 4, as the specification wants identifiers of merchants. */
export function drawIdentifier(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.word().toString(16).padStart(8, '0')).join('');
  const variant = ((parseInt(hex.charAt(16), 16) % 4) + 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** As clients have to draw them. */
export const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What the adversary takes for an identifier that the API lets it choose. */
export function chooseIdentifier(world: World): string {
  const { cunning, seen } = world;
  if (cunning.chance(0.6) || seen.length === 0) return drawIdentifier(cunning);
  const candidate = cunning.chance(0.5) ? predict(world) : pickSeen(world);
  return VERSION_4.test(candidate) ? candidate : drawIdentifier(cunning);
}

/** The same where no pattern stands in the way: behind the edge. */
export function chooseAnyIdentifier(world: World): string {
  const { cunning } = world;
  if (cunning.chance(0.2)) return drawIdentifier(cunning);
  return cunning.chance(0.7) ? predict(world) : pickSeen(world);
}

function pickSeen({ cunning, seen, earlier, counts }: World): string {
  const identifier = cunning.pick(seen);
  if (earlier.has(identifier)) counts.chosenFromEarlier += 1;
  return identifier;
}

/** The identifier that something of somebody else's has or will have, as far as it follows from what is known. */
function predict({ cunning, shops, payments, seen }: World): string {
  const { merchantId } = cunning.pick(shops);
  const known = payments.length > 0 && cunning.chance(0.7) ? cunning.pick(payments) : null;
  const key: PaymentKey = {
    merchantId: known?.shop.merchantId ?? merchantId,
    kind: known?.kind ?? cunning.pick(['DEPOSIT', 'PAYOUT', 'REFUND'] as const),
    paymentId: known?.paymentId ?? cunning.pick(seen),
  };
  const caseNo = cunning.between(1, 2);
  switch (cunning.between(1, 5)) {
    case 1:
      return holdIdOfDeposit(key);
    case 2:
      return holdIdOfCase({ ...key, evidence: 'LATE_FAILURE', caseNo });
    case 3:
      return holdIdOfCase({ ...key, evidence: 'DISCREPANCY', caseNo });
    case 4:
      return holdIdOfCase({ ...key, evidence: 'LATE_SUCCESS', caseNo });
    default:
      return derivedUuid(['WALLET', merchantId, FRANCS.country, FRANCS.currency, ''].join('/'));
  }
}

/** Every UUID that a run has written, in whichever table: what it leaves in backups and logs. */
export async function harvestIdentifiers({ cells }: World): Promise<readonly string[]> {
  const found = await Promise.all(
    [cells.one, cells.two].map(({ engine }) => harvestFrom(engine.store.database)),
  );
  return [...new Set(found.flat())];
}

async function harvestFrom(database: Database): Promise<readonly string[]> {
  const { rows: columns } = await database.query<{ name: string; of: string }>(
    `select column_name as name, table_name as of from information_schema.columns
     where table_schema = 'public' and data_type = 'uuid' order by 2, 1`,
  );
  const values: string[] = [];
  for (const { name, of } of columns) {
    const { rows } = await database.query<{ value: string }>(
      `select distinct ${name} as value from ${of} where ${name} is not null order by 1 limit 2000`,
    );
    values.push(...rows.map(({ value }) => value));
  }
  return values;
}
