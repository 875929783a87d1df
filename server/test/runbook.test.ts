// What the runbook tells people to run, on a database that needs it.
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { claimSubmits } from '../src/core/payments/process/submit.ts';
import { readFences } from './docs/page-blocks.ts';
import { depositRequest, openTestGateway, select, type TestGateway } from './gateway.ts';
import { start, waitForPayment, type Noun } from './payments.ts';
import { payoutRequest } from './requests.ts';

const RUNBOOK = new URL('../../docs/operating/monitoring.md', import.meta.url);

/** The statement in the section of an alert. */
function statementFor(alert: string): string {
  const section = readFileSync(RUNBOOK, 'utf8')
    .split(/^### /m)
    .find((one) => one.startsWith(alert));
  const [sql, ...others] = readFences(section ?? '').filter(({ info }) => info === 'sql');
  expect(others).toEqual([]);
  return sql!.text;
}

let gateway: TestGateway;
let worker: Gateway | undefined;
beforeEach(async () => {
  // No worker at first: payments stay as they are.
  gateway = await openTestGateway({
    role: 'api',
    timing: { sendDeadlineMs: 2_000, timeoutMs: 3_000, notSeenAfterMs: 5_000, enquiryDelaysMs: [50] },
  });
});
afterEach(async () => {
  await worker?.stop();
  await gateway.stop();
});

async function asOwner(text: string): Promise<void> {
  const client = new Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

test('what the runbook schedules for payments without a step brings each of them to its end', async () => {
  const startBoth = async (): Promise<readonly (readonly [Noun, string])[]> => [
    ['deposit', await start(gateway, 'deposit', depositRequest())],
    ['payout', await start(gateway, 'payout', payoutRequest())],
  ];
  const claimed = await startBoth();
  expect((await claimSubmits(gateway.engine, { countMax: 9 })).count).toBe(claimed.length);
  const unsent = await startBoth();
  const [constraint] = await select(
    gateway,
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'payments_open_has_next_action'`,
  );
  await asOwner('alter table payments drop constraint payments_open_has_next_action');
  await asOwner('update payments set next_action = null, next_action_at = null');
  await asOwner(statementFor('MalipoPaymentsWithoutStep'));
  await asOwner(`alter table payments add constraint payments_open_has_next_action ${constraint!['text']}`);
  worker = await openGateway({ ...gateway.config, operatorsUrl: gateway.url }, { role: 'worker', logTo: 2 });
  await worker.start();
  for (const [noun, id] of [...claimed, ...unsent]) await waitForPayment(gateway, noun, id, 'COMPLETED');
});
