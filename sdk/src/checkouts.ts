// Checkouts: hosted sessions in which a customer may try several times and pay once.
import type { Checkout, CheckoutRequest } from './api.ts';
import type { Acted } from './outcome.ts';
import { Resource } from './resource.ts';

export type CheckoutAddress = {
  /** Where to redirect the customer. */
  readonly redirectUrl: string;
  readonly expiresAt: string;
  readonly checkoutCode: string;
};

export class Checkouts extends Resource<CheckoutRequest, Checkout, CheckoutAddress> {
  /**
   * Ends a checkout that no one is paying right now.
   *
   * @example
   * ```ts
   * const started = await malipo.checkouts.create({ returnUrl: 'https://shop.example/thanks' });
   * if (started.outcome === 'accepted') console.log('send the customer to', started.redirectUrl);
   * console.log((await malipo.checkouts.expire(started.id)).outcome); // accepted
   * const checkout = await malipo.checkouts.waitForFinal(started.id);
   * if (checkout.isFinal) console.log(checkout.status); // EXPIRED
   * ```
   */
  async expire(id: string): Promise<Acted> {
    return this.act(id, `${this.pathOf(id)}/expire`);
  }
}
