// Who people are at the identity provider. Two accounts that share a subject or an address are one person.
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

export type Identity = {
  /** The issuer and its name for the person. */
  readonly subject: string;
  /** An address that the issuer has verified. */
  readonly email: string;
};

/** Every address is kept: an address that the provider changes still names the same person. */
export async function seeIdentity(
  tx: Tx,
  personId: string,
  { subject, email }: Identity,
  seenAt: Date,
): Promise<void> {
  await tx.query(
    `insert into people_identities (person_id, subject, email, seen_at) values ($1, $2, lower(btrim($3)), $4)
     on conflict (person_id, subject, email) do update set seen_at = excluded.seen_at`,
    [personId, subject, email, seenAt],
  );
}

/** All addresses of a person, as people read them: in lower case. */
export async function listAddresses(tx: Tx, personId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ email: string }>(
    `select lower(btrim(email)) as email from people where id = $1
     union select email from people_identities where person_id = $1`,
    [personId],
  );
  return rows.map(({ email }) => email);
}

/** The database asks the same when it is approved. */
export async function isSamePerson(
  tx: Tx,
  personId: string,
  other: { readonly personId: string; readonly by: string },
): Promise<boolean> {
  const { rows } = await tx.query<{ answer: boolean }>('select is_same_person($1, $2, $3) as answer', [
    personId,
    other.personId,
    other.by,
  ]);
  return rows[0]?.answer === true;
}

export async function isBreakGlass(tx: Tx, personId: string): Promise<boolean> {
  const { rows } = await tx.query<{ answer: boolean }>('select is_break_glass($1) as answer', [personId]);
  return rows[0]?.answer === true;
}

/** Whether the account signs in as another subject of this issuer: then an address was given to another person. */
export async function hasOtherSubject(
  tx: Tx,
  personId: string,
  { providerId, subject }: { readonly providerId: string; readonly subject: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from people_passwords
     where person_id = $1 and provider_id = $2 and account_id <> $3
       and split_part(account_id, ' ', 1) = split_part($3, ' ', 1) limit 1`,
    [personId, providerId, subject],
  );
  return rowCount !== 0;
}

/** Whether somebody has no password because the identity provider signs them in. */
export async function hasProviderOnly(tx: Tx, personId: string): Promise<boolean> {
  const { rows } = await tx.query<{ answer: boolean | null }>(
    `select bool_and(provider_id <> 'credential') as answer from people_passwords where person_id = $1`,
    [personId],
  );
  return rows[0]?.answer === true;
}

/** Answers whether there was one. */
export async function deletePassword(tx: Tx, personId: string): Promise<boolean> {
  const text = `delete from people_passwords where person_id = $1 and provider_id = 'credential'`;
  return isChanged(tx, text, [personId]);
}
