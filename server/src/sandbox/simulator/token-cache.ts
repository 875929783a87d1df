// The access token: cached, renewed a little early, and requested once for all waiting calls.
import type { Grant } from './wire.ts';

/** A token, or why there is none. */
export type TokenAnswer = ({ readonly type: 'TOKEN' } & Grant) | TokenRefusal;
export type TokenRefusal = {
  readonly type: 'NO_TOKEN';
  readonly reason: 'NO_ANSWER' | 'OPERATOR_ERROR' | 'UNREADABLE_ANSWER';
  readonly evidence: string;
};

/** Early renewal avoids 401s. One tenth of the lifetime, so that a short-lived token is still cached. */
const EARLY_MS_MAX = 30_000;
const EARLY_SHARE = 0.1;

export class TokenCache {
  readonly #ask: () => Promise<TokenAnswer>;
  #held: { readonly answer: TokenAnswer & { type: 'TOKEN' }; readonly renewAtMs: number } | null = null;
  #inFlight: Promise<TokenAnswer> | null = null;

  constructor(ask: () => Promise<TokenAnswer>) {
    this.#ask = ask;
  }

  async take(): Promise<TokenAnswer> {
    if (this.#held !== null && performance.now() < this.#held.renewAtMs) return this.#held.answer;
    if (this.#inFlight === null) return this.#renew();
    const shared = await this.#inFlight;
    // A token for one request belongs to the call that requested it; other calls need their own.
    return shared.type === 'TOKEN' && shared.lifetimeMs === 0 ? this.#ask() : shared;
  }

  /** The operator refused this token. A newer one, fetched meanwhile by another call, stays. */
  forget(token: string): void {
    if (this.#held?.answer.token === token) this.#held = null;
  }

  async #renew(): Promise<TokenAnswer> {
    this.#inFlight = this.#ask();
    const answer = await this.#inFlight;
    this.#inFlight = null;
    if (answer.type === 'TOKEN') this.#hold(answer);
    return answer;
  }

  #hold(answer: TokenAnswer & { type: 'TOKEN' }): void {
    const earlyMs = Math.min(EARLY_MS_MAX, answer.lifetimeMs * EARLY_SHARE);
    this.#held = { answer, renewAtMs: performance.now() + answer.lifetimeMs - earlyMs };
  }
}
