// What the host does manually about signatures: merchants' public keys, whether they must sign, the service's own keys.
import { createHash } from 'node:crypto';
import { chooseCurrentKey } from '../../domain/key-rotation.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { setSignatureRequirement, type SignatureRequirement } from '../../store/merchants/merchants.ts';
import { noteSensitiveChange } from '../../store/reviews/review-rules.ts';
import { deletePublicKey, insertPublicKey } from '../../store/access/public-keys.ts';
import { listSigningKeys, retireSigningKey } from '../../store/access/signing-keys.ts';
import type { SignatureAlgorithm } from '../../wire/http-signature/algorithms.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { addSigningKey, keyIdOf } from '../access/signing-keys.ts';

type KeyOfMerchant = Actor & { readonly merchantId: string; readonly name: string };

type NewKey = KeyOfMerchant & { readonly algorithm: string; readonly pem: string };

/** Answers whether the name was free. */
export async function addPublicKey(
  engine: TimedStore,
  order: NewKey & { readonly algorithm: SignatureAlgorithm },
): Promise<boolean> {
  return inMerchant(engine.store.database, order.merchantId, (tx) => keepPublicKey(engine, tx, order));
}

/** Answers whether the name was free. Call it inside the merchant. */
export async function keepPublicKey(engine: TimedStore, tx: Tx, order: NewKey): Promise<boolean> {
  const { by, merchantId, name, algorithm, pem } = order;
  const isNew = await insertPublicKey(tx, { ...order, createdAt: await engine.clock.timeOf(tx) });
  const detail = { algorithm, fingerprint: fingerprintOf(pem) };
  if (!isNew) return false;
  await noteSignatureChange(engine, tx, merchantId);
  await record(engine, tx, [{ by, act: 'PUBLIC_KEY_ADDED', merchantId, subject: name, detail }]);
  return true;
}

/** Answers whether there was such a key. */
export async function removePublicKey(
  engine: TimedStore,
  { by, merchantId, name }: KeyOfMerchant,
): Promise<boolean> {
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const isGone = await deletePublicKey(tx, { merchantId, name });
    const entry = { by, act: 'PUBLIC_KEY_REMOVED', merchantId, subject: name, detail: {} } as const;
    if (isGone) await record(engine, tx, [entry]);
    return isGone;
  });
}

type SignatureOrder = Actor & SignatureRequirement;

/** Whether a merchant's requests must be signed from now on. Answers whether that changed anything. */
export async function requireSignatures(engine: TimedStore, order: SignatureOrder): Promise<boolean> {
  return inMerchant(engine.store.database, order.merchantId, (tx) => setSignatures(engine, tx, order));
}

/** Answers whether that changed anything. Call it inside the merchant. */
export async function setSignatures(engine: TimedStore, tx: Tx, order: SignatureOrder): Promise<boolean> {
  const { by, merchantId, covers, isRequired } = order;
  const hasChanged = await setSignatureRequirement(tx, order);
  const detail = covers === 'PAGES' ? { signedPagesOnly: isRequired } : { signedRequestsOnly: isRequired };
  const entry = { by, act: 'SIGNATURES_SET', merchantId, subject: merchantId, detail } as const;
  if (!hasChanged) return false;
  await noteSignatureChange(engine, tx, merchantId);
  await record(engine, tx, [entry]);
  return true;
}

/** With a key of their own, or without signatures, a thief needs only a token. */
async function noteSignatureChange({ clock }: TimedStore, tx: Tx, merchantId: string): Promise<void> {
  const changedAt = await clock.timeOf(tx);
  await noteSensitiveChange(tx, { merchantId, what: 'SIGNATURE', subject: '', changedAt });
}

/**
 * Makes the key that takes over after `leadMs`, in all cells. Answers its id, or null when somebody else has just made
 * one.
 */
export async function rotateSigningKey(
  engine: Engine,
  { by, leadMs }: Actor & { readonly leadMs: number },
): Promise<string | null> {
  return inTransaction(engine.databaseOf(engine.directoryCell), async (tx) => {
    const keys = await listSigningKeys(tx);
    const now = await engine.clock.timeOf(tx);
    const keyNo = await addSigningKey(tx, engine.store, { keys, now, leadMs });
    if (keyNo === null) return null;
    const subject = keyIdOf(keyNo);
    const entry = { by, act: 'SIGNING_KEY_ADDED', merchantId: null, subject, detail: { leadMs } } as const;
    await record(engine, tx, [entry]);
    return subject;
  });
}

export type Withdrawal = 'WITHDRAWN' | 'UNKNOWN' | 'IN_USE';

/** A key that was stolen is published no more, and what it signs is believed no more. The current key cannot go. */
export async function withdrawSigningKey(
  engine: Engine,
  { by, keyId }: Actor & { readonly keyId: string },
): Promise<Withdrawal> {
  return inTransaction(engine.databaseOf(engine.directoryCell), async (tx) => {
    const now = await engine.clock.timeOf(tx);
    const keys = await listSigningKeys(tx);
    const keyNo = keys.find((key) => keyIdOf(key.keyNo) === keyId)?.keyNo;
    if (keyNo === undefined) return 'UNKNOWN';
    if (chooseCurrentKey(keys, now)?.keyNo === keyNo) return 'IN_USE';
    if (!(await retireSigningKey(tx, keyNo, now))) return 'UNKNOWN';
    const entry = { by, act: 'SIGNING_KEY_RETIRED', merchantId: null, subject: keyId, detail: {} } as const;
    await record(engine, tx, [entry]);
    return 'WITHDRAWN';
  });
}

/** By which two people can tell over the telephone that they mean the same key. */
export function fingerprintOf(pem: string): string {
  return createHash('sha256').update(pem).digest('hex').slice(0, 16);
}
