// Operators' access tokens. All workers share one token per account, because some operators end the previous token when
// they issue a new one. One worker renews it early while the others keep using the valid one.
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';

export type Grant = { readonly token: string; readonly lifetimeMs: number };

export type KeptToken = {
  readonly token: string;
  /** The number of this token for the account, to name a refused one. */
  readonly issueNo: number;
  readonly renewAt: Date;
  readonly expiresAt: Date;
};

export type TokenStore = {
  readonly find: (account: string) => Promise<KeptToken | null>;
  /** Takes the lease to request a new token, if one is needed. Only one process has it at a time. */
  readonly lease: (account: string, leaseMs: number) => Promise<boolean>;
  /** Stores a new token and ends the lease. */
  readonly keep: (account: string, token: Omit<KeptToken, 'issueNo'>) => Promise<KeptToken>;
  /** Ends the lease without a token. */
  readonly release: (account: string) => Promise<void>;
  /** The operator refused this token. A newer one stays. */
  readonly withdraw: (account: string, issueNo: number) => Promise<void>;
};

/** A token, or the reason why there is none. */
export type Minted = Grant | { readonly error: string };

/** Ten minutes before the end of an hour, as MTN recommends; half a minute of Airtel's three. */
const EARLY_SHARE = 1 / 6;

/** How often a worker checks whether another one has the new token. */
const LOOK_MS = 50;

export class TokenSource {
  readonly #store: TokenStore;
  readonly #clock: Clock;
  /** The time-out of a token request. */
  readonly #timeoutMs: number;
  readonly #held = new Map<string, KeptToken>();
  readonly #inProgress = new Map<string, Promise<KeptToken | { readonly error: string }>>();

  constructor(store: TokenStore, options: { readonly clock: Clock; readonly timeoutMs: number }) {
    this.#store = store;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
  }

  async take(account: string, mint: () => Promise<Minted>): Promise<KeptToken | { readonly error: string }> {
    const held = this.#held.get(account);
    if (held !== undefined && this.#clock.now() < held.renewAt) return held;
    const inProgress = this.#inProgress.get(account) ?? this.#renew(account, mint);
    this.#inProgress.set(account, inProgress);
    return inProgress.finally(() => this.#inProgress.delete(account));
  }

  /** The operator refused this token. */
  async refuse(account: string, { issueNo }: KeptToken): Promise<void> {
    if (this.#held.get(account)?.issueNo === issueNo) this.#held.delete(account);
    await this.#store.withdraw(account, issueNo);
  }

  async #renew(
    account: string,
    mint: () => Promise<Minted>,
  ): Promise<KeptToken | { readonly error: string }> {
    const giveUpAt = performance.now() + 2 * this.#timeoutMs;
    while (performance.now() < giveUpAt) {
      const now = this.#clock.now();
      const kept = await this.#store.find(account);
      if (kept !== null && now < kept.renewAt) return this.#hold(account, kept);
      if (await this.#store.lease(account, 2 * this.#timeoutMs)) return this.#mint(account, mint, kept);
      // Another process is renewing it. The old token is used until it expires.
      if (kept !== null && now < kept.expiresAt) return kept;
      await delay(LOOK_MS);
    }
    return { error: 'NO_TOKEN_IN_TIME' };
  }

  async #mint(account: string, mint: () => Promise<Minted>, old: KeptToken | null) {
    const minted = await mint();
    const now = this.#clock.now().getTime();
    if ('error' in minted) {
      await this.#store.release(account);
      // Renewal is early, so a failed one is not a problem yet.
      return old !== null && now < old.expiresAt.getTime() ? old : minted;
    }
    const { token, lifetimeMs } = minted;
    const kept = await this.#store.keep(account, {
      token,
      renewAt: new Date(now + lifetimeMs * (1 - EARLY_SHARE)),
      expiresAt: new Date(now + lifetimeMs),
    });
    return this.#hold(account, kept);
  }

  #hold(account: string, kept: KeptToken): KeptToken {
    this.#held.set(account, kept);
    return kept;
  }
}
