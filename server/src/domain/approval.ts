// What one person requests and another must approve, and the rules of each kind. Manual money movements need two
// people. So does everything that could bypass this rule: API access that moves money out, and who may decide.
import type { Resolution } from './reconciliation/cases.ts';
import type { PassableObstacle } from './reconciliation/close-obstacles.ts';
import type { SettlementDecision, SettlementStop } from './ledger/bank-account.ts';
import type { FloatMovementType } from './ledger/float-movement.ts';
import type { LostPaymentBearer } from './ledger/lost-payment.ts';
import type { Direction } from './ledger/postings.ts';
import type { Evidence } from './payments/lifecycle.ts';
import type { Frozen } from './limits/freeze.ts';
import type { LimitKey } from './limits/limit.ts';
import type { NumberList } from './limits/listed-number.ts';
import type { ReviewDecision, ReviewReason, ReviewRuleKey, WithoutAnswer } from './limits/review.ts';
import type { LineEffect } from './reconciliation/operator-report.ts';
import type { MoneyMovementType } from './ledger/money-movement.ts';
import type { ManualEnd } from './payments/outcome.ts';
import type { PaymentKind } from './payments/payment.ts';
import { permissionsOf, type Permission, type Role } from './merchants/roles.ts';

/** What a limit becomes. Without both maxima it is removed. */
export type LimitRequest = LimitKey & {
  readonly countMax: string | null;
  readonly amountMax: string | null;
};

export type EffectSummary = {
  readonly count: number;
  /** "1000 RWF", one for each currency. */
  readonly sums: readonly string[];
};

/** What days come to that are never signed, because the account is followed from a later day on. */
export type DroppedDays = {
  readonly days: number;
  readonly movementCount: number;
  /** The operator's lines, and what they brought to us and took. */
  readonly lineCount: number;
  readonly received: string;
  readonly sent: string;
  readonly bankLineCount: number;
  readonly bankReceived: string;
  readonly bankSent: string;
  /** Differences between the books and the operator that were waiting, and what they come to. */
  readonly differenceCount: number;
  readonly differing: string;
  readonly bankDifferenceCount: number;
  readonly bankDiffering: string;
  /** The same for the same lines and postings. Not shown. */
  readonly linesDigest: string;
  readonly movementsDigest: string;
};

/** What approval will execute, and nothing else. Amounts are texts, as entered. */
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
    /** What its lines do, with how many they are and what their amounts add up to in each currency. */
    readonly effects: Readonly<Partial<Record<LineEffect, EffectSummary>>>;
    /** The hash of exactly these lines with what each does. */
    readonly linesHash: string;
    /** Everybody who set how one of the file's columns is read; left out for our own format. */
    readonly mappingBy?: readonly string[];
  };
  /** To import a report all the same that contradicts most of what is known. Its subject is the report. */
  readonly REPORT_READING: {
    readonly provider: string;
    /** The hash of exactly the lines that were read. */
    readonly linesHash: string;
    /** Lines about payments of ours, and how many of them differ. */
    readonly knownCount: number;
    readonly differingCount: number;
    readonly mappingBy?: readonly string[];
    readonly reason: string;
  };
  readonly MONEY: {
    readonly type: MoneyMovementType;
    readonly country: string;
    readonly currency: string;
    /** Empty if the merchant has one wallet for all providers. */
    readonly walletProvider: string;
    readonly amount: string;
    /** The bank's reference. An adjustment has none. */
    readonly reference?: string;
    /** The client's own identifier of the request: the same request once more is the same one. */
    readonly requestId?: string;
    /** Other requests that may mean the same money, as the approver is shown them. */
    readonly alike?: string;
    /** Of a settlement: the requester states that the bank has paid it, whatever stops settlements. */
    readonly bankHasPaid?: true;
    /** What stopped it when that was stated. */
    readonly despite?: readonly SettlementStop[];
  };
  readonly FLOAT: {
    readonly type: FloatMovementType;
    readonly provider: string;
    readonly country: string;
    readonly currency: string;
    readonly amount: string;
    /** The operator's transaction. */
    readonly reference: string;
  };
  readonly CASE: {
    readonly evidence: Evidence;
    readonly paymentKind: PaymentKind;
    readonly paymentId: string;
    readonly resolution: Resolution;
    readonly currency: string;
    /** The amount of a discrepancy; default: the payment's amount. */
    readonly amount: string;
  };
  readonly PAYOUT_BATCH: {
    readonly rowCount: number;
    /** With fees, by wallet. */
    readonly sums: readonly string[];
    /** The hash of exactly these rows. Whom a row pays is encrypted under the row's own name. */
    readonly rowsHash: string;
  };
  readonly PAYOUT_LIMIT: { readonly currency: string; readonly amount: string };
  readonly LIMIT: LimitRequest;
  /** Its subject is the freeze: it lifts that one, in every cell, and none that was added since. */
  readonly FREEZE_LIFT: Frozen & {
    /** The name of the merchant, also of a token's; the masked number. */
    readonly label?: string;
    readonly frozenBy: string;
    /** ISO 8601. */
    readonly frozenAt: string;
  };
  /** Its subject is the merchant. It ends the suspension of this time (ISO 8601), and no later one. */
  readonly MERCHANT_RESUME: { readonly suspendedAt: string };
  /** The numbers themselves are rows of the list, which name the request: they are encrypted there. */
  readonly NUMBER_LIST: {
    readonly list: NumberList;
    readonly change: 'ADD' | 'REMOVE';
    readonly count: number;
    /** Of one number, masked; empty for more. */
    readonly number: string;
  };
  /** About a payment that is held for people. Its subject is the payment's number. */
  readonly REVIEW: {
    readonly paymentKind: PaymentKind;
    readonly paymentId: string;
    readonly decision: ReviewDecision;
    readonly amount: string;
    readonly currency: string;
    readonly reasons: readonly ReviewReason[];
  };
  /** What a rule becomes. Without values it is removed. */
  readonly REVIEW_RULE: ReviewRuleKey & {
    readonly withoutAnswer: WithoutAnswer | null;
    readonly amountAbove: string | null;
    readonly hours: number | null;
  };
  readonly DAY_CLOSE: {
    readonly closeId: string;
    readonly provider: string;
    readonly currency: string;
    readonly day: string;
    readonly opening: string;
    readonly closing: string;
    /** What neither the operator's lines nor another day explain. */
    readonly unexplained: string;
    /** The same of the bank's lines. */
    readonly bankUnexplained: string;
    readonly differenceCount: number;
    /** Of the operator's reports. */
    readonly unreadableLineCount: number;
    /** How many of the operator's lines are counted, and up to which number. What came later is of the next day. */
    readonly lineCount: number;
    readonly linesThrough: number;
    readonly bankLineCount: number;
    readonly bankLinesThrough: number;
    /** Of all figures and differences. */
    readonly contentHash: string;
    readonly note: string;
    /** Obstacles in spite of which it is signed. */
    readonly despite?: readonly PassableObstacle[];
    /** By how much the books of the signed day before have changed, where they have. */
    readonly openingChange?: string;
  };
  /** A signature that is taken back. */
  readonly DAY_REOPEN: {
    readonly closeId: string;
    readonly provider: string;
    readonly currency: string;
    readonly day: string;
    readonly contentHash: string;
    readonly reason: string;
  };
  /** With which day an operator account begins to be closed. Its subject is the account. */
  readonly FIRST_DAY: {
    readonly provider: string;
    readonly currency: string;
    readonly before: string;
    readonly firstDay: string;
    /** Where it begins later. */
    readonly dropped?: DroppedDays;
  };
  /** A file of an operator or a bank counts for nothing any more. Its subject is the file. */
  readonly FILE_VOID: {
    readonly source: 'OPERATOR' | 'BANK';
    readonly provider: string;
    readonly currencies: readonly string[];
    readonly fileName?: string;
    readonly fileHash: string;
    readonly importedAt: string;
    readonly lineCount: number;
    /** Lines that stand in other files too, and stay. */
    readonly elsewhereCount: number;
    /** Lines that wait for an approval, which ends with the file. */
    readonly waitingCount: number;
    /** Lines that ended a payment: it stays final, and its operator is asked again. */
    readonly endedCount: number;
    readonly openCaseCount: number;
    /** Of these, those that stay: the operator itself has said what they are about, or another file does. */
    readonly keptCaseCount: number;
    readonly resolvedCaseCount: number;
    /** Lines that posted a payment which a restore had lost. */
    readonly lostCount: number;
    /** Of these, those that stay: the payment is in the books again, or two people have decided about it. */
    readonly keptLostCount: number;
    /** What is posted back, or for ENDED_* asked about, by kind and currency: "FLOAT_TOP_UP 2: 500 RWF". */
    readonly postedBack: readonly string[];
    /** Signed days that have counted lines of it, each with how many: "2027-03-01 RWF: 12". */
    readonly signedDays: readonly string[];
    readonly reason: string;
  };
  /** The account itself is the row that it names: it is encrypted there. */
  readonly BANK_ACCOUNT: {
    readonly bankAccountId: string;
    readonly currency: string;
    readonly bank: string;
    /** Masked. */
    readonly number: string;
  };
  /** Its subject is the settlement. Why it is rejected is the reason of the request. */
  readonly SETTLEMENT: {
    readonly decision: SettlementDecision;
    readonly country: string;
    readonly currency: string;
    /** Empty if the merchant has one wallet for all providers. */
    readonly walletProvider: string;
    readonly amount: string;
    readonly bank: string;
    /** Masked. */
    readonly number: string;
    /** The bank's, where it was paid. */
    readonly reference?: string;
    /** The requester states that the bank has paid it, whatever stops settlements. */
    readonly bankHasPaid?: true;
    /** What stopped it when that was stated. */
    readonly despite?: readonly SettlementStop[];
  };
  /** The platform's balances are posted from a cell that nobody lives in any more into another one. */
  readonly CELL_END: {
    /** Both cells post them under it. */
    readonly endingId: string;
    readonly from: string;
    readonly to: string;
    /** The database of that cell: no other one that gets its name posts them. */
    readonly toDatabase: string;
    /** Each account with what it comes to. */
    readonly balances: readonly string[];
    /** The other cell has them already: this one was restored to a time before. */
    readonly isRepeated: boolean;
  };
  /** Whose the money of a payment is that a restore lost and its merchant does not send again. */
  readonly LOST_PAYMENT: {
    readonly provider: string;
    readonly reference: string;
    readonly direction: Direction;
    readonly currency: string;
    readonly amount: string;
    readonly bearer: LostPaymentBearer;
    /** With its name, where a merchant's wallet is credited or charged. */
    readonly merchantId?: string;
    readonly merchant?: string;
    readonly reason: string;
  };
};

export type ApprovalKind = keyof ApprovalRequests;

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
export type ApprovalDecision = Exclude<ApprovalStatus, 'PENDING'>;

export type ApprovalRules = {
  /** Who decides. MERCHANT: the merchant's people, or the platform's if no merchant is concerned. */
  readonly decidedAt: 'MERCHANT' | 'PLATFORM';
  /** Who can see it at a merchant. */
  readonly read: Permission;
  readonly decide: Permission;
  /** The permission that the requester must still have at approval; null: none. */
  readonly requester: Permission | null;
  /** The same for a merchant's person, at the merchant, where the merchant's people can request it too. */
  readonly merchantRequester?: Permission;
  readonly rejectionSaysWhy: boolean;
  /** Whether a withdrawal also needs a recent password confirmation. */
  readonly withdrawalIsDangerous: boolean;
  /** What happens when the merchant moves to another cell, where the requester is unknown. */
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
  REPORT_READING: { ...FINDING, requester: 'money:move' },
  MONEY,
  FLOAT: { ...FINDING, decide: 'money:approve' },
  CASE: { ...MONEY, decide: 'cases:resolve' },
  PAYOUT_BATCH: { ...PAYOUTS, decide: 'payouts:approve' },
  PAYOUT_LIMIT: { ...PAYOUTS, read: 'settings:read', decide: 'settings:write' },
  // The platform's people decide, also about a merchant's own limit: it protects the merchant from its own people.
  LIMIT: { ...FINDING, decide: 'approvals:decide', merchantRequester: 'settings:write' },
  FREEZE_LIFT: { ...FINDING, decide: 'approvals:decide' },
  MERCHANT_RESUME: { ...FINDING, decide: 'approvals:decide', requester: 'merchants:write' },
  NUMBER_LIST: { ...FINDING, decide: 'approvals:decide' },
  REVIEW: { ...FINDING, decide: 'approvals:decide' },
  REVIEW_RULE: { ...FINDING, decide: 'approvals:decide' },
  DAY_CLOSE: { ...FINDING, decide: 'money:approve', requester: 'money:move' },
  DAY_REOPEN: { ...FINDING, decide: 'money:approve', requester: 'money:move' },
  FIRST_DAY: { ...FINDING, decide: 'money:approve', requester: 'money:move' },
  FILE_VOID: { ...FINDING, decide: 'money:approve', requester: 'money:move' },
  BANK_ACCOUNT: { ...SETTING, requester: 'payouts:prepare' },
  SETTLEMENT: { ...MONEY, requester: 'money:move', onMove: 'WITHDRAWN' },
  CELL_END: { ...FINDING, decide: 'money:approve', requester: 'money:move' },
  LOST_PAYMENT: { ...FINDING, decide: 'money:approve', requester: 'money:move' },
};

export const APPROVAL_KINDS = Object.keys(RULES) as readonly ApprovalKind[];

type Concerned = { readonly kind: ApprovalKind; readonly merchantId: string | null };

export function rulesOf({ kind, merchantId }: Concerned): ApprovalRules {
  return merchantId === null && RULES[kind] === MEMBER ? PLATFORM_MEMBER : RULES[kind];
}

/** Kinds about a merchant that only the platform's people decide. */
export const PLATFORM_KINDS = APPROVAL_KINDS.filter((kind) => RULES[kind].decidedAt === 'PLATFORM');

/** Kinds that end when the merchant moves to another cell. */
export const KINDS_WITHDRAWN_BY_MOVE = APPROVAL_KINDS.filter((kind) => RULES[kind].onMove === 'WITHDRAWN');

/** Which approvals: all, those decided at a merchant, or (null) those decided by the platform. */
export type WhoseApprovals = 'ALL' | { readonly merchantId: string | null };

export function isDecidedAt(concerned: Concerned, whose: WhoseApprovals): boolean {
  if (whose === 'ALL') return true;
  const isPlatform = rulesOf(concerned).decidedAt === 'PLATFORM';
  return (isPlatform ? null : concerned.merchantId) === whose.merchantId;
}

/** A merchant's person can withdraw at the merchant what they requested there, also where the platform decides. */
export function isWithdrawnAt(concerned: Concerned, whose: WhoseApprovals): boolean {
  if (isDecidedAt(concerned, whose)) return true;
  const isRequestedThere = rulesOf(concerned).merchantRequester !== undefined;
  return isRequestedThere && whose !== 'ALL' && concerned.merchantId === whose.merchantId;
}

/** Scopes with which money leaves a wallet. A refund returns to the payer, but leaves the wallet all the same. */
const MONEY_OUT_SCOPES: readonly string[] = [
  'payouts:write',
  'refunds:write',
  'remittances:write',
  'split-payments:write',
];

export function letsMoneyOut(scopes: readonly string[]): boolean {
  return scopes.some((scope) => MONEY_OUT_SCOPES.includes(scope));
}

/** The permissions on both sides of a two-person rule: one person with two accounts would count as two people. */
const PARTS_OF_TWO: readonly Permission[] = [
  'payouts:prepare',
  'payouts:approve',
  'settings:write',
  'team:write',
  'approvals:decide',
  'cases:resolve',
  'money:move',
  'money:approve',
  'risk:write',
  'host-team:write',
];

/** Whether `role` lets a person who had `before` (or nothing) take part in more two-person actions. */
export function addsPart(role: Role, before: Role | null): boolean {
  const had = before === null ? [] : permissionsOf(before);
  return permissionsOf(role).some((one) => PARTS_OF_TWO.includes(one) && !had.includes(one));
}

/** Names are compared as people read them: "Ana" and "ana " are the same person. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
