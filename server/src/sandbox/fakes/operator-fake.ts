// What every operator's fake can do, whichever operator it is: the small common interface by which the contract
// suite, the sandbox and the proofs make it misbehave and read its books. Faults and settings are the simulator's.
import type { Clock } from '../../domain/clock.ts';
import type { RunningSimulator } from '../simulator/simulator.ts';
import type { Settings } from './settings.ts';

export type FakeOptions = Partial<Settings> & {
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly clock?: Clock;
  /** Whether /control answers. It has no password. */
  readonly control?: boolean;
  /** Where the books survive; without it they live as long as the fake. */
  readonly journalPath?: string;
  /** What every account holds before the first charge, as an amount text. */
  readonly openingFloat?: string;
  /** Of an operator that posts to one address for each account, which the host enters in its portal. */
  readonly notificationUrlOf?: (provider: string) => string;
};

export type OperatorFake = RunningSimulator & {
  /** The credentials of a provider's account with this fake, by product. */
  readonly credentialsOf: (provider: string) => Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type StartFake = (options: FakeOptions) => Promise<OperatorFake>;
