// The access tokens that the simulator issued. They do not survive a restart: clients must renew on a 401.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { Settings } from '../fakes/settings.ts';

export type Client = { readonly clientId: string; readonly clientSecret: string };

export class IssuedTokens {
  readonly #expiries = new Map<string, Date | 'AFTER_ONE_REQUEST'>();
  readonly #expected: Buffer;
  readonly #clock: Clock;

  constructor(client: Client, clock: Clock) {
    const credentials = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    this.#expected = Buffer.from(`Basic ${credentials}`);
    this.#clock = clock;
  }

  isClient(authorization: string | undefined): boolean {
    const given = Buffer.from(authorization ?? '');
    return given.length === this.#expected.length && timingSafeEqual(given, this.#expected);
  }

  issue({ tokenLifetimeSeconds }: Settings) {
    this.#dropExpired();
    const token = randomBytes(24).toString('base64url');
    const expiry = new Date(this.#clock.now().getTime() + tokenLifetimeSeconds * 1_000);
    this.#expiries.set(token, tokenLifetimeSeconds === 0 ? 'AFTER_ONE_REQUEST' : expiry);
    return { access_token: token, token_type: 'Bearer', expires_in: tokenLifetimeSeconds };
  }

  /** Whether a request is allowed. A token for one request is used up by this check. */
  admit(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    const expiry = this.#expiries.get(token);
    if (expiry === undefined) return false;
    if (expiry !== 'AFTER_ONE_REQUEST') return this.#clock.now() < expiry;
    return this.#expiries.delete(token);
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [token, expiry] of this.#expiries) {
      if (expiry !== 'AFTER_ONE_REQUEST' && expiry <= now) this.#expiries.delete(token);
    }
  }
}
