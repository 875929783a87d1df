// The common interface of all fakes. The contract suite, the sandbox and the drills use it to cause faults and to read
// the books.
import type { Clock } from '../../domain/clock.ts';
import type { RunningSimulator } from '../simulator/simulator.ts';
import type { Settings } from './settings.ts';

export type FakeOptions = Partial<Settings> & {
  readonly host?: string;
  /** 0: a free port. */
  readonly port?: number;
  readonly clock?: Clock;
  /** Whether /control answers. It has no password. */
  readonly control?: boolean;
  /** Where the books are stored; without it they are lost when the fake stops. */
  readonly journalPath?: string;
  /** The opening float of every account, as an amount text. */
  readonly openingFloat?: string;
  /** For an operator with one notification address per account, which the host registers in its portal. */
  readonly notificationUrlOf?: (provider: string) => string;
};

export type OperatorFake = RunningSimulator & {
  /** The credentials of a provider's account with this fake, by product. */
  readonly credentialsOf: (provider: string) => Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type StartFake = (options: FakeOptions) => Promise<OperatorFake>;
