// A movement of money under a reference of the bank or of an operator: whether it is new, a repetition, or another one
// under the same reference.
import { isSameMovement, type Referenced } from '../../domain/ledger/money-reference.ts';
import { renderAmount } from '../../domain/money.ts';
import type { Tx } from '../../store/database.ts';
import { PLATFORM } from '../../store/encryption/encryption.ts';
import {
  insertPostedReference,
  listUses,
  lockReference,
  type UsedReference,
} from '../../store/ledger/posted-references.ts';
import { NotExecuted } from '../approvals/executor.ts';

/** Nothing was moved: the reference was used before. */
export type ReferenceUse = {
  /** POSTED and REQUESTED: for the same movement. TAKEN: for another one. */
  readonly type: 'REFERENCE_POSTED' | 'REFERENCE_REQUESTED' | 'REFERENCE_TAKEN';
  readonly used: UsedReference;
};

/** For a request: null where nothing was posted or requested under its reference, and nothing will be meanwhile. */
export async function findUse(tx: Tx, wanted: Referenced): Promise<ReferenceUse | null> {
  await lockReference(tx, wanted);
  return useAmong(await listUses(tx, wanted), wanted);
}

/** For a posting: null where the reference was free and is used from now on. */
export async function usePosted(
  tx: Tx,
  posting: Referenced & { readonly transferId: string; readonly postedAt: Date },
): Promise<ReferenceUse | null> {
  if (await insertPostedReference(tx, posting)) return null;
  const posted = (await listUses(tx, posting)).filter(({ status }) => status === 'POSTED');
  return useAmong(posted, posting);
}

function useAmong(uses: readonly UsedReference[], wanted: Referenced): ReferenceUse | null {
  const other = uses.find((used) => !isSameMovement(used, wanted));
  if (other !== undefined) return { type: 'REFERENCE_TAKEN', used: other };
  const [used] = uses;
  if (used === undefined) return null;
  return { type: used.status === 'POSTED' ? 'REFERENCE_POSTED' : 'REFERENCE_REQUESTED', used };
}

/** For a posting that was approved and cannot be made. */
export function notExecuted(use: ReferenceUse): NotExecuted {
  return new NotExecuted({ code: use.type, parameters: factsOfUse(use) }, describeUse(use));
}

/** What it was used for, for words in any language. */
export function factsOfUse({ used }: ReferenceUse): Readonly<Record<string, string>> {
  const { reference, type, amount, currency, provider, at } = used;
  return { reference, type, amount: renderAmount(amount), currency, provider, at: at.toISOString() };
}

/** For the person who asked. */
export function describeUse({ type, used }: ReferenceUse): string {
  const { reference, merchantId, amount, currency, provider, at } = used;
  const when = `${used.status === 'POSTED' ? 'posted' : 'requested'} at ${at.toISOString()}`;
  if (type !== 'REFERENCE_TAKEN') return `${reference} was ${when}: nothing was moved again.`;
  const owner = merchantId === PLATFORM ? [] : [`merchant ${merchantId}`];
  const place = [...owner, provider].filter((part) => part !== '').join(', ');
  const what = `${used.type} of ${renderAmount(amount)} ${currency} for ${place}`;
  return `${reference} belongs to another movement: ${what}, ${when}. Nothing was moved.`;
}
