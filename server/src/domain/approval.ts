// What one person requests and another must approve, and the rules of each kind. Money moved manually needs two people;
// so does everything by which one of them could get round that: what lets money out by the API, and who decides.
import type { Resolution } from './reconciliation/cases.ts';
import type { FloatMovementType } from './ledger/float-movement.ts';
import type { Evidence } from './payments/lifecycle.ts';
import type { MoneyOrderType } from './ledger/money-movement.ts';
import type { ManualEnd } from './payments/outcome.ts';
import type { PaymentKind } from './payments/payment.ts';
import { permissionsOf, type Permission, type Role } from './merchants/roles.ts';

/** What will be done when it is approved, and nothing else. Amounts are texts, as people wrote them. */
export type ApprovalRequests = {
  readonly TOKEN: {
    readonly tokenId: string;
    /** As hexadecimal digits. Only the requester knows the secret. */
    readonly secretHash: string;
    readonly name: string;
    readonly scopes: readonly string[];
    /** ISO 8601; null: until it is revoked. */
    readonly expiresAt: string | null;
  };
  readonly PUBLIC_KEY: { readonly name: string; readonly algorithm: string; readonly pem: string };
  readonly UNSIGNED_REQUESTS: Readonly<Record<string, never>>;
  readonly UNSIGNED_PAGES: Readonly<Record<string, never>>;
  readonly INVITATION: { readonly email: string; readonly role: Role };
  readonly ROLE: { readonly personId: string; readonly email: string; readonly role: Role };
  readonly PAYMENT_END: {
    readonly paymentKind: PaymentKind;
    readonly paymentId: string;
    readonly outcome: ManualEnd;
  };
  readonly OPERATOR_REPORT: {
    readonly provider: string;
    readonly completedCount: number;
    readonly failedCount: number;
    /** Of exactly these lines. */
    readonly linesHash: string;
  };
  readonly MONEY: {
    readonly type: MoneyOrderType;
    readonly country: string;
    readonly currency: string;
    /** Empty where the merchant keeps one wallet for all providers. */
    readonly walletProvider: string;
    readonly amount: string;
    /** The bank's. An adjustment has none. */
    readonly reference?: string;
  };
  readonly FLOAT: {
    readonly type: FloatMovementType;
    readonly provider: string;
    readonly country: string;
    readonly currency: string;
    readonly amount: string;
    /** The operator's. */
    readonly reference: string;
  };
  readonly CASE: {
    readonly evidence: Evidence;
    readonly paymentKind: PaymentKind;
    readonly paymentId: string;
    readonly resolution: Resolution;
    readonly currency: string;
    /** What a discrepancy comes to, otherwise the payment's. */
    readonly amount: string;
  };
  readonly PAYOUT_BATCH: {
    readonly rowCount: number;
    /** With fees, by wallet. */
    readonly sums: readonly string[];
  };
  readonly PAYOUT_LIMIT: { readonly currency: string; readonly amount: string };
};

export type ApprovalKind = keyof ApprovalRequests;

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
export type ApprovalDecision = Exclude<ApprovalStatus, 'PENDING'>;

export type ApprovalRules = {
  /** Whose people decide. MERCHANT: those of the merchant, and the platform's where it concerns no merchant. */
  readonly decidedAt: 'MERCHANT' | 'PLATFORM';
  /** Who is shown it at a merchant. */
  readonly read: Permission;
  readonly decide: Permission;
  /** What the requester must still be permitted when another approves; null: it does not matter. */
  readonly requester: Permission | null;
  readonly rejectionSaysWhy: boolean;
  /** Whether a withdrawal, too, is for those who have just confirmed their password. */
  readonly withdrawalIsDangerous: boolean;
  /** When the merchant moves to another cell, where the requester is not known. */
  readonly onMove: 'WITHDRAWN' | 'MOVES';
};

const SETTING: ApprovalRules = {
  decidedAt: 'MERCHANT',
  read: 'approvals:read',
  decide: 'approvals:decide',
  requester: 'settings:write',
  rejectionSaysWhy: false,
  withdrawalIsDangerous: false,
  onMove: 'WITHDRAWN',
};
const MEMBER: ApprovalRules = { ...SETTING, requester: 'team:write' };
const PLATFORM_MEMBER: ApprovalRules = { ...MEMBER, decide: 'host-team:write', requester: 'host-team:write' };
const FINDING: ApprovalRules = {
  ...SETTING,
  decidedAt: 'PLATFORM',
  decide: 'cases:resolve',
  requester: 'approvals:decide',
};
const MONEY: ApprovalRules = {
  ...FINDING,
  decide: 'money:approve',
  requester: null,
  rejectionSaysWhy: true,
  withdrawalIsDangerous: true,
  onMove: 'MOVES',
};
const PAYOUTS: ApprovalRules = { ...SETTING, requester: null, onMove: 'MOVES' };

const RULES: Readonly<Record<ApprovalKind, ApprovalRules>> = {
  TOKEN: SETTING,
  PUBLIC_KEY: SETTING,
  UNSIGNED_REQUESTS: SETTING,
  UNSIGNED_PAGES: SETTING,
  INVITATION: MEMBER,
  ROLE: MEMBER,
  PAYMENT_END: FINDING,
  OPERATOR_REPORT: FINDING,
  MONEY,
  FLOAT: { ...FINDING, decide: 'money:approve' },
  CASE: { ...MONEY, decide: 'cases:resolve' },
  PAYOUT_BATCH: { ...PAYOUTS, decide: 'payouts:approve' },
  PAYOUT_LIMIT: { ...PAYOUTS, read: 'settings:read', decide: 'settings:write' },
};

export const APPROVAL_KINDS = Object.keys(RULES) as readonly ApprovalKind[];

type Concerned = { readonly kind: ApprovalKind; readonly merchantId: string | null };

export function rulesOf({ kind, merchantId }: Concerned): ApprovalRules {
  return merchantId === null && RULES[kind] === MEMBER ? PLATFORM_MEMBER : RULES[kind];
}

/** Those that only the platform's people decide, although they concern a merchant. */
export const PLATFORM_KINDS = APPROVAL_KINDS.filter((kind) => RULES[kind].decidedAt === 'PLATFORM');

/** Those that end when the merchant moves to another cell. */
export const KINDS_WITHDRAWN_BY_MOVE = APPROVAL_KINDS.filter((kind) => RULES[kind].onMove === 'WITHDRAWN');

/** Whose approvals: everybody's, those decided at a merchant, or where that is null those decided by the platform. */
export type WhoseApprovals = 'ALL' | { readonly merchantId: string | null };

export function isDecidedAt(concerned: Concerned, whose: WhoseApprovals): boolean {
  if (whose === 'ALL') return true;
  const isPlatform = rulesOf(concerned).decidedAt === 'PLATFORM';
  return (isPlatform ? null : concerned.merchantId) === whose.merchantId;
}

/** Scopes with which money leaves a wallet. A refund goes back to who paid, but out of the wallet all the same. */
const MONEY_OUT_SCOPES: readonly string[] = [
  'payouts:write',
  'refunds:write',
  'remittances:write',
  'split-payments:write',
];

export function letsMoneyOut(scopes: readonly string[]): boolean {
  return scopes.some((scope) => MONEY_OUT_SCOPES.includes(scope));
}

/** Either side of what two people do: a person with both in two accounts would be two people to the gateway. */
const PARTS_OF_TWO: readonly Permission[] = [
  'payouts:prepare',
  'payouts:approve',
  'settings:write',
  'team:write',
  'approvals:decide',
  'cases:resolve',
  'money:move',
  'money:approve',
  'host-team:write',
];

/** Whether a person who has `before`, or nothing yet, could with `role` take part in more of what needs two people. */
export function addsPart(role: Role, before: Role | null): boolean {
  const had = before === null ? [] : permissionsOf(before);
  return permissionsOf(role).some((one) => PARTS_OF_TWO.includes(one) && !had.includes(one));
}

/** Names are compared as people read them: "Ana" and "ana " are one person. */
export function isSamePerson(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
