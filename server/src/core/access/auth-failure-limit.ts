// Requests without a valid token, limited for each client. A client beyond its limit is not heard with a token that
// this process does not know: nothing is asked of the database about it. A token that was good here lately is heard, so
// that no one who shares an address with a guesser is kept out.
import { hash } from 'node:crypto';
import type { ProcessClock } from '../../domain/clock.ts';
import { createRateLimiter, type RateRule } from './rate-limit.ts';

export type AuthFailureLimiter = {
  /** How long the client must wait with these credentials; 0 when they are to be looked at. */
  readonly waitMsOf: (guess: AuthAttempt) => number;
  /** The credentials turned out to be no one's, or no one's any more. */
  readonly wasRefused: (guess: AuthAttempt) => void;
  readonly recordSuccess: (guess: AuthAttempt) => void;
};

export type AuthAttempt = {
  /** Null for whom no one limits. */
  readonly client: string | null;
  /** The Authorization header. */
  readonly credentials: string | undefined;
};

/** A server with an old token in its settings stays below it; no one guesses 256 bits at ten a second. */
export const DEFAULT_AUTH_FAILURES: RateRule = { perSecond: 10, burst: 100 };

/** As many good tokens as are remembered, by a hash. The first that came is forgotten first, and comes again. */
const GOOD_MAX = 10_000;

export function createAuthFailureLimiter(clock: ProcessClock, rule: RateRule): AuthFailureLimiter {
  const clients = createRateLimiter(clock, rule);
  const good = new Set<string>();
  return {
    waitMsOf: ({ client, credentials }) => {
      const waitMs = client === null ? 0 : clients.wouldWaitMs(client);
      return waitMs > 0 && credentials !== undefined && good.has(digest(credentials)) ? 0 : waitMs;
    },
    wasRefused: ({ client, credentials }) => {
      if (credentials !== undefined) good.delete(digest(credentials));
      if (client !== null) clients.waitMsOf(client);
    },
    recordSuccess: ({ credentials }) => {
      if (credentials === undefined) return;
      good.add(digest(credentials));
      if (good.size > GOOD_MAX) good.delete(good.values().next().value ?? '');
    },
  };
}

/** Of the token alone: how the header is written around it must not make one token many. */
function digest(credentials: string): string {
  return hash('sha256', credentials.slice(credentials.lastIndexOf(' ') + 1), 'base64');
}
