// People, what they may do, and the links by which they join. Names and passwords are the authentication library's.
import type { Role } from '../../domain/merchants/roles.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

const memberships = columns({
  /** Null for the host. */
  merchantId: 'uuid null',
  role: column<Role>('text'),
  /** Of a role from a group of the identity provider. */
  until: 'timestamptz null',
});

export type Membership = Row<typeof memberships>;

const members = columns({
  personId: 'text',
  name: 'text',
  email: 'text',
  role: column<Role>('text'),
  hasTwoFactor: column<boolean>('bool', 'coalesce(has_two_factor, false)'),
  since: 'timestamptz',
});

export type Member = Row<typeof members>;

/** The break-glass account has no other role, whatever it was given. */
export async function listMemberships(tx: Tx, personId: string, now: Date): Promise<readonly Membership[]> {
  const text = `from memberships where person_id = $1 and ${COUNTS_AT('$2')} order by merchant_id`;
  const all = await memberships.select(tx, text, [personId, now]);
  const breakGlass = all.filter(({ role }) => role === 'BREAK_GLASS');
  return breakGlass.length > 0 ? breakGlass : all;
}

/** A role from a group of the identity provider ends, unless the person signs in there again. */
const COUNTS_AT = (now: string) => `(until is null or until > ${now})`;

/** Whether somebody with one of these addresses belongs to a merchant. */
export async function belongsTo(
  tx: Tx,
  emails: readonly string[],
  merchantIds: readonly string[],
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from memberships m join people p on p.id = m.person_id
     where m.merchant_id = any($2::uuid[]) and lower(btrim(p.email)) = any ($1::text[]) limit 1`,
    [emails, merchantIds],
  );
  return rows.length > 0;
}

/** The same of any merchant, at this time. */
export async function belongsToAny(tx: Tx, emails: readonly string[], now: Date): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from memberships m join people p on p.id = m.person_id
     where m.merchant_id is not null and lower(btrim(p.email)) = any ($1::text[]) and ${COUNTS_AT('$2')} limit 1`,
    [emails, now],
  );
  return rows.length > 0;
}

/**
 * Whether somebody else has one of these roles on the platform and belongs to no merchant, under any of their
 * addresses. People who share an address with one of those that are excepted are the same person.
 */
export async function isAnyUnattached(
  tx: Tx,
  {
    roles,
    except,
    now,
  }: { readonly roles: readonly string[]; readonly except: readonly string[]; readonly now: Date },
): Promise<boolean> {
  const { rows } = await tx.query(
    `with addresses (person_id, email) as (
       select id, lower(btrim(email)) from people union select person_id, email from people_identities)
     select 1 from memberships m
     where m.merchant_id is null and m.role = any ($1::text[]) and ${COUNTS_AT('$3')}
       and not exists (select from memberships b where b.person_id = m.person_id and b.role = 'BREAK_GLASS')
       and not exists (
         select from addresses a join addresses same on same.email = a.email
         where a.person_id = m.person_id and (same.person_id = any ($2::text[]) or exists (
           select from memberships o where o.person_id = same.person_id and o.merchant_id is not null
             and (o.until is null or o.until > $3))))
     limit 1`,
    [roles, except, now],
  );
  return rows.length > 0;
}

/** Those of one merchant, or of the host. */
export async function listMembers(tx: Tx, merchantId: string | null, now: Date): Promise<readonly Member[]> {
  return members.select(
    tx,
    `from memberships m join people p on p.id = m.person_id
     where m.merchant_id is not distinct from $1::uuid and ${COUNTS_AT('$2')} order by p.email`,
    [merchantId, now],
  );
}

/** A role from a group that is changed ends when it would have ended, unless `until` says otherwise. */
export async function setMembership(
  tx: Tx,
  { personId, merchantId, role, now, until }: NewMembership,
): Promise<void> {
  await tx.query(
    `insert into memberships (person_id, merchant_id, role, since, until) values ($1, $2, $3, $4, $5)
     on conflict on constraint memberships_once do update set role = excluded.role, until =
       coalesce(excluded.until, case when memberships.until > excluded.since then memberships.until end)`,
    [personId, merchantId, role, now, until ?? null],
  );
}

type NewMembership = Omit<Membership, 'until'> & {
  readonly personId: string;
  readonly now: Date;
  readonly until?: Date;
};

/** The role that somebody has in a team, also one whose time is over, locked. */
export async function lockMembership(
  tx: Tx,
  personId: string,
  merchantId: string | null,
): Promise<Role | null> {
  const tail =
    'from memberships where person_id = $1 and merchant_id is not distinct from $2::uuid for update';
  return (await memberships.find(tx, tail, [personId, merchantId]))?.role ?? null;
}

/** Answers whether there was one. */
export async function deleteMembership(
  tx: Tx,
  personId: string,
  merchantId: string | null,
): Promise<boolean> {
  const text = 'delete from memberships where person_id = $1 and merchant_id is not distinct from $2::uuid';
  return isChanged(tx, text, [personId, merchantId]);
}

/** Locks the members of a merchant or of the host, so that two actions cannot together take the last owner away. */
export async function lockMembers(tx: Tx, merchantId: string | null, now: Date): Promise<readonly Member[]> {
  await tx.query(
    'select 1 from memberships where merchant_id is not distinct from $1::uuid order by person_id for update',
    [merchantId],
  );
  return listMembers(tx, merchantId, now);
}

const people = columns({ personId: column<string>('text', 'id'), name: 'text', email: 'text' });

export type PersonRow = Row<typeof people>;

export async function findPerson(tx: Tx, personId: string): Promise<PersonRow | null> {
  return people.find(tx, 'from people where id = $1', [personId]);
}

export async function findPersonByEmail(tx: Tx, email: string): Promise<PersonRow | null> {
  return people.find(tx, 'from people where email = $1', [email]);
}

/** Ends every session of a person. */
export async function deleteSessions(tx: Tx, personId: string): Promise<void> {
  await tx.query('delete from people_sessions where person_id = $1', [personId]);
}

/** Ends one session of a person. */
export async function deleteSession(tx: Tx, personId: string, sessionId: string): Promise<void> {
  await tx.query('delete from people_sessions where person_id = $1 and id = $2', [personId, sessionId]);
}

export async function confirmSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.query('update people_sessions set confirmed_at = $2 where id = $1', [sessionId, now]);
}

export async function findConfirmation(tx: Tx, sessionId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ confirmed_at: Date | null }>(
    'select confirmed_at from people_sessions where id = $1',
    [sessionId],
  );
  return rows[0]?.confirmed_at ?? null;
}

export type MailLanguage = 'en' | 'fr';

export async function setLanguage(tx: Tx, personId: string, language: MailLanguage): Promise<void> {
  await tx.query('update people set language = $2 where id = $1', [personId, language]);
}

/** Null where the person has not used the dashboard yet. */
export async function findLanguage(tx: Tx, personId: string): Promise<MailLanguage | null> {
  const { rows } = await tx.query<{ language: MailLanguage | null }>(
    'select language from people where id = $1',
    [personId],
  );
  return rows[0]?.language ?? null;
}
