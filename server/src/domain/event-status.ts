// The statuses with which split payments, checkouts and statements end, as the queue of events has them.

/** Their order is stored: new ones are added at the end. */
const STATUSES = ['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAYOUT_FAILED'] as const;

export type EndStatus = (typeof STATUSES)[number];

/** Throws for a status that is not an end. */
export function statusNoOf(status: string): number {
  const no = STATUSES.findIndex((one) => one === status);
  if (no === -1) throw new Error(`${status} is not the end of anything`);
  return no;
}

export function statusOfNo(no: number): EndStatus {
  const status = STATUSES[no];
  if (status === undefined) throw new Error(`there is no status ${no}`);
  return status;
}
