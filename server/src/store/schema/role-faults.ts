// Roles that no list of rights could hold, and what every role can do by default.
import { escapeIdentifier } from 'pg';
import type { Tx } from '../database.ts';

export type RoleFault =
  | 'NOT_FOR_US'
  | 'UNKNOWN'
  | 'OWNS_THE_TABLES'
  | 'IS_A_MEMBER'
  | 'HAS_POWERS'
  | 'MAY_CREATE';

/** Why no list of rights could hold this role; null where it can. */
export async function findRoleFault(tx: Tx, role: string): Promise<RoleFault | null> {
  const { rows } = await tx.query<
    Record<'are_we_owner' | 'is_there' | 'is_owner' | 'is_member' | 'has_powers', boolean>
  >(
    `select pg_has_role(c.relowner, 'USAGE') as are_we_owner, r.oid is not null as is_there,
       pg_has_role(r.oid, c.relowner, 'MEMBER') as is_owner,
       exists (select 1 from pg_auth_members m where m.member = r.oid) as is_member,
       r.rolcreaterole or r.rolreplication
         or has_parameter_privilege(r.oid, 'session_replication_role', 'SET') as has_powers
     from pg_class c left join pg_roles r on r.rolname = $1 where c.oid = to_regclass('transfers')`,
    [role],
  );
  const [found] = rows;
  if (found?.are_we_owner !== true) return 'NOT_FOR_US';
  if (!found.is_there) return 'UNKNOWN';
  if (found.is_owner) return 'OWNS_THE_TABLES';
  if (found.is_member) return 'IS_A_MEMBER';
  return found.has_powers ? 'HAS_POWERS' : null;
}

/**
 * Takes away that the role can create anything, which everybody can by default: triggers would ask a temporary table of
 * the name of one of ours. Answers false where that is not the owner's to take away.
 */
export async function forbidToCreate(tx: Tx, role: string): Promise<boolean> {
  const { rows } = await tx.query<{ name: string }>('select current_database() as name');
  const holders = `public, ${escapeIdentifier(role)}`;
  const database = escapeIdentifier(rows[0]?.name ?? '');
  await tx.query(`revoke create, temporary on database ${database} from ${holders}`);
  await tx.query(`revoke create on schema public from ${holders}`);
  const found = await tx.query<{ may_create: boolean }>(
    `select has_schema_privilege($1, 'public', 'CREATE')
       or has_database_privilege($1, current_database(), 'CREATE, TEMPORARY') as may_create`,
    [role],
  );
  return found.rows[0]?.may_create === false;
}
