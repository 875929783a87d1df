// Freezes outgoing payments, and lifts a freeze. One person may freeze at once; to lift takes two people. A freeze is
// written to every cell, because a provider, a recipient or everything is paid from all of them.
import { randomUUID } from 'node:crypto';
import { isUuid } from '../../domain/identifier.ts';
import { maskPhoneNumber } from '../../domain/masking.ts';
import type { Frozen } from '../../domain/limits/freeze.ts';
import { findToken } from '../../store/access/tokens.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { findMerchant } from '../../store/merchants/merchants.ts';
import {
  insertFreeze,
  liftFreeze,
  listFreezes,
  setLiftReason,
  type Freeze,
} from '../../store/limits/freezes.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import type { Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered, type Outcome } from '../approvals/request.ts';
import { record, type Actor } from '../audit.ts';
import { inEveryCell, type CellAnswer } from '../cells/in-every-cell.ts';
import { aloneInAll } from '../cells/lock-merchant-alone.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { frozenNumber } from './frozen-payments.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';
import { recordRisk } from './risk-log.ts';

/** What is to be frozen. A recipient is named by the phone number. */
export type FreezeTarget =
  | { readonly scope: 'MERCHANT' | 'TOKEN' | 'PROVIDER'; readonly subject: string }
  | { readonly scope: 'NUMBER'; readonly phoneNumber: string }
  | { readonly scope: 'ALL' };

/** What a cell says of a freeze. `isKnown`: it has such a merchant or token. */
type FreezeAnswer = { readonly isKnown: boolean };

export type FreezeOrder = Actor & {
  readonly target: FreezeTarget;
  readonly reason: string;
  /** Null: until it is lifted. */
  readonly expiresAt: Date | null;
};

/**
 * Once a cell has confirmed, nothing of the scope is claimed there. What was claimed before may be sent until its
 * deadline. Repeated, it is another freeze, so that a cell that did not answer gets it: each is lifted by itself.
 */
export async function freeze(
  engine: Engine,
  { by, target, reason, expiresAt }: FreezeOrder,
): Promise<readonly CellAnswer<FreezeAnswer>[]> {
  const frozen = frozenOf(engine, target);
  const phoneNumber = target.scope === 'NUMBER' ? target.phoneNumber : null;
  // One identifier and one time in all cells. A lift names the identifier.
  const frozenAt = await engine.clock.timeOf(engine.store.database);
  const written: Freeze = {
    ...frozen,
    freezeId: randomUUID(),
    phoneNumber,
    reason,
    liftReason: null,
    frozenBy: by,
    frozenAt,
    expiresAt,
  };
  return inEveryCell(engine, (database) =>
    aloneInAll(database, async (tx) => {
      await insertFreeze(tx, engine.store.keyring, written);
      const detail = { freezeId: written.freezeId, expiresAt: expiresAt?.toISOString() ?? null };
      await note(engine, tx, { by, ...frozen }, 'FROZEN', detail);
      return { isKnown: await isKnown(tx, frozen) };
    }),
  );
}

/** A merchant or token that is mistyped would freeze nothing. It lives in one of the cells. */
async function isKnown(tx: Tx, { scope, subject }: Frozen): Promise<boolean> {
  if (scope === 'MERCHANT') return (await findMerchant(tx, subject)) !== null;
  return scope !== 'TOKEN' || (await findToken(tx, subject)) !== null;
}

/** Those in force, cell by cell. A freeze has one identifier in all cells. */
export async function readFreezes(engine: Engine): Promise<readonly CellAnswer<readonly Freeze[]>[]> {
  const now = engine.clock.now();
  return inEveryCell(engine, (database) => listFreezes(database, engine.store.keyring, now));
}

/** Why a freeze is lifted is kept with it. */
type Lifting = Ordered & { readonly reason: string };

export type LiftOrder = Lifting & { readonly target: FreezeTarget };

/** `cells` says of each whether the freeze was in force there; empty where the lift is pending approval. */
type LiftAnswer = { readonly outcome: Outcome; readonly cells: readonly CellAnswer<boolean>[] };

type LiftsAnswer = Omit<LiftAnswer, 'outcome'> & {
  /** NOT_FROZEN: no cell that answered has a freeze of the target. */
  readonly outcome: Outcome | 'NOT_FROZEN';
  /** What is lifted, or requested to be. */
  readonly freezes: readonly Freeze[];
};

/** Lifts, or requests to lift, every freeze of the target that a cell has at this moment. Each has its own request. */
export async function requestLift(engine: Engine, { target, ...order }: LiftOrder): Promise<LiftsAnswer> {
  const read = await readFreezes(engine);
  const inForce = read.flatMap((one) => (one.type === 'CONFIRMED' ? one.answer : []));
  const byId = new Map(inForce.map((found) => [found.freezeId, found]));
  const freezes = [...byId.values()].filter((found) => isOf(target, found));
  const answers: LiftAnswer[] = [];
  for (const found of freezes) answers.push(await requestLiftOf(engine, { ...order, freeze: found }));
  const missing = read.flatMap((one) => (one.type === 'NOT_CONFIRMED' ? [one] : []));
  return {
    outcome: answers[0]?.outcome ?? 'NOT_FROZEN',
    freezes,
    cells: [...missing, ...answers.flatMap(({ cells }) => cells)],
  };
}

function isOf(target: FreezeTarget, { scope, subject, phoneNumber }: Freeze): boolean {
  if (target.scope !== scope) return false;
  if (target.scope === 'NUMBER') return target.phoneNumber === phoneNumber;
  return target.scope === 'ALL' || target.subject === subject;
}

/**
 * Payments that waited are released, the oldest of each merchant first, unless another freeze covers them. The request
 * names this freeze: what is frozen later stays, whatever the clocks of cells say.
 */
export async function requestLiftOf(
  engine: Engine,
  { freeze: lifted, ...order }: Lifting & { readonly freeze: Freeze },
): Promise<LiftAnswer> {
  const { actor, reason } = order;
  const { freezeId, scope, subject, frozenBy, frozenAt } = lifted;
  if (!isNeeded(order)) {
    const cells = await liftEverywhere(engine, { by: actor.by, freezeId, scope, subject, reason });
    return { outcome: 'DONE', cells };
  }
  await inTransaction(engine.store.database, async (tx) => {
    await setLiftReason(tx, engine.store.keyring, { freezeId, reason });
    const label = await labelOf(tx, lifted);
    const shown = { scope, subject, frozenBy, frozenAt: frozenAt.toISOString() };
    const request = label === null ? shown : { ...shown, label };
    const wanted = { actor, merchantId: null, kind: 'FREEZE_LIFT', subject: freezeId } as const;
    await requestApproval(engine, tx, { ...wanted, request });
  });
  return { outcome: 'REQUESTED', cells: [] };
}

/** What people know it by: the merchant's name, the masked number. Null where the cell does not know it. */
export async function labelOf(
  tx: Tx,
  { scope, subject, phoneNumber }: Frozen & Pick<Freeze, 'phoneNumber'>,
): Promise<string | null> {
  if (phoneNumber !== null) return maskPhoneNumber(phoneNumber);
  const token = scope === 'TOKEN' ? await findToken(tx, subject) : null;
  const merchantId = scope === 'MERCHANT' ? subject : (token?.merchantId ?? null);
  return merchantId === null ? null : ((await findMerchant(tx, merchantId))?.companyName ?? null);
}

export const freezeLiftExecutor: Executor<'FREEZE_LIFT'> = {
  show: ({ scope, subject, label, frozenBy, frozenAt }) => ({
    scope,
    subject,
    ...(label !== undefined && { label }),
    frozenBy,
    frozenAt,
  }),
  concerns: async (tx, { request }) => {
    if (request.scope === 'MERCHANT') return [request.subject];
    const token = request.scope === 'TOKEN' ? await findToken(tx, request.subject) : null;
    return token === null ? [] : [token.merchantId];
  },
  // Where this cell does not have it, or it has expired, another one can have it still.
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    await lift(engine, tx, liftedBy(approval, by));
  },
  // A cell that does not answer stays frozen, which `freeze list` shows; it is lifted there by a new request.
  after: async ({ engine, approval, decider: { by } }) => {
    await liftEverywhere(engine, liftedBy(approval, by));
  },
};

/** One freeze, to be ended by somebody. The reason was kept with the request where there was one. */
type Lifted = Actor & Frozen & { readonly freezeId: string; readonly reason?: string };

function liftedBy({ subject: freezeId, request }: Approval<'FREEZE_LIFT'>, by: string): Lifted {
  const { scope, subject } = request;
  return { by, freezeId, scope, subject };
}

function liftEverywhere(engine: Engine, lifted: Lifted): Promise<readonly CellAnswer<boolean>[]> {
  return inEveryCell(engine, (database) => inTransaction(database, (tx) => lift(engine, tx, lifted)));
}

/** Answers whether it was in force there. */
async function lift(engine: Engine, tx: Tx, { by, freezeId, reason, ...frozen }: Lifted): Promise<boolean> {
  if (reason !== undefined) await setLiftReason(tx, engine.store.keyring, { freezeId, reason });
  const wasInForce = await liftFreeze(tx, { freezeId, now: await engine.clock.timeOf(tx) });
  if (wasInForce) await note(engine, tx, { by, ...frozen }, 'FREEZE_LIFTED', { freezeId });
  return wasInForce;
}

function frozenOf({ store }: TimedStore, target: FreezeTarget): Frozen {
  switch (target.scope) {
    case 'ALL':
      return { scope: 'ALL', subject: '' };
    case 'NUMBER':
      return frozenNumber(numberHashes(store.keyring, target.phoneNumber)[0]);
    case 'MERCHANT':
    case 'TOKEN':
    case 'PROVIDER':
      return target;
  }
}

function nameOf({ scope, subject }: Frozen): string {
  return `${scope} ${subject}`.trim();
}

/** Of no merchant: the merchant may live in another cell, which this one knows nothing of. */
export async function note(
  engine: Engine,
  tx: Tx,
  { by, ...frozen }: Frozen & Actor,
  act: 'FROZEN' | 'FREEZE_LIFTED',
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await record(engine, tx, [{ by, act, merchantId: null, subject: nameOf(frozen), detail }]);
  const { scope, subject } = frozen;
  const merchantId = scope === 'MERCHANT' && isUuid(subject) ? subject : undefined;
  const tokenId = scope === 'TOKEN' ? subject : undefined;
  const provider = scope === 'PROVIDER' ? subject : undefined;
  await recordRisk(engine, tx, { event: act, subject: scope, merchantId, tokenId, provider });
}
