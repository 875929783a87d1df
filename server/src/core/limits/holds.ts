// What holds a payment, and what ends that. Pure.
import type { PaymentEvent } from '../../domain/payments/lifecycle.ts';
import type { NextAction, Payment } from '../../domain/payments/payment.ts';

/** What must hold a payment for a wait to change that: what was screened may go to people. */
export function holdBefore(event: PaymentEvent): Payment['held'] {
  return event.type === 'PROVIDER_DELAYED' && event.isFromScreening === true ? 'SCREENING' : undefined;
}

/** What holds the payment afterwards. One that merchants see in PROCESSING is looked at again later instead. */
export function holdAfter(
  event: PaymentEvent,
  next: NextAction | null,
): { readonly held?: NonNullable<Payment['held']>; readonly heldBy?: string } {
  if (event.type !== 'PROVIDER_DELAYED' || next !== null) return {};
  const { hold, heldBy } = event;
  if (hold !== undefined) return { held: hold };
  return heldBy === undefined ? {} : { held: 'FREEZE', heldBy };
}

/** Whether it waits for just what this ends. A deposit that is screened is held by nothing. */
export function isHeldBy(
  { kind, nextAction, held, heldBy }: Payment,
  { hold, heldBy: freezeId }: PaymentEvent & { readonly type: 'RELEASED' },
): boolean {
  if (hold === 'SCREENING' && kind === 'DEPOSIT') return nextAction === 'SUBMIT';
  const ended = hold ?? (freezeId === undefined ? undefined : 'FREEZE');
  return nextAction === null && held === ended && heldBy === freezeId;
}
