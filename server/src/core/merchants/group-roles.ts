// Roles that come from groups of the identity provider. Each sign-in there decides them again: for the teams that the
// mapping names, a person has the role of their groups or none.
import { rolesOfGroups, type GroupRole } from '../../domain/merchants/group-roles.ts';
import type { Role } from '../../domain/merchants/roles.ts';
import { addMs } from '../../domain/time.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { seeIdentity, type Identity } from '../../store/merchants/identities.ts';
import { deleteMembership, lockMembership, setMembership } from '../../store/merchants/people.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inTeam } from './team.ts';

/** A role ends by itself a day's work after the sign-in that brought it. */
const ROLE_MS = 12 * 60 * 60_000;

export type GroupSignIn = {
  readonly personId: string;
  /** Their name in the audit log. */
  readonly by: string;
  readonly identity: Identity;
  readonly groups: readonly string[];
};

export async function applyGroups(
  engine: Engine,
  mapping: readonly GroupRole[],
  signIn: GroupSignIn,
): Promise<void> {
  const { personId, identity, groups } = signIn;
  await inTransaction(engine.store.database, async (tx) =>
    seeIdentity(tx, personId, identity, await engine.wallClock.timeOf(tx)),
  );
  for (const [merchantId, role] of rolesOfGroups(mapping, groups)) {
    // A merchant of another cell has its people there.
    if (merchantId !== null && (await engine.directory.merchant(merchantId)) === null) continue;
    await inTeam(engine, merchantId, (tx) => applyRole(engine, tx, { ...signIn, merchantId, role }));
  }
}

/** No one is kept because no administrator would be left: the groups can name another. */
async function applyRole(
  engine: Engine,
  tx: Tx,
  order: GroupSignIn & { readonly merchantId: string | null; readonly role: Role | null },
): Promise<void> {
  const { personId, by, merchantId, role } = order;
  const now = await engine.wallClock.timeOf(tx);
  const had = await lockMembership(tx, personId, merchantId);
  if (role === null && had === null) return;
  if (role === null) await deleteMembership(tx, personId, merchantId);
  else await setMembership(tx, { personId, merchantId, role, now, until: addMs(now, ROLE_MS) });
  if (had === role) return;
  const act = role === null ? 'MEMBER_REMOVED' : had === null ? 'PERSON_JOINED' : 'ROLE_SET';
  const detail = { from: 'group', ...(role !== null && { role }) };
  await record(engine, tx, [{ by, act, merchantId, subject: by, detail }]);
}
