// A movement of money under a reference of the bank or of an operator: whether it is new, a repetition, or another one
// under the same reference. All cells share the bank, and those that share an operator account its transactions, so
// that what is new here may be known in another cell.
import { isSameMovement, type Referenced } from '../../domain/ledger/money-reference.ts';
import { parseSigned, renderAmount } from '../../domain/money.ts';
import type { ReferenceClaim } from '../../store/cells/claimed-references.ts';
import type { Tx } from '../../store/database.ts';
import { PLATFORM } from '../../store/encryption/encryption.ts';
import {
  listTransactionUses,
  lockTransactions,
  type TransactionUse,
} from '../../store/payments/transaction-uses.ts';
import {
  insertPostedReference,
  listUses,
  lockReference,
  type UsedReference,
} from '../../store/ledger/posted-references.ts';
import { NotExecuted } from '../approvals/executor.ts';
import { askOtherCells, describeSilence, type CellsPart, type CellSilent } from '../cells/ask-other-cells.ts';
import { claimReference, giveBackClaims, type Claimed, type Claiming } from '../cells/claim-reference.ts';
import type { Engine } from '../engine.ts';
import { accountSharing } from '../operators/shared-account.ts';

/** Nothing was moved: the reference was used before. */
export type ReferenceUse = {
  /** POSTED and REQUESTED: for the same movement. TAKEN: for another one. */
  readonly type: 'REFERENCE_POSTED' | 'REFERENCE_REQUESTED' | 'REFERENCE_TAKEN';
  readonly used: UsedReference;
  /** The cell that used it; null for this one. */
  readonly cell: string | null;
};

/** Why nothing may be moved under a reference. */
export type ReferenceRefusal = ReferenceUse | CellSilent;

/** What it takes to know what other cells have done under a reference. */
export type ReferencePart = CellsPart & Pick<Engine, 'clock' | 'connectorOf' | 'store'>;

/**
 * For a request, before its transaction: null where no other cell has posted or requested anything under the reference.
 * With one cell nothing is asked.
 */
export async function findUseElsewhere(
  engine: ReferencePart,
  wanted: Referenced,
): Promise<ReferenceRefusal | null> {
  const [use = null] = (await findUsesElsewhere(engine, [wanted])).values();
  return use;
}

/** The same for several movements of one source, with one question to each cell. Answers only those that are used. */
export async function findUsesElsewhere(
  engine: ReferencePart,
  wanted: readonly Referenced[],
): Promise<ReadonlyMap<Referenced, ReferenceRefusal>> {
  const [first] = wanted;
  if (first === undefined || engine.cells.length === 1) return new Map();
  const uses = await listUsesElsewhere(engine, first.source, wanted);
  if ('type' in uses) return new Map(wanted.map((one) => [one, uses]));
  return new Map(
    wanted.flatMap((one) => {
      const use = useAmong(
        uses.filter(({ used }) => used.reference === one.reference),
        one,
      );
      return use === null ? [] : [[one, use] as const];
    }),
  );
}

/**
 * What was posted or requested under references of one source, in this cell or another one: only those that are used.
 * With nothing locked it holds for this moment, for people to see.
 */
export async function findUses(
  engine: ReferencePart,
  wanted: readonly Referenced[],
): Promise<ReadonlyMap<Referenced, ReferenceRefusal>> {
  const own = (await listAllUses(engine.store.database, wanted)).map(usedHere);
  const here = wanted.flatMap((one) => {
    const use = useAmong(
      own.filter(({ used }) => used.reference === one.reference),
      one,
    );
    return use === null ? [] : [[one, use] as const];
  });
  return new Map<Referenced, ReferenceRefusal>([...(await findUsesElsewhere(engine, wanted)), ...here]);
}

/**
 * For a request, within its transaction: null where nothing was posted or requested in this cell under its reference,
 * and nothing will be meanwhile.
 */
export async function findUse(tx: Tx, wanted: Referenced): Promise<ReferenceUse | null> {
  await lockReference(tx, wanted);
  return useAmong((await listAllUses(tx, [wanted])).map(usedHere), wanted);
}

/**
 * For a posting, before its transaction: null where no other cell has posted anything under the reference, nor will
 * before this posting has ended. Where the posting then comes to nothing, the caller gives the claim back
 * (`giveBackClaims`). `claimId` is the approval's identifier. With one cell only claims of cells that have
 * left the settings are asked.
 */
export async function claimUse(
  engine: ReferencePart,
  posting: Referenced,
  claimId: string,
): Promise<ReferenceRefusal | null> {
  const own = await listAllUses(engine.store.database, [posting]);
  const posted = useAmong(own.filter(isPosted).map(usedHere), posting);
  if (posted !== null) return posted;
  const claiming = await claimOf(engine, posting, claimId);
  // Before the others are asked: whoever claims after this has posted nothing that is not seen by now.
  const claimed = await claimReference(engine, claiming);
  if (claimed.type === 'CELL_SILENT') return claimed;
  const uses = await listUsesElsewhere(engine, posting.source, [posting]);
  const refusal = refusalBy(uses, posting, claimed);
  if (refusal !== null && claimed.type === 'CLAIMED') await giveBackClaims(engine, claimId);
  return refusal;
}

/** What other cells have posted, or another one has claimed, is in the way; so is one that does not answer. */
function refusalBy(
  uses: readonly Use[] | CellSilent,
  posting: Referenced,
  claimed: Exclude<Claimed, CellSilent>,
): ReferenceRefusal | null {
  if ('type' in uses) return uses;
  const elsewhere = uses.filter(({ used }) => isPosted(used));
  const claims = claimed.type === 'CLAIMED' || elsewhere.length > 0 ? [] : [usedByClaim(claimed.claim)];
  return useAmong([...elsewhere, ...claims], posting);
}

/** The same for an approval. Throws NotExecuted where nothing can be posted. */
export async function claimForApproval(
  engine: ReferencePart,
  posting: Referenced,
  approvalId: string,
): Promise<void> {
  const refusal = await claimUse(engine, posting, approvalId);
  if (refusal !== null) throw notExecuted(refusal);
}

/**
 * For a posting, within its transaction: null where the reference was free in this cell and is used from now on. The
 * posting must have claimed it from the other cells before, and `lockPosting` comes before its accounts.
 */
export async function usePosted(
  tx: Tx,
  posting: Referenced & { readonly transferId: string; readonly postedAt: Date; readonly lineHash?: Buffer },
): Promise<ReferenceUse | null> {
  const owners = await listOwners(tx, [posting]);
  const owned = useAmong(owners.map(usedHere), posting);
  if (owned !== null) return owned;
  if (await insertPostedReference(tx, posting)) return null;
  const uses = await listUses(tx, posting.source, [posting.reference]);
  return useAmong(uses.filter(isPosted).map(usedHere), posting);
}

/** Until the transaction ends, nobody gets the operator's transaction that a posting names. */
export async function lockPosting(tx: Tx, posting: Referenced): Promise<void> {
  if (ownsTransaction(posting)) await lockTransactions(tx, [transactionOf(posting)], 'ALONE');
}

/**
 * What was posted and requested under references of one source, and the payments and cases that have an operator's
 * transaction which a movement of the float names.
 */
async function listAllUses(tx: Tx, wanted: readonly Referenced[]): Promise<readonly UsedReference[]> {
  const [first] = wanted;
  if (first === undefined) return [];
  const references = wanted.map(({ reference }) => reference);
  return [...(await listUses(tx, first.source, references)), ...(await listOwners(tx, wanted))];
}

async function listOwners(tx: Tx, wanted: readonly Referenced[]): Promise<readonly UsedReference[]> {
  const uses = await listTransactionUses(tx, wanted.filter(ownsTransaction).map(transactionOf));
  return uses.filter(({ ownedBy }) => ownedBy !== 'MOVEMENT').map(usedByPayment);
}

/** A charge is called as what it was charged for, and the bank's references are no operator's transactions. */
function ownsTransaction({ source, type }: Referenced): boolean {
  return source !== 'BANK' && type !== 'OPERATOR_CHARGE';
}

function transactionOf({ source, reference }: Referenced) {
  return { provider: source, providerTransactionId: reference };
}

function usedByPayment({ source, wanted, kind, paymentId, usedAt, ...use }: TransactionUse): UsedReference {
  const { merchantId, country, currency, amount } = use;
  const movement = { source, reference: wanted, merchantId, type: kind, country, currency, provider: source };
  return { ...movement, amount, status: 'POSTED', id: paymentId, at: usedAt };
}

type Use = Pick<ReferenceUse, 'used' | 'cell'>;

function usedHere(used: UsedReference): Use {
  return { used, cell: null };
}

function isPosted({ status }: UsedReference): boolean {
  return status === 'POSTED';
}

function useAmong(uses: readonly Use[], wanted: Referenced): ReferenceUse | null {
  const other = uses.find(({ used }) => !isSameMovement(used, wanted));
  if (other !== undefined) return { type: 'REFERENCE_TAKEN', ...other };
  const use = uses.find(({ used }) => isPosted(used)) ?? uses[0];
  if (use === undefined) return null;
  return { type: isPosted(use.used) ? 'REFERENCE_POSTED' : 'REFERENCE_REQUESTED', ...use };
}

/** Whether what this cell and another one mean by a reference of this source is the same. All cells share the bank. */
async function sharing(engine: ReferencePart, source: string): Promise<(cell: Tx) => Promise<boolean>> {
  return source === 'BANK' ? () => Promise.resolve(true) : accountSharing(engine, source);
}

/** Uses in all other cells that share the source. */
async function listUsesElsewhere(
  engine: ReferencePart,
  source: string,
  wanted: readonly Referenced[],
): Promise<readonly Use[] | CellSilent> {
  const isShared = await sharing(engine, source);
  const asked = await askOtherCells(engine, async (database) =>
    (await isShared(database)) ? listAllUses(database, wanted) : [],
  );
  if (asked.type === 'CELL_SILENT') return asked;
  return asked.answers.flatMap(({ cell, answer }) => answer.map((used) => ({ used, cell })));
}

async function claimOf(engine: ReferencePart, posting: Referenced, claimId: string): Promise<Claiming> {
  const { source, reference, merchantId, type, country, currency, provider, amount } = posting;
  const standsFor = { merchantId, type, country, currency, provider, amount: renderAmount(amount) };
  const isShared = await sharing(engine, source);
  return { usedFor: 'MOVEMENT', source, reference, claimId, standsFor, isShared };
}

/** Another cell has claimed it and posted nothing yet: as good as requested there. */
function usedByClaim({ source, reference, claimId, cell, standsFor, claimedAt }: ReferenceClaim): Use {
  const {
    merchantId = '',
    kind = '',
    type = kind,
    country = '',
    currency = '',
    provider = source,
  } = standsFor;
  const { amount = '0' } = standsFor;
  const movement = { source, reference, merchantId, type, country, currency, provider };
  const used = { ...movement, amount: parseSigned(amount), status: 'REQUESTED', id: claimId, at: claimedAt };
  return { used: used as UsedReference, cell };
}

/** For a posting that was approved and cannot be made. */
export function notExecuted(refusal: ReferenceRefusal): NotExecuted {
  return new NotExecuted(
    { code: refusal.type, parameters: factsOfRefusal(refusal) },
    describeRefusal(refusal),
  );
}

/** What it was used for, for words in any language. */
export function factsOfRefusal(refusal: ReferenceRefusal): Readonly<Record<string, string>> {
  if (refusal.type === 'CELL_SILENT') return { cell: refusal.cell };
  const { used, cell } = refusal;
  const { reference, type, amount, currency, provider, at } = used;
  const facts = { reference, type, amount: renderAmount(amount), currency, provider, at: at.toISOString() };
  return cell === null ? facts : { ...facts, cell };
}

/** For the person who asked. */
export function describeRefusal(refusal: ReferenceRefusal): string {
  if (refusal.type === 'CELL_SILENT') return describeSilence(refusal);
  const { type, used, cell } = refusal;
  const { reference, merchantId, amount, currency, provider, at } = used;
  const where = cell === null ? '' : ` in cell ${cell}`;
  const when = `${isPosted(used) ? 'posted' : 'requested'} at ${at.toISOString()}${where}`;
  if (type !== 'REFERENCE_TAKEN') return `${reference} was ${when}: nothing was moved again.`;
  const owner = merchantId === PLATFORM ? [] : [`merchant ${merchantId}`];
  const place = [...owner, provider].filter((part) => part !== '').join(', ');
  const sum = currency === '' ? '' : ` of ${renderAmount(amount)} ${currency}`;
  const what = `${used.type}${sum} for ${place}`;
  return `${reference} belongs to another movement: ${what}, ${when}. Nothing was moved.`;
}
