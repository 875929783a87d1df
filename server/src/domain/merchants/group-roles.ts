// Roles from groups of the identity provider.
import { canonicalIdentifier, isUuid } from '../identifier.ts';
import { HOST_ROLES, MERCHANT_ROLES, type Role } from './roles.ts';

export type GroupRole = {
  readonly group: string;
  /** Null for a role of the platform. */
  readonly merchantId: string | null;
  readonly role: Role;
};

/** "admins=OPERATOR_ADMIN; shop=FINANCE@<merchant>". A group's name may hold an equals sign. Null: not readable. */
export function parseGroupRoles(text: string): readonly GroupRole[] | null {
  const entries = text.split(';').map((entry) => entry.trim());
  const parsed = entries.filter((entry) => entry !== '').map(parseEntry);
  const isWhole = parsed.length > 0 && parsed.every((entry) => entry !== null);
  return isWhole ? parsed.filter((entry) => entry !== null) : null;
}

function parseEntry(entry: string): GroupRole | null {
  const at = entry.lastIndexOf('=');
  const group = entry.slice(0, Math.max(at, 0)).trim();
  const [name = '', merchant] = entry.slice(at + 1).split('@');
  if (group === '') return null;
  if (merchant === undefined) {
    // The break-glass account is for the time when the identity provider is out of reach.
    const role = HOST_ROLES.find((one) => one === name.trim() && one !== 'BREAK_GLASS');
    return role === undefined ? null : { group, merchantId: null, role };
  }
  const role = MERCHANT_ROLES.find((one) => one === name.trim());
  if (role === undefined || !isUuid(merchant.trim())) return null;
  return { group, merchantId: canonicalIdentifier(merchant.trim()), role };
}

/** The role in each team that the mapping names; null: none. Where several groups match, the first in the mapping. */
export function rolesOfGroups(
  mapping: readonly GroupRole[],
  groups: readonly string[],
): ReadonlyMap<string | null, Role | null> {
  const roles = new Map<string | null, Role | null>();
  for (const { group, merchantId, role } of mapping) {
    const had = roles.get(merchantId) ?? null;
    roles.set(merchantId, had ?? (groups.includes(group) ? role : null));
  }
  return roles;
}

export function hasRole(mapping: readonly GroupRole[], groups: readonly string[]): boolean {
  return mapping.some(({ group }) => groups.includes(group));
}
