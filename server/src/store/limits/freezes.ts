// Freezes as rows. Every cell has its own, under the same identifiers.
import type { FreezeScope, Frozen } from '../../domain/limits/freeze.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const freezes = columns({
  freezeId: 'uuid',
  scope: column<FreezeScope>('text'),
  subject: 'text',
  encryptedNumber: 'bytea null',
  encryptedReason: 'bytea',
  encryptedLiftReason: 'bytea null',
  frozenBy: 'text',
  frozenAt: 'timestamptz',
  expiresAt: 'timestamptz null',
});

type FreezeRow = Row<typeof freezes>;

/** The number is null where the scope is another one. */
export type Freeze = Omit<FreezeRow, 'encryptedNumber' | 'encryptedReason' | 'encryptedLiftReason'> & {
  readonly phoneNumber: string | null;
  readonly reason: string;
  /** Why somebody wants it to be lifted; null where no one does. */
  readonly liftReason: string | null;
};

// A move can find the freeze in a cell that already has it.
const insertEncrypted = oneRowInserter('freezes', freezes.cells, 'on conflict (freeze_id) do nothing');

/** Everybody who claims must be kept out meanwhile. A cell that has the freeze already keeps it as it is. */
export async function insertFreeze(tx: Tx, keyring: Keyring, freeze: Freeze): Promise<void> {
  const { phoneNumber, reason } = freeze;
  await insertEncrypted(tx, {
    ...freeze,
    encryptedNumber: phoneNumber === null ? null : keyring.encrypt(identityOf(freeze, 'number'), phoneNumber),
    encryptedReason: keyring.encrypt(identityOf(freeze, 'reason'), reason),
    encryptedLiftReason: null,
  });
}

export async function isLifted(tx: Tx, { freezeId }: Pick<Freeze, 'freezeId'>): Promise<boolean> {
  return (
    (await found.find(tx, 'from freezes where freeze_id = $1 and lifted_at is not null', [freezeId])) !== null
  );
}

/** Ends this freeze and no other one of the same target. Answers false where it is not here, or was lifted before. */
export async function liftFreeze(
  tx: Tx,
  { freezeId, now }: Pick<Freeze, 'freezeId'> & { readonly now: Date },
): Promise<boolean> {
  return isChanged(tx, 'update freezes set lifted_at = $2 where freeze_id = $1 and lifted_at is null', [
    freezeId,
    now,
  ]);
}

/** Keeps why somebody wants a freeze to be lifted. The last reason counts. */
export async function setLiftReason(
  tx: Tx,
  keyring: Keyring,
  freeze: Pick<Freeze, 'freezeId' | 'reason'>,
): Promise<void> {
  await tx.query('update freezes set encrypted_lift_reason = $2 where freeze_id = $1 and lifted_at is null', [
    freeze.freezeId,
    keyring.encrypt(identityOf(freeze, 'lift_reason'), freeze.reason),
  ]);
}

/** The same number under another hash. */
export async function replaceFrozenNumber(
  tx: Tx,
  { freezeId, subject }: Pick<Freeze, 'freezeId' | 'subject'>,
): Promise<void> {
  await tx.query('update freezes set subject = $2 where freeze_id = $1', [freezeId, subject]);
}

/** For statements: whether rows of freezes are in force at the time that `now` names. */
const inForce = (rows: string, now: string) =>
  `${rows}.lifted_at is null and (${rows}.expires_at is null or ${rows}.expires_at > ${now})`;

/** Whether entries of lists block their number. Written so that the index by number is read, and none by list. */
const blocks = (rows: string, now: string) => `${rows}.list <> 'ALLOWED' and not ${rows}.is_requested
  and (${rows}.expires_at is null or ${rows}.expires_at > ${now})`;

/** Those in force, the oldest first. */
export async function listFreezes(tx: Tx, keyring: Keyring, now: ProcessTime): Promise<readonly Freeze[]> {
  const tail = `from freezes where ${inForce('freezes', '$1')} order by frozen_at, freeze_id`;
  const rows = await freezes.select(tx, tail, [now]);
  return rows.map(({ encryptedNumber, encryptedReason, encryptedLiftReason, ...row }) => ({
    ...row,
    phoneNumber: keyring.openText(identityOf(row, 'number'), encryptedNumber),
    reason: keyring.openText(identityOf(row, 'reason'), encryptedReason),
    liftReason: keyring.openText(identityOf(row, 'lift_reason'), encryptedLiftReason),
  }));
}

const found = columns({ freezeId: 'uuid', scope: column<FreezeScope>('text'), subject: 'text' });

export type FoundFreeze = Row<typeof found>;

/** What stops a payment. `merchantId` is null where it stops those of every merchant. */
export type Stopping = FoundFreeze & { readonly merchantId: string | null };

const stopping = columns({ ...found.defs, merchantId: 'uuid null' });

/**
 * Those of these that are in force, and numbers of these that are blocked: each entry stops as a freeze of the number
 * does, under its own identifier.
 */
export async function findStopping(
  tx: Tx,
  asked: readonly Frozen[],
  now: Date,
): Promise<readonly Stopping[]> {
  const numbers = asked.filter(({ scope }) => scope === 'NUMBER');
  return stopping.query(
    tx,
    `select ${found.names}, null::uuid as "merchantId" from freezes
     where ${ASKED} and ${inForce('freezes', '$3')}
     union all
     select entry_id, 'NUMBER', encode(number_hash, 'hex'), merchant_id from listed_numbers b
     where number_hash = any ($4::bytea[]) and ${blocks('b', '$3')}`,
    [...valuesOf(asked), now, numbers.map(({ subject }) => Buffer.from(subject, 'hex'))],
  );
}

/** Those of these that are in force. */
export async function findFreezes(
  tx: Tx,
  asked: readonly Frozen[],
  now: Date,
): Promise<readonly FoundFreeze[]> {
  return found.select(tx, `from freezes where ${ASKED} and ${inForce('freezes', '$3')}`, [
    ...valuesOf(asked),
    now,
  ]);
}

/** Those of these freezes that are in force, and of these entries of lists that block their number. */
export async function listInForce(tx: Tx, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.query<{ id: string }>(
    `select freeze_id as id from freezes where freeze_id = any ($1::uuid[]) and ${inForce('freezes', '$2')}
     union all
     select entry_id from listed_numbers b where entry_id = any ($1::uuid[]) and ${blocks('b', '$2')}`,
    [[...new Set(ids)], now],
  );
  return new Set(rows.map(({ id }) => id));
}

const ASKED = '(scope, subject) in (select * from unnest($1::text[], $2::text[]))';

const valuesOf = (asked: readonly Frozen[]) => [
  asked.map(({ scope }) => scope),
  asked.map(({ subject }) => subject),
];

/** Those in force that stop whole groups of payments: of providers, or all. */
export async function listFrozenGroups(tx: Tx, now: ProcessTime): Promise<readonly FoundFreeze[]> {
  return found.select(tx, `from freezes where scope in ('PROVIDER', 'ALL') and ${inForce('freezes', '$1')}`, [
    now,
  ]);
}

/** For statements about rows of merchants: of one that is frozen nothing is released. */
export function notFrozen(rows: string, now: string): string {
  return `not exists (select 1 from freezes f
    where f.scope = 'MERCHANT' and f.subject = ${rows}.merchant_id::text and ${inForce('f', now)})`;
}

/** For statements: the freeze that holds a row is not in force, or the number is no longer blocked. */
export function holdHasEnded(heldBy: string, now: string): string {
  return `not exists (select 1 from freezes f where f.freeze_id = ${heldBy} and ${inForce('f', now)})
    and not exists (select 1 from listed_numbers b where b.entry_id = ${heldBy} and ${blocks('b', now)})`;
}

function identityOf({ freezeId }: Pick<Freeze, 'freezeId'>, what: 'number' | 'reason' | 'lift_reason') {
  return { merchantId: PLATFORM, row: `freezes/${freezeId}/${what}` };
}
