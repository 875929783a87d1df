// Events of a sandbox: statuses of payments and deliveries of callbacks.
import type { SandboxControl } from './sandbox-control.ts';

export type SandboxEvent = {
  readonly at: string;
  readonly type: 'PAYMENT' | 'DELIVERY';
  readonly eventId: string;
  readonly kind: string;
  readonly paymentId: string;
  readonly status: string;
  readonly detail?: string;
};

type Events = { readonly events: readonly SandboxEvent[]; readonly cursor: string };

/** Without `after` there is only the cursor to begin with. The oldest event is first. */
export function readSandboxEvents(control: SandboxControl, after?: string): Promise<Events> {
  return control.call('GET', after === undefined ? 'events' : `events?after=${encodeURIComponent(after)}`);
}

export function renderEvent({ at, type, kind, paymentId, status, detail }: SandboxEvent): string {
  const subject = `${at.slice(11, 23)}  ${kind.toLowerCase().padEnd(10)} ${paymentId}`;
  if (type === 'DELIVERY') return `${subject}  callback ${renderDelivery(status)}, ${detail ?? ''}`;
  const isFinal = status === 'COMPLETED' || status === 'FAILED';
  const cause = detail === 'OPERATOR_ANSWERED' && isFinal ? 'operator confirmed' : CAUSES[detail ?? ''];
  return `${subject}  ${status.toLowerCase().replaceAll('_', ' ')}${cause === undefined ? '' : ` (${cause})`}`;
}

/** The HTTP status, or a code if there was no answer. */
function renderDelivery(status: string): string {
  return status.startsWith('2') ? `delivered (${status})` : `failed (${status})`;
}

/** Why a payment has a new status. A cause that says no more than the status is left out. */
const CAUSES: Readonly<Record<string, string>> = {
  SUBMIT_CLAIMED: 'sent to the operator',
  SUBMIT_UNSENT: 'not sent yet',
  SUBMIT_EXPIRED: 'could not be sent in time',
  OPERATOR_ANSWERED: 'operator answered',
  HORIZON_PASSED: 'no final status in time',
  PROVIDER_DELAYED: 'provider unavailable',
  RELEASED: 'provider available again',
  CANCELLED: 'cancelled',
  ENDED_MANUALLY: 'resolved manually',
};
