// What one person asks for and another must agree to. Money moved by hand needs two people; so does everything by which
// one of them could open a way round that: what lets money out by the API, and who takes part in deciding.
import type { FloatMovementType } from './ledger/float-movement.ts';
import type { MoneyOrderType } from './ledger/money-movement.ts';
import type { ManualEnd } from './payments/outcome.ts';
import type { PaymentKind } from './payments/payment.ts';
import { permissionsOf, type Permission, type Role } from './merchants/roles.ts';

export const APPROVAL_KINDS = [
  'TOKEN',
  'PUBLIC_KEY',
  'UNSIGNED_REQUESTS',
  'UNSIGNED_PAGES',
  'INVITATION',
  'ROLE',
  'PAYMENT_END',
  'OPERATOR_REPORT',
  'MONEY',
  'FLOAT',
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** What will be done when somebody agrees, and nothing else. */
export type Wanted =
  | {
      readonly kind: 'TOKEN';
      readonly tokenId: string;
      /** As hexadecimal digits. The secret is known to whoever asked, and to nobody else. */
      readonly secretHash: string;
      readonly name: string;
      readonly scopes: readonly string[];
      /** ISO 8601; null: until it is revoked. */
      readonly expiresAt: string | null;
    }
  | { readonly kind: 'PUBLIC_KEY'; readonly name: string; readonly algorithm: string; readonly pem: string }
  | { readonly kind: 'UNSIGNED_REQUESTS' | 'UNSIGNED_PAGES' }
  | { readonly kind: 'INVITATION'; readonly email: string; readonly role: Role }
  | { readonly kind: 'ROLE'; readonly personId: string; readonly email: string; readonly role: Role }
  | {
      readonly kind: 'PAYMENT_END';
      readonly paymentKind: PaymentKind;
      readonly paymentId: string;
      readonly outcome: ManualEnd;
    }
  | {
      readonly kind: 'OPERATOR_REPORT';
      readonly statementId: string;
      readonly provider: string;
      readonly completedCount: number;
      readonly failedCount: number;
      /** Of exactly these lines. */
      readonly linesHash: string;
    }
  | {
      readonly kind: 'MONEY';
      readonly type: MoneyOrderType;
      readonly country: string;
      readonly currency: string;
      readonly walletProvider: string;
      readonly amount: string;
      /** The bank's. An adjustment has none, nor has a request of an earlier version. */
      readonly reference?: string;
    }
  | {
      readonly kind: 'FLOAT';
      readonly type: FloatMovementType;
      readonly provider: string;
      readonly country: string;
      readonly currency: string;
      readonly amount: string;
      /** The operator's. */
      readonly reference: string;
    };

/** What only the platform's people decide, although it concerns a merchant. */
export const PLATFORM_KINDS: readonly ApprovalKind[] = ['PAYMENT_END', 'OPERATOR_REPORT', 'MONEY', 'FLOAT'];

/** What the person who asked must still be permitted when another agrees. */
export function permissionToAsk(kind: ApprovalKind, merchantId: string | null): Permission {
  switch (kind) {
    case 'TOKEN':
    case 'PUBLIC_KEY':
    case 'UNSIGNED_REQUESTS':
    case 'UNSIGNED_PAGES':
      return 'settings:write';
    case 'INVITATION':
    case 'ROLE':
      return merchantId === null ? 'host-team:write' : 'team:write';
    case 'PAYMENT_END':
    case 'OPERATOR_REPORT':
      return 'cases:resolve';
    case 'MONEY':
    case 'FLOAT':
      return 'money:move';
  }
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

/** Either side of what two people do: whoever had both in two accounts would be two people to the gateway. */
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

/** Whether somebody who has `before`, or nothing yet, could with `role` take part in more of what needs two people. */
export function addsPart(role: Role, before: Role | null): boolean {
  const had = before === null ? [] : permissionsOf(before);
  return permissionsOf(role).some((one) => PARTS_OF_TWO.includes(one) && !had.includes(one));
}
