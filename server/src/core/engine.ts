// What every decision of the core is given. Composed once in commands/; nothing here reaches for globals.
import type { Forwarder } from '../cells/forwarder.ts';
import type { OutgoingGuard } from '../callbacks/outgoing-guard.ts';
import type { Binding } from '../connectors/bindings.ts';
import type { Connector } from '../connectors/port.ts';
import type { Limit } from '../domain/limits/limit.ts';
import type { ReviewRule } from '../domain/limits/review.ts';
import type { RiskEventType } from '../domain/limits/risk-event.ts';
import type { OperationKey, PaymentKind } from '../domain/payments/payment.ts';
import type { ProcessTime } from '../domain/clock.ts';
import type { KeyAccess, KeyServiceObserver } from '../wrapped-keys/port.ts';
import type { Store } from '../store/store.ts';
import type { Database, Tx } from '../store/database.ts';
import type { Executors } from './approvals/executor.ts';
import type { Backlog } from './payments/accept/backlog.ts';
import type { CallMeter } from './operators/call-meter.ts';
import type { ClockCheck } from './operators/clock-check.ts';
import type { ClientAddresses } from './access/client-address.ts';
import type { Directory } from './cells/directory.ts';
import type { AuthFailureLimiter } from './access/auth-failure-limit.ts';
import type { PromptLimits } from './payments/accept/limit-prompts.ts';
import type { LinkKeys } from './access/link-keys.ts';
import type { RiskLog } from './limits/risk-log.ts';
import type { Reading } from './monitoring/monitor.ts';
import type { OperatorSources } from './operators/operator-sources.ts';
import type { RateLimiter } from './access/rate-limit.ts';
import type { CellAssignments } from './cells/cell-assignments.ts';
import type { Tracer } from './tracer.ts';
import type { SigningKeys } from './access/signing-keys.ts';

export type Environment = 'sandbox' | 'production';

/** Times. What is written carries the time of its transaction, and what is timed is judged by it under the lock. */
export type EngineClock = {
  /** This process's own clock: it finds what may be due, and tells how old something is. */
  readonly now: () => ProcessTime;
  /**
   * The database's time, the same for everything in a transaction. Ask after the locks, where they may be waited for:
   * entering a merchant brings it along.
   */
  readonly timeOf: (tx: Tx) => Promise<Date>;
};

export type Engine = {
  readonly environment: Environment;
  /** The cell's own name, and the home of merchants made in it: four hex digits. */
  readonly home: string;
  readonly clock: EngineClock;
  /** Real time, also where `clock` was moved: of signatures and sign-ins, between machines that know no other time. */
  readonly wallClock: EngineClock;
  /** Whether the real time here is the database's. A process whose clock differs claims and sends nothing. */
  readonly clockCheck: ClockCheck;
  readonly store: Store;
  /** Whether this process has its encryption keys. */
  readonly keyAccess: KeyAccess;
  /** What approving a request of each kind does. */
  readonly approvals: Executors;
  readonly directory: Directory;
  /** Which merchants live in other cells. */
  readonly cellAssignments: CellAssignments;
  /** The way to the other cells. */
  readonly forwarder: Forwarder;
  /** Limits of every merchant that has no other one of the same name. */
  readonly defaultLimits: readonly Limit[];
  /** The same of reviews: which kinds of payment are screened. */
  readonly defaultReviewRules: readonly ReviewRule[];
  /** For so long after a bank account was registered or changed nothing is settled to it. */
  readonly bankCoolingOffMs: number;
  /** Every cell of the installation, with this one. */
  readonly cells: readonly string[];
  /** The database of a cell. Only what is about cells themselves reads or writes that of another one. */
  readonly databaseOf: (cell: string) => Database;
  /** The cell whose database has the true list of moves. */
  readonly directoryCell: string;
  readonly rateLimiter: RateLimiter;
  /** As many orders may wait in this process to be written; more are rejected. */
  readonly ordersWaitingMax: number;
  /** Which orders are rejected because too many wait to be sent. */
  readonly backlog: Backlog;
  /** Limits anyone who comes without a valid token. */
  readonly authFailureLimiter: AuthFailureLimiter;
  /** Limits the requests of each client to hosted pages. */
  readonly pageLimiter: RateLimiter;
  /** How often a payer's phone may be asked for a PIN. */
  readonly promptLimits: PromptLimits;
  /** Who is at the other end, behind the host's own proxies. */
  readonly clientAddresses: ClientAddresses;
  /** How many messages that are ignored are kept as a sample, by connector. */
  readonly doubtfulSample: RateLimiter;
  /** How many such messages each client may send; beyond that none of its messages is read. */
  readonly doubtfulSenders: RateLimiter;
  /** From where operators' messages are read. */
  readonly operatorSources: OperatorSources;
  /** What callbacks and answers are signed with. */
  readonly signingKeys: SigningKeys;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** The connector this installation binds a provider to for a kind of payment, or null where there is none. */
  readonly connectorOf: (provider: string, kind: PaymentKind) => string | null;
  /** Which provider's payments are sent with which operator account. */
  readonly bindings: readonly Binding[];
  /** Makes operator references; losing it means losing the way back to payments after a restore. */
  readonly referenceKey: Buffer;
  /** For what proves for a short time that we made it. */
  readonly linkKeys: LinkKeys;
  /** Where operators reach edge/operators. */
  readonly operatorsUrl: string;
  /** Where merchants and payers reach this gateway; null when only their own requests tell. */
  readonly publicUrl: string | null;
  /** Older names of this gateway, in lower case: there only API v1 answers. */
  readonly v1Hosts: ReadonlySet<string>;
  /** Which addresses may be connected to on a merchant's word. */
  readonly outgoingGuard: OutgoingGuard;
  /** Called after a commit that left work to do now. */
  readonly wake: () => void;
  /** Counts how operators answer; by that their availability is set. */
  readonly callMeter: CallMeter;
  /** What was stopped, held and released, and what looks like an attack. */
  readonly riskLog: RiskLog;
  /** Told what happened, in counts and durations; never in values. */
  readonly observer: Observer;
  /** Told what happened to which payment, in words of ours. */
  readonly tracer: Tracer;
  /** The trace of a payment, also where traces are off: lines of the log name it. */
  readonly traceIdOf: (key: OperationKey) => string;
};

/** For functions that read and write, and need nothing else of the engine. */
export type StorePart = Pick<Engine, 'store'>;
/** The same for those that must know the time. */
export type TimedStore = Pick<Engine, 'store' | 'clock'>;
/** For those that read nothing encrypted. */
export type TimedDatabase = Pick<Engine, 'clock'> & { readonly store: Pick<Store, 'database'> };

export type Observer = {
  readonly initiated: (kind: string, answer: string) => void;
  readonly moved: (kind: string, state: string) => void;
  readonly operatorAnswered: (connector: string, step: string, outcome: string, seconds: number) => void;
  /** The operator complains about something only the host can fix. */
  readonly alerted: (connector: string, alert: string) => void;
  readonly notified: (connector: string, reading: string) => void;
  readonly delivered: (result: string, seconds: number) => void;
  readonly repaired: (what: string, count: number) => void;
  /** Rows that were past their time. */
  readonly pruned: (what: string, count: number) => void;
  /**
   * How far this process's clock is ahead of the database's, negative where it is behind; and how far the time of what
   * is written is ahead of what it should be.
   */
  readonly clockCompared: (differenceSeconds: number, aheadSeconds: number) => void;
  readonly riskNoted: (event: RiskEventType) => void;
  readonly caseOpened: (evidence: string) => void;
  /** A round of a loop of the worker. */
  readonly loopRan: (loop: string, seconds: number) => void;
  readonly loopFailed: (loop: string, times: number) => void;
  readonly keyService: KeyServiceObserver;
  readonly traced: (result: string, spans: number) => void;
  /** What was last measured for the host's alerts; null when that cannot be read. */
  readonly measured: (readings: readonly Reading[] | null) => void;
};
