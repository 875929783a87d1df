// Keeps calls to an operator below what it allows. All workers of a cell share one budget, because the operator counts
// them together; the budget is a time in the database up to which slots are given away.
import { setTimeout as delay } from 'node:timers/promises';

export type RateRule = {
  readonly perSecond: number;
  /** How many calls may be made at once after a pause. */
  readonly burst: number;
};

export type SlotRequest = RateRule & {
  readonly account: string;
  /** A slot that comes later than this is not taken. */
  readonly withinMs: number;
};

export type SlotsRequest = SlotRequest & { readonly countMax: number };

export type RateStore = {
  /** In how many milliseconds the call may be made; null when that would be too late, and then nothing was taken. */
  readonly takeSlot: (request: SlotRequest) => Promise<number | null>;
  /** No slot for so long: the operator has said that it is enough. */
  readonly pause: (account: string, pauseMs: number) => Promise<void>;
};

export type RateGate = {
  /** The same for an enquiry: what no one uses, or half of the budget, so that neither side starves the other. */
  readonly passQuery: RateGate['pass'];
  /** Waits for a slot that was taken before. False: it is over, and used now it would make a burst. */
  readonly waitFor: (slotAt: number) => Promise<boolean>;
  /** Waits for a slot. False: there is none in time, and the call must not be made. */
  readonly pass: (account: string, rule: RateRule, withinMs: number) => Promise<boolean>;
  /** The operator refused a call because there were too many. */
  readonly holdOff: (account: string, retryAfter: string | undefined) => Promise<void>;
};

/** Where the operator does not say how long. */
const PAUSE_MS = 1_000;
/** What an operator says is believed up to here; a mistake of theirs must not stop payments for a day. */
const PAUSE_MS_MAX = 60_000;

/** A slot is not used later than this: a wait for a token, say, held its call up, and others with it. */
const SLOT_USED_WITHIN_MS = 3_000;

/** Under this name an account's enquiries are counted apart. */
export function queriesOf(account: string): string {
  return `${account} queries`;
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
      ((await pass(queriesOf(account), halfOf(rule), withinMs)) && (await pass(account, rule, withinMs))),
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

function halfOf({ perSecond, burst }: RateRule): RateRule {
  return { perSecond: perSecond / 2, burst: Math.max(1, Math.floor(burst / 2)) };
}
