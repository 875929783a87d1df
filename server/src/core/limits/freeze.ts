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
  findFreezes,
  insertFreeze,
  liftFreeze,
  listFreezes,
  setLiftReason,
  type Freeze,
} from '../../store/limits/freezes.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
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
 * deadline. Repeated, it is written where it was not.
 */
export async function freeze(
  engine: Engine,
  { by, target, reason, expiresAt }: FreezeOrder,
): Promise<readonly CellAnswer<FreezeAnswer>[]> {
  const frozen = frozenOf(engine, target);
  const phoneNumber = target.scope === 'NUMBER' ? target.phoneNumber : null;
  // One time in all cells, that of the cell where it is done: a lift leaves alone what was frozen after its request.
  const frozenAt = await engine.clock.timeOf(engine.store.database);
  const written: Freeze = {
    ...frozen,
    freezeId: randomUUID(),
    phoneNumber,
    reason,
    liftReason: null,
    frozenBy: by,
    frozenAt,
    lastFrozenAt: frozenAt,
    expiresAt,
  };
  return inEveryCell(engine, (database) =>
    aloneInAll(database, async (tx) => {
      await insertFreeze(tx, engine.store.keyring, written);
      await note(engine, tx, { by, ...frozen }, 'FROZEN', { expiresAt: expiresAt?.toISOString() ?? null });
      return { isKnown: await isKnown(tx, frozen) };
    }),
  );
}

/** A merchant or token that is mistyped would freeze nothing. It lives in one of the cells. */
async function isKnown(tx: Tx, { scope, subject }: Frozen): Promise<boolean> {
  if (scope === 'MERCHANT') return (await findMerchant(tx, subject)) !== null;
  return scope !== 'TOKEN' || (await findToken(tx, subject)) !== null;
}

/** Those in force, cell by cell. The same freeze can have another identifier in a cell that was told later. */
export async function readFreezes(engine: Engine): Promise<readonly CellAnswer<readonly Freeze[]>[]> {
  const now = engine.clock.now();
  return inEveryCell(engine, (database) => listFreezes(database, engine.store.keyring, now));
}

/** Why a freeze is lifted is kept with it. */
type Lifting = Ordered & { readonly reason: string };

export type LiftOrder = Lifting & { readonly target: FreezeTarget };

/** A freeze as it was found, in the same order. */
export type LiftOfOrder = Lifting & { readonly freeze: Frozen & Pick<Freeze, 'phoneNumber'> };

export type LiftAnswer = { readonly outcome: Outcome; readonly cells: readonly CellAnswer<boolean>[] };

/** Payments that waited are released, the oldest of each merchant first. */
export async function requestLift(engine: Engine, { target, ...order }: LiftOrder): Promise<LiftAnswer> {
  const phoneNumber = target.scope === 'NUMBER' ? target.phoneNumber : null;
  return requestLiftOf(engine, { ...order, freeze: { ...frozenOf(engine, target), phoneNumber } });
}

export async function requestLiftOf(
  engine: Engine,
  { freeze: of, ...order }: LiftOfOrder,
): Promise<LiftAnswer> {
  const { actor, reason } = order;
  const { scope, subject } = of;
  const frozen = { scope, subject };
  if (!isNeeded(order)) {
    const requestedAt = await engine.clock.timeOf(engine.store.database);
    const lifted = { by: actor.by, reason, requestedAt };
    return { outcome: 'DONE', cells: await liftEverywhere(engine, frozen, lifted) };
  }
  await inTransaction(engine.store.database, async (tx) => {
    await setLiftReason(tx, engine.store.keyring, { ...frozen, reason });
    const label = await labelOf(tx, of);
    const request = label === null ? frozen : { ...frozen, label };
    const wanted = { actor, merchantId: null, kind: 'FREEZE_LIFT', subject: nameOf(frozen) } as const;
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
  show: ({ scope, subject, label }) => ({ scope, subject, ...(label !== undefined && { label }) }),
  concerns: async (tx, { request }) => {
    if (request.scope === 'MERCHANT') return [request.subject];
    const token = request.scope === 'TOKEN' ? await findToken(tx, request.subject) : null;
    return token === null ? [] : [token.merchantId];
  },
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { request, requestedAt } = approval;
    if (await lift(engine, tx, request, { by, requestedAt })) return;
    // Frozen again since. Where this cell has none, another one can have it still.
    const now = await engine.clock.timeOf(tx);
    if ((await findFreezes(tx, [request], now)).length > 0) throw new NotExecuted();
  },
  // A cell that does not answer stays frozen, which `freeze list` shows; it is lifted there by a new request.
  after: async ({ engine, approval, decider: { by } }) => {
    await liftEverywhere(engine, approval.request, { by, requestedAt: approval.requestedAt });
  },
};

/** The reason was kept with the request where there was one. */
type Lifted = Actor & { readonly requestedAt: Date; readonly reason?: string };

function liftEverywhere(
  engine: Engine,
  frozen: Frozen,
  lifted: Lifted,
): Promise<readonly CellAnswer<boolean>[]> {
  return inEveryCell(engine, (database) => inTransaction(database, (tx) => lift(engine, tx, frozen, lifted)));
}

/** Answers whether it was in force there. */
async function lift(engine: Engine, tx: Tx, frozen: Frozen, lifted: Lifted): Promise<boolean> {
  const { by, requestedAt, reason } = lifted;
  if (reason !== undefined) await setLiftReason(tx, engine.store.keyring, { ...frozen, reason });
  const now = await engine.clock.timeOf(tx);
  const wasInForce = await liftFreeze(tx, { ...frozen, requestedAt, now });
  if (wasInForce) await note(engine, tx, { by, ...frozen }, 'FREEZE_LIFTED', {});
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
