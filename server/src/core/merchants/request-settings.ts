// Settings that let money out by the API: tokens, public keys, and to accept requests without signatures. Where a
// second approver is required they are requested, and exist when another person approves.
import { letsMoneyOut } from '../../domain/approval.ts';
import { findMerchant, type SignatureRequirement } from '../../store/merchants/merchants.ts';
import type { SignatureAlgorithm } from '../../wire/http-signature/algorithms.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered, type Outcome } from '../approvals/request.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { fingerprintOf, keepPublicKey, setSignatures } from './administer-keys.ts';
import { drawToken, keepToken, type Scope } from './administer-merchants.ts';

type AtMerchant = Ordered & { readonly merchantId: string };

/** The token's text is shown once, to the requester. */
export async function requestToken(
  engine: Engine,
  order: AtMerchant & {
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Date | null;
  },
): Promise<{ readonly tokenId: string; readonly text: string; readonly outcome: Outcome }> {
  const { merchantId, actor, name, scopes, expiresAt } = order;
  const { text, tokenId, secretHash } = await drawToken(engine, merchantId);
  const outcome = await inMerchant(engine.store.database, merchantId, async (tx): Promise<Outcome> => {
    if (!isNeeded(order) || !letsMoneyOut(scopes)) {
      await keepToken(engine, tx, { ...order, by: actor.by, tokenId, secretHash });
      return 'DONE';
    }
    const end = expiresAt === null ? null : expiresAt.toISOString();
    const request = { tokenId, secretHash: secretHash.toString('hex'), name, scopes, expiresAt: end };
    await requestApproval(engine, tx, { actor, merchantId, kind: 'TOKEN', subject: tokenId, request });
    return 'REQUESTED';
  });
  return { tokenId, text, outcome };
}

export const tokenExecutor: Executor<'TOKEN'> = {
  show: ({ tokenId, name, scopes, expiresAt }) => ({
    tokenId,
    name,
    scopes: scopes.join(', '),
    ...(expiresAt !== null && { expiresAt }),
  }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { request } = approval;
    const expiresAt = request.expiresAt === null ? null : new Date(request.expiresAt);
    const secretHash = Buffer.from(request.secretHash, 'hex');
    await keepToken(engine, tx, { ...request, by, merchantId: merchantOf(approval), expiresAt, secretHash });
  },
};

/** With a key of their own one person could use a token that two people made. */
export async function requestPublicKey(
  engine: Engine,
  order: AtMerchant & {
    readonly name: string;
    readonly algorithm: SignatureAlgorithm;
    readonly pem: string;
  },
): Promise<Outcome | 'NAME_TAKEN'> {
  const { merchantId, actor, name, algorithm, pem } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    if (merchant?.publicKeys.has(name) === true) return 'NAME_TAKEN';
    if (!isNeeded(order))
      return (await keepPublicKey(engine, tx, { ...order, by: actor.by })) ? 'DONE' : 'NAME_TAKEN';
    const request = { name, algorithm, pem };
    await requestApproval(engine, tx, { actor, merchantId, kind: 'PUBLIC_KEY', subject: name, request });
    return 'REQUESTED';
  });
}

export const publicKeyExecutor: Executor<'PUBLIC_KEY'> = {
  show: ({ name, algorithm, pem }) => ({ name, algorithm, fingerprint: fingerprintOf(pem) }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const isNew = await keepPublicKey(engine, tx, {
      ...approval.request,
      by,
      merchantId: merchantOf(approval),
    });
    if (!isNew) throw new NotExecuted();
  },
};

/** One person may demand signatures; to do without them takes two. */
export async function requestSignatures(
  engine: Engine,
  order: AtMerchant & SignatureRequirement,
): Promise<Outcome> {
  const { merchantId, actor, covers, isRequired } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    const isSet = covers === 'PAGES' ? merchant?.signedPagesOnly : merchant?.signedRequestsOnly;
    if (!isNeeded(order) || isSet !== true || isRequired) {
      await setSignatures(engine, tx, { ...order, by: actor.by });
      return 'DONE';
    }
    const kind = covers === 'PAGES' ? 'UNSIGNED_PAGES' : 'UNSIGNED_REQUESTS';
    await requestApproval(engine, tx, { actor, merchantId, kind, subject: merchantId, request: {} });
    return 'REQUESTED';
  });
}

function unsignedExecutor(
  covers: SignatureRequirement['covers'],
): Executor<'UNSIGNED_REQUESTS' | 'UNSIGNED_PAGES'> {
  return {
    show: () => ({}),
    execute: async ({ engine, tx, approval, decider: { by } }) => {
      await setSignatures(engine, tx, { by, merchantId: merchantOf(approval), covers, isRequired: false });
    },
  };
}

export const unsignedRequestsExecutor = unsignedExecutor('PAYMENTS');
export const unsignedPagesExecutor = unsignedExecutor('PAGES');
