// Permissions. A person has one role per merchant, or one role of the platform.

/** The roles at a merchant. */
export const MERCHANT_ROLES = ['OWNER', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'READ_ONLY'] as const;
export type MerchantRole = (typeof MERCHANT_ROLES)[number];

/** The roles of the platform's people. */
export const HOST_ROLES = ['OPERATOR_ADMIN', 'OPERATOR_SUPPORT', 'BREAK_GLASS'] as const;
export type HostRole = (typeof HOST_ROLES)[number];

export type Role = MerchantRole | HostRole;

/** Permissions within a merchant. */
export const MERCHANT_PERMISSIONS = [
  'overview:read',
  'payments:read',
  /** Unmasked phone numbers, names and personal metadata. Each access is recorded. */
  'payments:reveal',
  'payments:refund',
  'payments:cancel',
  'payment-links:write',
  'callbacks:resend',
  'payouts:prepare',
  'payouts:approve',
  'wallets:read',
  'statements:make',
  'settings:read',
  'settings:write',
  'team:write',
  /** What waits for a second approver. */
  'approvals:read',
  'approvals:decide',
  'audit:read',
] as const;
export type MerchantPermission = (typeof MERCHANT_PERMISSIONS)[number];

/** Permissions for the whole gateway. */
export const HOST_PERMISSIONS = [
  'host:read',
  'merchants:write',
  'providers:write',
  'fees:write',
  /** Limits, freezes and lists of phone numbers. */
  'risk:write',
  'cases:resolve',
  'money:move',
  'money:approve',
  'personal-data:erase',
  'host-team:write',
] as const;
export type HostPermission = (typeof HOST_PERMISSIONS)[number];

export type Permission = MerchantPermission | HostPermission;

const MERCHANT_TABLE: Readonly<Record<MerchantRole, readonly MerchantPermission[]>> = {
  OWNER: MERCHANT_PERMISSIONS,
  DEVELOPER: [
    'overview:read',
    'payments:read',
    'callbacks:resend',
    'settings:read',
    'settings:write',
    'approvals:read',
    'audit:read',
  ],
  FINANCE: [
    'overview:read',
    'payments:read',
    'payments:reveal',
    'payments:refund',
    'payment-links:write',
    'payouts:prepare',
    'payouts:approve',
    'wallets:read',
    'statements:make',
    'approvals:read',
    'approvals:decide',
  ],
  SUPPORT: [
    'overview:read',
    'payments:read',
    'payments:reveal',
    'payments:cancel',
    'payment-links:write',
    'callbacks:resend',
  ],
  READ_ONLY: ['overview:read', 'payments:read', 'wallets:read'],
};

/**
 * The platform's people can view every merchant, with personal data masked, and act for none. But an administrator can
 * be the second approver for a merchant with only one person.
 */
const HOST_WITHIN_MERCHANTS: readonly MerchantPermission[] = [
  'overview:read',
  'payments:read',
  'wallets:read',
  'settings:read',
  'approvals:read',
  'audit:read',
];

const HOST_TABLE: Readonly<Record<HostRole, readonly Permission[]>> = {
  OPERATOR_ADMIN: [...HOST_WITHIN_MERCHANTS, 'payments:reveal', 'approvals:decide', ...HOST_PERMISSIONS],
  OPERATOR_SUPPORT: [...HOST_WITHIN_MERCHANTS, 'host:read'],
  // For one account with a password, when the identity provider is out of reach: it looks, and switches providers. It
  // has no permission of a two-person rule, and the database refuses its requests and approvals.
  BREAK_GLASS: [...HOST_WITHIN_MERCHANTS, 'host:read', 'providers:write'],
};

/** The permissions of a role. */
export function permissionsOf(role: Role): readonly Permission[] {
  return isHostRole(role) ? HOST_TABLE[role] : MERCHANT_TABLE[role];
}

export function isHostRole(role: Role): role is HostRole {
  return HOST_ROLES.some((one) => one === role);
}
