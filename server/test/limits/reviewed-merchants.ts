// Merchants whose payments are reviewed, and a screening service that misbehaves as told.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { changeReviewRule } from '../../src/core/limits/set-review-rules.ts';
import type { Engine } from '../../src/core/engine.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import { claimSubmits } from '../../src/core/payments/process/submit.ts';
import type { ReviewRule } from '../../src/domain/limits/review.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { listPayments } from '../../src/store/payments/payments.ts';
import { actorNamed } from '../approvals.ts';
import { select } from '../gateway.ts';
import { orderOf } from './limited-merchants.ts';

export function ruleOf(changes: Partial<ReviewRule>): ReviewRule {
  return {
    rule: 'SCREENING',
    subject: 'PAYOUT',
    withoutAnswer: null,
    amountAbove: null,
    hours: null,
    ...changes,
  };
}

export async function reviewedMerchant(
  engine: Engine,
  rules: readonly Partial<ReviewRule>[],
): Promise<string> {
  const { merchantId } = await createDemoMerchant(engine, null);
  for (const one of rules) await setRule(engine, merchantId, one);
  return merchantId;
}

export async function setRule(
  engine: Engine,
  merchantId: string,
  changes: Partial<ReviewRule>,
): Promise<void> {
  const { rule, subject, ...values } = ruleOf(changes);
  const order = { actor: actorNamed('Ana'), secondApprover: 'OPTIONAL' } as const;
  await changeReviewRule(engine, { ...order, merchantId, key: { rule, subject }, values });
}

export async function accepted(
  engine: Engine,
  merchantId: string,
  changes: Partial<DirectOrder> = {},
): Promise<PaymentKey> {
  const order = await orderOf(engine, merchantId, changes);
  const [answer] = await initiate(engine, [order]);
  if (answer?.type !== 'ACCEPTED') throw new Error(`not accepted: ${JSON.stringify(answer)}`);
  return { merchantId, kind: order.kind, paymentId: order.writtenId };
}

export async function read(engine: Engine, key: PaymentKey) {
  const { database, keyring } = engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  if (payment === undefined) throw new Error('no such payment');
  return payment;
}

export async function claimedNow(engine: Engine): Promise<readonly string[]> {
  const { claimed } = await claimSubmits(engine, { countMax: 100 });
  return claimed.map(({ payment }) => payment.paymentId);
}

export async function reviewOf(engine: Engine, { paymentId }: PaymentKey) {
  const rows = await select(
    { engine },
    'select status, reasons, ends_at, encrypted_reason from payment_reviews where payment_id = $1',
    [paymentId],
  );
  return rows[0] ?? null;
}

/** What it does with a question. LIE: a word that is no decision. CROSSED: an answer to another question. */
export type Behaviour =
  | 'ALLOW'
  | 'HOLD'
  | 'REJECT'
  | 'HANG'
  | 'LIE'
  | 'CROSSED'
  | 'GARBAGE'
  | 'FAIL'
  | 'BREAK'
  | 'CUT'
  | 'SLOW';

export type ScreeningService = {
  readonly url: string;
  readonly asked: readonly {
    readonly body: Record<string, unknown>;
    readonly headers: IncomingHttpHeaders;
  }[];
  behave: (body: Record<string, unknown>) => Behaviour;
  readonly stop: () => Promise<void>;
};

/** SLOW answers ALLOW after this. */
export const SLOW_MS = 1_500;

export async function startScreeningService(): Promise<ScreeningService> {
  const asked: { body: Record<string, unknown>; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      asked.push({ body, headers: request.headers });
      const behaviour = service.behave(body);
      const render = (decision: string, screeningId = body['screeningId']) =>
        JSON.stringify({ screeningId, decision, reason: 'looks like Grace Uwase' });
      const answer = (decision: string, screeningId = body['screeningId']) =>
        response.end(render(decision, screeningId));
      if (behaviour === 'HANG') return;
      if (behaviour === 'BREAK') return void response.destroy();
      if (behaviour === 'CUT') {
        const part = render('ALLOW');
        response.writeHead(200, { 'content-length': part.length + 1 });
        return void response.write(part, () => response.destroy());
      }
      if (behaviour === 'FAIL') return void response.writeHead(500).end();
      if (behaviour === 'GARBAGE') return void response.end('{"decision":"ALLOW",');
      if (behaviour === 'CROSSED') return void answer('ALLOW', 'another');
      if (behaviour === 'SLOW') return void pause(SLOW_MS).then(() => answer('ALLOW'));
      return void answer(behaviour === 'LIE' ? 'YES' : behaviour);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: ScreeningService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`,
    asked,
    behave: () => 'ALLOW',
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return service;
}
