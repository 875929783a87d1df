// The guide to the sandbox: its lines are run as they stand, in a shell, and give what the guide says.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../gateway.ts';

const guide = readFileSync(new URL('../../../docs/guides/sandbox.md', import.meta.url), 'utf8');

/** Everything a reader is told to run, in order. */
const lines = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');

let gateway: TestGateway;
beforeAll(async () => {
  // As `malipo-server sandbox` has it, except for its memory of providers, which the guide waits for.
  gateway = await openTestGateway({ simulator: { outcomeDelayMs: 2_500 } });
});
afterAll(() => gateway.stop());

const found = (data: object) => ({ status: 'FOUND', data: expect.objectContaining(data) });
const failed = (failureCode: string) =>
  found({ status: 'FAILED', failureReason: expect.objectContaining({ failureCode }) });
const deposits = (status: string) => ({
  provider: 'MTN_MOMO_RWA',
  operations: { DEPOSIT: expect.objectContaining({ status }) },
});

const waitFor = (ask: string, text: string) => `until ${ask} | grep -q '${text}'; do sleep 0.2; done\n${ask}`;

/** A reader is slower than this: what the guide looks at after a pause is waited for. */
function waitInsteadOfSleeping(script: string): string {
  const statuses = ['FAILED', 'FAILED', 'IN_RECONCILIATION', 'COMPLETED'];
  return script
    .replaceAll(/^sleep \d\n(curl -s "\$BASE\/v2\/deposits\/\$ID".*)$/gm, (_, ask: string) =>
      waitFor(ask, `"status":"${statuses.shift()}"`),
    )
    .replaceAll(/^sleep \d\n(curl -s "\$BASE\/sandbox\/prompts".*)$/gm, (_, ask: string) =>
      waitFor(ask, 'promptId'),
    )
    .replace(/^pay\nsleep 1\n(?=curl -s "\$BASE\/sandbox\/clock")/m, () => `pay\n${UNTIL_SENT}\n`);
}

/** What is not sent when the clock is moved ends unsent. */
const UNTIL_SENT = `until curl -s "$BASE/v2/deposits/$ID" -H "$AUTH" | grep -q PROCESSING; do sleep 0.2; done`;

test('every line of the guide works when pasted, and does what the guide says', async () => {
  // Each answer on a line of its own.
  const script = waitInsteadOfSleeping(lines).replaceAll('curl -s', 'curl -s -w "\\n"');
  const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', script], {
    env: { PATH: process.env['PATH'], BASE: gateway.url, TOKEN: gateway.apiToken },
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(answers).toMatchObject([
    { scenario: 'FAILURE', failureCode: 'INSUFFICIENT_BALANCE', operation: 'DEPOSIT', times: 1 },
    { status: 'ACCEPTED' },
    failed('INSUFFICIENT_BALANCE'),
    { scenario: 'FAILURE', operation: 'PAYOUT', times: 3 },
    [{ scenario: 'FAILURE', operation: 'PAYOUT', times: 3 }],
    { removed: 1 },
    { scenario: 'AWAIT_PROMPT' },
    { status: 'ACCEPTED' },
    [{ phoneNumber: '250783456789', amount: '100', currency: 'RWF', customerMessage: 'Demo Shop' }],
    { phoneNumber: '250783456789' },
    failed('PAYMENT_NOT_APPROVED'),
    deposits('DELAYED'),
    { status: 'REJECTED', failureReason: { failureCode: 'PROVIDER_TEMPORARILY_UNAVAILABLE' } },
    deposits('DELAYED'),
    deposits('OPERATIONAL'),
    { scenario: 'LATE_SUCCESS' },
    { status: 'ACCEPTED' },
    { now: expect.any(String) },
    found({ status: 'IN_RECONCILIATION' }),
    { now: expect.any(String) },
    found({ status: 'COMPLETED' }),
    { now: expect.any(String) },
  ]);
});

test('the guide has a row for every scenario of the document', () => {
  const document = JSON.parse(
    readFileSync(new URL('../../../openapi/sandbox.json', import.meta.url), 'utf8'),
  );
  const { schema } = document.paths['/sandbox/scripts'].post.requestBody.content['application/json'];
  const rows = [...guide.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  expect(rows).toEqual(schema.properties.scenario.enum);
});
