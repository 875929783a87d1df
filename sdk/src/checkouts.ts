// Checkouts: hosted sessions in which a customer may try several times and pay once.
import type { Checkout, CheckoutOrder } from './api.ts';
import type { Acted } from './outcome.ts';
import { Resource } from './resource.ts';

export type CheckoutAddress = {
  /** Where to send the customer. */
  readonly redirectUrl: string;
  readonly expiresAt: string;
  readonly checkoutCode: string;
};

export class Checkouts extends Resource<CheckoutOrder, Checkout, CheckoutAddress> {
  /** Ends a checkout that nobody is paying right now. */
  async expire(id: string): Promise<Acted> {
    return this.act(id, `${this.pathOf(id)}/expire`);
  }
}
