// Keeps calls to an operator below its rate limit. All workers of a cell share one budget, because the operator counts
// them together. The budget is a time in the database up to which slots are taken.
import { setTimeout as delay } from 'node:timers/promises';

export type RateRule = {
  readonly perSecond: number;
  /** How many calls may be made at once after a pause. */
  readonly burst: number;
};

export type SlotRequest = RateRule & {
  readonly account: string;
  /** Later slots are not taken. */
  readonly withinMs: number;
};

export type SlotsRequest = SlotRequest & { readonly countMax: number };

export type RateStore = {
  /** The wait until the slot, in milliseconds; null if it would be too late, and then nothing is taken. */
  readonly takeSlot: (request: SlotRequest) => Promise<number | null>;
  /** Gives out no slots for this long, because the operator reported too many calls. */
  readonly pause: (account: string, pauseMs: number) => Promise<void>;
};

export type RateGate = {
  /** The same for an enquiry. It uses unused slots or half of the budget, so neither payments nor enquiries starve. */
  readonly passQuery: RateGate['pass'];
  /**
   * The same for a question about an account holder, which no payment waits for: a small share of the budget, and only
   * slots that are free now.
   */
  readonly passHolder: RateGate['pass'];
  /** Waits for a slot taken earlier. False: the slot has passed, and using it now would cause a burst. */
  readonly waitFor: (slotAt: number) => Promise<boolean>;
  /** Waits for a slot. False: none is available in time, so the call must not be made. */
  readonly pass: (account: string, rule: RateRule, withinMs: number) => Promise<boolean>;
  /** The operator refused a call because there were too many. */
  readonly holdOff: (account: string, retryAfter: string | undefined) => Promise<void>;
};

/** Used if the operator gives no time. */
const PAUSE_MS = 1_000;
/** The maximum pause: a wrong value from the operator must not stop payments for a day. */
const PAUSE_MS_MAX = 60_000;

/** A fifth for account holders: at ten calls a second, one name a second from an operator that takes two calls. */
const HOLDERS_PART = 5;

/** A slot expires after this time, for example when the call waited for a token. */
const SLOT_USED_WITHIN_MS = 3_000;

/** The name under which an account's enquiries are counted. */
export function queriesOf(account: string): string {
  return `${account} queries`;
}

/** The name under which questions about account holders are counted. */
export function holdersOf(account: string): string {
  return `${account} holders`;
}

export function createRateGate(store: RateStore): RateGate {
  const pass: RateGate['pass'] = async (account, rule, withinMs) => {
    const waitMs = await store.takeSlot({ ...rule, account, withinMs });
    if (waitMs !== null && waitMs > 0) await delay(waitMs);
    return waitMs !== null;
  };
  return {
    pass,
    passQuery: async (account, rule, withinMs) =>
      (await pass(account, rule, 0)) ||
      ((await pass(queriesOf(account), shareOf(rule, 2), withinMs)) && (await pass(account, rule, withinMs))),
    passHolder: async (account, rule, withinMs) =>
      (await pass(holdersOf(account), shareOf(rule, HOLDERS_PART), withinMs)) && pass(account, rule, 0),
    waitFor: async (slotAt) => {
      const waitMs = slotAt - performance.now();
      if (waitMs > 0) await delay(waitMs);
      return waitMs >= -SLOT_USED_WITHIN_MS;
    },
    holdOff: async (account, retryAfter) => {
      const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
      await store.pause(account, Math.min(seconds * 1_000 || PAUSE_MS, PAUSE_MS_MAX));
    },
  };
}

/** One part of so many. */
function shareOf({ perSecond, burst }: RateRule, parts: number): RateRule {
  return { perSecond: perSecond / parts, burst: Math.max(1, Math.floor(burst / parts)) };
}
