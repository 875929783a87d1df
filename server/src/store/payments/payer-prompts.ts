// Requests for a PIN that were sent to payers' phones lately. Numbers are kept as keyed hashes.
import type { Tx } from '../database.ts';
import type { Pruning } from '../retention.ts';
import { column, columns, type Row } from '../columns.ts';
import { countChanged, rowInserter } from '../rows.ts';

const prompts = columns({
  paymentNo: 'uuid',
  merchantId: 'uuid',
  numberHash: 'bytea',
  promptedAt: 'timestamptz',
  openUntil: 'timestamptz',
});

export type NewPrompt = Row<typeof prompts>;

export const insertPrompts = rowInserter('payer_prompts', prompts.cells);

/** Until the transaction ends no other one prompts these numbers. In the order of the hashes. */
export async function lockNumbers(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended(hash, 0))
     from (select distinct encode(h, 'hex') as hash from unnest($1::bytea[]) as h order by 1) numbers`,
    [hashes],
  );
}

/** A prompt that was not approved, as far as we know. */
const unapproved = columns({
  merchantId: column<string>('uuid', 'n.merchant_id'),
  numberHash: column<string>('text', `encode(n.number_hash, 'hex')`),
  /** Whether it may still be on the phone. */
  isOpen: column<boolean>('bool', `n.open_until > $3 and p.state <> 'FAILED'`),
});

export type UnapprovedPrompt = Row<typeof unapproved>;

/** Those after `since`. One whose deposit has failed is not open any more; one whose deposit is paid does not count. */
export async function listUnapproved(
  tx: Tx,
  { hashes, since, now }: { readonly hashes: readonly Buffer[]; readonly since: Date; readonly now: Date },
): Promise<readonly UnapprovedPrompt[]> {
  return unapproved.select(
    tx,
    `from payer_prompts n join payments p using (payment_no)
     where n.number_hash = any($1) and n.prompted_at > $2 and p.state <> 'COMPLETED'`,
    [hashes, since, now],
  );
}

/** Answers how many. */
export async function prunePrompts(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from payer_prompts where payment_no in (
       select payment_no from payer_prompts where prompted_at < $1 order by prompted_at limit $2)`,
    [before, countMax],
  );
}
