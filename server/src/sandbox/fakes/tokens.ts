// The access tokens that a fake issued. They do not survive a restart: clients must renew.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';

export class FakeTokens<Holder> {
  readonly #clock: Clock;
  readonly #given = new Map<string, { readonly holder: Holder; readonly endsAtMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(holder: Holder, lifetimeSeconds: number): string {
    const token = randomBytes(24).toString('base64url');
    this.#given.set(token, { holder, endsAtMs: this.#clock.now().getTime() + lifetimeSeconds * 1_000 });
    return token;
  }

  /** Some operators end all earlier tokens of a holder when they issue a new one. */
  withdrawWhere(isMeant: (holder: Holder) => boolean): void {
    for (const [token, { holder }] of this.#given) if (isMeant(holder)) this.#given.delete(token);
  }

  /** The holder of the token in this Authorization header; null if invalid. */
  holderOf(authorization: string | undefined): Holder | null {
    const given = this.#given.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
    return given !== undefined && this.#clock.now().getTime() < given.endsAtMs ? given.holder : null;
  }
}
