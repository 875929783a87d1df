// How far behind the workers are, provider by provider. Where payments have waited too long to be sent, a share of the
// new ones is turned away: a payer who is asked for a PIN a minute late has gone. Nothing that was accepted is touched.
import type { Clock } from '../domain/clock.ts';
import type { PaymentKind } from '../domain/payment.ts';
import type { Recovery } from '../domain/recovery.ts';
import type { LateSubmits } from '../store/due-steps.ts';

export type Backlog = {
  /** Whether this order is to come again later. Nobody waits for the answer: it is from the last look. */
  readonly turnsAway: (provider: string, kind: PaymentKind) => boolean;
};

export type BacklogOptions = {
  readonly clock: Clock;
  /** Orders begin to be turned away when the first one has waited this long; at three times this all of them are. */
  readonly fromMs: number;
  readonly look: (dueBefore: Date) => Promise<readonly LateSubmits[]>;
  /** While this holds submits back, their waiting tells nothing about the workers. */
  readonly recovery: () => Promise<Recovery | null>;
};

const LOOK_INTERVAL_MS = 1_000;
/** What was seen longer ago than this tells nothing any more. */
const LOOK_HOLDS_MS = 3_000;

type Shares = ReadonlyMap<string, number>;

export function createBacklog(options: BacklogOptions): Backlog {
  let lookedAt = -Infinity;
  let last: Shares = new Map();
  let shares: Shares = new Map();
  /** What is left of turning away a share of a whole order, so that of three orders and a share of 2/3 two go. */
  const remainders = new Map<string, number>();

  /** What two looks agree about: a clock that was just moved, or a worker that was just away, is no backlog. */
  const look = async () => {
    const now = await readShares(options);
    shares = new Map([...now].map(([name, share]) => [name, Math.min(share, last.get(name) ?? 0)]));
    last = now;
  };

  return {
    turnsAway: (provider, kind) => {
      const ageMs = performance.now() - lookedAt;
      if (ageMs > LOOK_HOLDS_MS) last = shares = new Map();
      if (ageMs >= LOOK_INTERVAL_MS) {
        lookedAt = performance.now();
        // A database that cannot be asked turns orders away by itself.
        look().catch(() => undefined);
      }
      const name = `${provider} ${kind}`;
      const owed = (remainders.get(name) ?? 0) + (shares.get(name) ?? 0);
      remainders.set(name, owed >= 1 ? owed - 1 : owed);
      return owed >= 1;
    },
  };
}

/** Between 0 and 1, of those who wait too long. */
async function readShares(options: BacklogOptions): Promise<Shares> {
  const { clock, fromMs } = options;
  if ((await options.recovery())?.isHolding === true) return new Map();
  const now = clock.now().getTime();
  const late = await options.look(new Date(now - fromMs));
  return new Map(
    late.map(({ provider, operation, since }) => {
      const share = (now - since.getTime() - fromMs) / (2 * fromMs);
      return [`${provider} ${operation}`, Math.min(1, share)];
    }),
  );
}
