// How far behind the workers are, provider by provider. Where a payment would wait too long to be sent, a share of the
// orders is rejected: a payer who is asked for a PIN a minute late has gone. Nothing that was accepted is touched.
import type { Clock } from '../../../domain/clock.ts';
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import type { Recovery } from '../../../domain/recovery.ts';
import type { WaitingSubmits } from '../../../store/payments/due-steps.ts';

export type Backlog = {
  /** Whether this order is to come again later. No one waits for the answer: it is from the last look. */
  readonly sheds: (provider: string, kind: PaymentKind) => boolean;
};

export type BacklogOptions = {
  readonly clock: Clock;
  /** Orders begin to be rejected when they would wait this long to be sent; at twice this all of them are. */
  readonly fromMs: number;
  /** What waits now, and how many of them have since before the time of the last look. */
  readonly look: (now: Date, lastLook: Date) => Promise<readonly WaitingSubmits[]>;
  /** Whether a provider's payments wait for a rate budget of ours. Outgoing ones may, as long as some are sent. */
  readonly isBudgeted?: (provider: string, kind: PaymentKind) => boolean;
  /** While this holds submits back, their waiting tells nothing about the workers. */
  readonly recovery: () => Promise<Recovery | null>;
};

const LOOK_INTERVAL_MS = 1_000;
/** What was seen longer ago than this tells nothing any more. */
const LOOK_HOLDS_MS = 3_000;

/** One in a thousand seconds. No budget is that small: the workers are away. */
const STANDSTILL_PER_MS = 1e-6;

/** What one look found: of each provider's operation how many waited, and how many are sent in a millisecond. */
type Look = {
  readonly at: Date;
  readonly piles: ReadonlyMap<string, { readonly count: number; readonly sentPerMs: number }>;
  /** The share of orders that this look alone would reject. */
  readonly shares: ReadonlyMap<string, number>;
};

const nothingSeen = (): Look => ({ at: new Date(0), piles: new Map(), shares: new Map() });

export function createBacklog(options: BacklogOptions): Backlog {
  let lookedAt = -Infinity;
  let [before, last] = [nothingSeen(), nothingSeen()];
  /** What is left of rejecting a share of a whole order, so that of three orders and a share of 2/3 two go. */
  const remainders = new Map<string, number>();

  const look = async () => {
    const seen = await take(options, last);
    [before, last] = [last, seen];
  };

  return {
    sheds: (provider, kind) => {
      const ageMs = performance.now() - lookedAt;
      if (ageMs > LOOK_HOLDS_MS) [before, last] = [nothingSeen(), nothingSeen()];
      if (ageMs >= LOOK_INTERVAL_MS) {
        lookedAt = performance.now();
        // A database that cannot be asked turns orders away by itself.
        look().catch(() => undefined);
      }
      const name = `${provider} ${kind}`;
      // What two looks agree about: a clock that was just moved, or a worker that was just away, is no backlog.
      const share = Math.min(last.shares.get(name) ?? 0, before.shares.get(name) ?? 0);
      // Names come from requests: nothing is remembered of those for whom no one waits.
      if (share === 0) {
        remainders.delete(name);
        return false;
      }
      const owed = (remainders.get(name) ?? 0) + share;
      remainders.set(name, owed >= 1 ? owed - 1 : owed);
      return owed >= 1;
    },
  };
}

async function take({ clock, fromMs, ...options }: BacklogOptions, last: Look): Promise<Look> {
  if ((await options.recovery())?.isHolding === true) return nothingSeen();
  const at = clock.now();
  const [piles, shares] = [new Map<string, { count: number; sentPerMs: number }>(), new Map()];
  for (const { provider, operation, count, fromBefore, since } of await options.look(at, last.at)) {
    const name = `${provider} ${operation}`;
    const sentPerMs = rateOf(last.piles.get(name), fromBefore, at.getTime() - last.at.getTime());
    piles.set(name, { count, sentPerMs });
    const isBudgeted = operation !== 'DEPOSIT' && options.isBudgeted?.(provider, operation) === true;
    if (isBudgeted && sentPerMs > STANDSTILL_PER_MS) continue;
    // How long the first has waited is known late, when many stand behind it; how many are sent is known at once.
    const waitMs = Math.max(at.getTime() - since.getTime(), sentPerMs > 0 ? count / sentPerMs : 0);
    shares.set(name, Math.min(1, Math.max(0, waitMs / fromMs - 1)));
  }
  return { at, piles, shares };
}

/**
 * How many are sent: of those who waited at the last look, who is gone. Half of it is what was known before. Where all
 * are gone, no one waits long, and how many could have been sent was not seen: 0.
 */
function rateOf(
  pile: { readonly count: number; readonly sentPerMs: number } | undefined,
  fromBefore: number,
  passedMs: number,
): number {
  if (pile === undefined || passedMs <= 0 || fromBefore === 0) return 0;
  const sentPerMs = Math.max(0, pile.count - fromBefore) / passedMs;
  return pile.sentPerMs === 0 ? sentPerMs : (pile.sentPerMs + sentPerMs) / 2;
}
