// What a capability registers for each kind of approval it has. This folder knows kinds only by these.
import type { ApprovalDecision, ApprovalKind, ApprovalRequests } from '../../domain/approval.ts';
import type { Leg } from '../../domain/ledger/postings.ts';
import type { Amount } from '../../domain/money.ts';
import type { ActingPerson, Approval } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import type { LockedMerchants } from '../cells/lock-merchant.ts';

/** What an approver is shown of a request: codes, names and amounts, never a secret. */
export type Shown = Readonly<Record<string, string>>;

export type Approving<Kind extends ApprovalKind> = {
  readonly engine: Engine;
  readonly approval: Approval<Kind>;
  readonly decider: ActingPerson;
};

export type Executing<Kind extends ApprovalKind> = Approving<Kind> & { readonly tx: Tx };

/** A person was invited by it: the last part of their link, to be handed on. */
export type Invited = {
  readonly token: string;
  readonly email: string;
  readonly merchantId: string | null;
};

/** What an approval would post if it were given now, and what the merchant's wallet would have and owe afterwards. */
export type Effect = {
  readonly currency: string;
  readonly legs: readonly Leg[];
  readonly available: Amount;
  readonly owed: Amount;
};

export type Executor<Kind extends ApprovalKind> = {
  readonly show: (request: ApprovalRequests[Kind]) => Shown;
  /**
   * For those who decide: computed as `execute` computes it, of this moment. It is not part of what they approve,
   * because a wallet changes with every payment. Null where it cannot be said. Locks and writes nothing.
   */
  readonly preview?: (engine: Engine, tx: Tx, approval: Approval<Kind>) => Promise<Effect | null>;
  /** The merchants whose money it concerns, where that is not the request's own merchant. */
  readonly concerns?: (tx: Tx, approval: Approval<Kind>) => Promise<readonly string[]>;
  /** Throws NotExecuted where this person may not be an approver, also not the first of two. */
  readonly mayApprove?: (approving: Executing<Kind>) => Promise<void>;
  /**
   * Whether `before` claims references from the other cells under the approval's identifier. They are given back when
   * the transaction does nothing, and when the approval is rejected or withdrawn.
   */
  readonly claims?: boolean;
  /**
   * Before the transaction, what takes long. Throws NotExecuted where the effect is no longer possible, and has then
   * claimed nothing.
   */
  readonly before?: (approving: Approving<Kind>) => Promise<void>;
  /** Locks what it is about, before the approval is locked: the order of locks everywhere. */
  readonly lock?: (locking: Executing<Kind> & { readonly entered: LockedMerchants | null }) => Promise<void>;
  /** The effect, or the permission for longer work, in the transaction of the approval. Throws NotExecuted. */
  readonly execute?: (executing: Executing<Kind>) => Promise<Invited | void>;
  /** Brings a transaction of its own; `approve` records the approval in it. Then `execute` is not called. */
  readonly transact?: (approving: Approving<Kind>, approve: (tx: Tx) => Promise<void>) => Promise<void>;
  /** What happens to its subject when it is rejected or withdrawn. */
  readonly end?: (ending: Executing<Kind> & { readonly status: ApprovalDecision }) => Promise<void>;
  /** After an approval or rejection was taken back because it could not be executed now. */
  readonly notExecuted?: (approving: Approving<Kind>, because: NotExecuted['because']) => Promise<void>;
  /** The longer work that the commit permits. What is cut off here must be found again. */
  readonly after?: (approving: Approving<Kind>) => Promise<void>;
};

export type Executors = { readonly [Kind in ApprovalKind]: Executor<Kind> };

/** The effect is not possible, or not what the approver was shown. It takes the approval back, which stays pending. */
export class NotExecuted extends Error {
  readonly because: Obstacle;

  /** The message is for an approver at the command line; screens have words for the obstacle. */
  constructor(
    because: Obstacle = { code: 'APPROVAL_NOT_POSSIBLE', parameters: {} },
    message = 'This no longer fits what is set here. Reject it.',
  ) {
    super(message);
    this.name = 'NotExecuted';
    this.because = because;
  }
}

export type Obstacle = {
  readonly code:
    | 'APPROVAL_NOT_POSSIBLE'
    | 'APPROVAL_COLUMNS_OWN'
    | 'APPROVAL_MERCHANT_PERSON'
    | 'APPROVAL_NOT_INDEPENDENT'
    | 'LOST_PAYMENT_ELSEWHERE'
    | 'RECOVERY_OPEN'
    | 'FILES_BUSY'
    | 'REPORT_TO_APPROVE'
    | 'WALLET_BALANCE_LOW'
    | 'SETTLEMENT_STOPPED'
    | 'REFERENCE_POSTED'
    | 'REFERENCE_REQUESTED'
    | 'REFERENCE_TAKEN'
    | 'TRANSACTION_TAKEN'
    | 'CELL_SILENT';
  readonly parameters: Readonly<Record<string, string>>;
};

/** One and the same kind on both sides, which the compiler cannot follow through the table. */
export function executorOf(engine: Engine, { kind }: Pick<Approval, 'kind'>): Executor<ApprovalKind> {
  return engine.approvals[kind] as unknown as Executor<ApprovalKind>;
}

/** Of a kind that always concerns a merchant. */
export function merchantOf({ kind, merchantId }: Pick<Approval, 'kind' | 'merchantId'>): string {
  if (merchantId === null) throw new Error(`${kind} is requested at a merchant`);
  return merchantId;
}
