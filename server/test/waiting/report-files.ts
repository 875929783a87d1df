// Reports of the operator and files of the bank, uploaded by a person as the console takes them.
import { randomUUID } from 'node:crypto';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { addDays } from '../../src/domain/time-zone.ts';
import { approvalIn } from '../console/asked.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { nowOf } from '../clocks.ts';
import { select } from '../gateway.ts';
import { act, decideForPlatform, type World } from './world.ts';

export const ACCOUNT = { provider: 'MTN_MOMO_RWA', currency: 'RWF' } as const;
export const OF_ACCOUNT = `api/host/daily-closes/${ACCOUNT.provider}/${ACCOUNT.currency}`;

/** Follows the days of the account from today on, by UTC. */
export async function followDays({ gateway: { engine } }: World): Promise<void> {
  const account = { ...ACCOUNT, firstDay: today({ engine }), timeZone: 'UTC', dueHours: 36 };
  await startCloses(engine, { by: 'Ana', ...account });
}

export function today({ engine }: Pick<World['gateway'], 'engine'>): string {
  return nowOf(engine).toISOString().slice(0, 10);
}

export type ReportRow = {
  readonly direction: 'IN' | 'OUT';
  readonly status?: 'COMPLETED' | 'FAILED';
  readonly amount: string;
  readonly reference?: string;
  readonly transactionId?: string;
  readonly movement?: string;
};

/** Uploads a report of today in our own columns, as Ana. */
export async function uploadReport(world: World, ...rows: readonly ReportRow[]): Promise<void> {
  const time = nowOf(world.gateway.engine).toISOString();
  const lines = rows.map(({ direction, status = 'COMPLETED', amount, ...row }) =>
    [time, direction, status, amount, 'RWF', row.reference, row.transactionId, row.movement ?? ''].join(','),
  );
  const day = today(world.gateway);
  await act(world.ana, 'POST', `${OF_ACCOUNT}/uploads`, {
    source: 'OPERATOR',
    fileName: 'report.csv',
    file: base64Of(['time,direction,status,amount,currency,reference,transactionId,movement', ...lines]),
    from: addDays(day, -1),
    to: day,
  });
}

export function base64Of(lines: readonly string[]): string {
  return Buffer.from(lines.join('\n')).toString('base64');
}

/** What a report says of a payment at its operator: that it was completed, in full. */
export async function rowAbout(world: World, { kind, paymentId }: PaymentKey): Promise<ReportRow> {
  const [row] = await select(
    world.gateway,
    `select reference, trim_scale(amount)::text as amount from payment_attempts
     join payments using (payment_no) where payments.payment_id = $1`,
    [paymentId],
  );
  const direction = kind === 'DEPOSIT' ? 'IN' : 'OUT';
  return { direction, amount: row?.['amount'], reference: row?.['reference'], transactionId: randomUUID() };
}

/** Ana uploads a report that says the payment was completed, and Ben approves it. */
export async function tellByReport(world: World, key: PaymentKey): Promise<void> {
  await uploadReport(world, await rowAbout(world, key));
  await decideForPlatform(world, world.ben, await approvalIn(world.gateway, world.ana, 'OPERATOR_REPORT'));
}
