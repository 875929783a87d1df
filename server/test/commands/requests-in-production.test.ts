// In production the command line creates requests, and approves nothing: no one is signed in there.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listWallets } from '../../src/store/ledger/ledger.ts';
import { runCommandHere, type CommandResult } from '../command-process.ts';
import { answerTo, decideAt, decideAtHost } from '../console/asked.ts';
import {
  CONSOLE,
  confirmed,
  createPerson,
  openTestConsole,
  signedIn,
  type TestPerson,
} from '../console/people.ts';
import { select, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';

let gateway: TestGateway;
let folder: string;
let ana: TestPerson;
let ben: TestPerson;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-production-'));
  gateway = await openTestConsole({ environment: 'production', role: 'api' });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const run = (...args: readonly string[]) => runWith({}, ...args);

const PROVIDER = {
  MALIPO_OIDC_ISSUER: 'https://id.example',
  MALIPO_OIDC_CLIENT_ID: 'malipo',
  MALIPO_OIDC_CLIENT_SECRET: 'a secret',
  MALIPO_OIDC_ROLES: 'admins=OPERATOR_ADMIN',
};

function runWith(more: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<CommandResult> {
  const settings = Object.entries(serverEnvironment(gateway)).filter(([name]) => !name.includes('SIMULATOR'));
  return runCommandHere(
    {
      ...Object.fromEntries(settings),
      MALIPO_ENVIRONMENT: 'production',
      MALIPO_PUBLIC_URL: gateway.url,
      MALIPO_CONSOLE_KEY: CONSOLE.key.toString('base64'),
      ...more,
    },
    args,
  );
}

const at = (...args: readonly string[]) => [...args, '--merchant', gateway.merchantId, '--by', 'Ghost'];
const REQUESTED = 'requested; two people must approve it in the dashboard';

async function open(kind: string): Promise<string> {
  const rows = await select(
    gateway,
    `select approval_id, requested_by from approvals where kind = $1 and status = 'PENDING'
     order by requested_at desc`,
    [kind],
  );
  expect(rows[0]).toMatchObject({ requested_by: null });
  return rows[0]!['approval_id'];
}

const approve = (person: TestPerson, approvalId: string, isHost = false) =>
  decideAt(gateway, isHost ? null : gateway.merchantId, person, approvalId, 'approve');

async function balance(): Promise<bigint> {
  const wallets = await listWallets(gateway.engine.store.database, gateway.merchantId);
  return wallets.find(({ currency }) => currency === 'RWF')?.posted ?? 0n;
}

async function countRequests(reference: string): Promise<number> {
  const found = `select 1 from approvals where request ->> 'reference' = $1`;
  return (await select(gateway, found, [reference])).length;
}

const chargeLine = (amount: string, reference: string) =>
  `2027-03-01T14:00:00Z,OUT,COMPLETED,${amount},RWF,${reference},OPERATOR_CHARGE`;

async function countCharges(): Promise<number> {
  return (await select(gateway, `select 1 from transfers where template = 'OPERATOR_CHARGE'`)).length;
}

function invite(email: string): Promise<CommandResult> {
  return run('administrator', 'invite', '--email', email, '--by', 'Ghost');
}

function make(...more: readonly string[]): Promise<CommandResult> {
  return run(...at('token', 'create', '--name', 'reader', '--scopes', 'finances:read', ...more));
}

async function endOf(text: string): Promise<Date> {
  const found = 'select expires_at from api_tokens where token_id = $1';
  const [token] = await select(gateway, found, [text.split('_')[3]]);
  expect(token).toEqual({ expires_at: expect.any(Date) });
  return token!['expires_at'];
}

describe('B2: the command line creates requests in production', () => {
  test('The first two administrators are invited by command, the third by approval.', async () => {
    expect((await invite('first@example.com')).output).toContain('/dashboard/join/');
    expect((await invite('second@example.com')).output).toContain('/dashboard/join/');
    expect((await invite('third@example.com')).output).toBe(REQUESTED);
    await open('INVITATION');
    ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  });

  test('Administrators whose role has ended until they sign in again still approve the next one.', async () => {
    await select(gateway, 'update invitations set ended_at = now()');
    await select(gateway, `update memberships set until = now() - interval '1 hour'`);
    const { output } = await invite('fourth@example.com');
    await select(gateway, 'update memberships set until = null');
    expect(output).toBe(REQUESTED);
  });

  test('A token that sends money is unknown until two people who are signed in approve it.', async () => {
    const made = await run(
      ...at('token', 'create', '--name', 't', '--scopes', 'payouts:write,finances:read'),
    );
    const [text = '', told] = made.output.split('\n');
    expect(told).toBe(REQUESTED);
    expect((await answerTo(gateway, text)).status).toBe(401);
    const approvalId = await open('TOKEN');
    expect((await approve(ana, approvalId)).body.outcome).toBe('CONFIRMED');
    expect((await approve(ana, approvalId)).status).toBe(409);
    expect((await answerTo(gateway, text)).status).toBe(401);
    expect((await approve(ben, approvalId)).body.outcome).toBe('DONE');
    expect((await answerTo(gateway, text)).status).toBe(200);
  });

  test('Money is moved when two people approve it, and once.', async () => {
    const place = ['--country', 'RWA', '--currency', 'RWF'];
    const before = await balance();
    const bank = ['--reference', 'FT-1'];
    expect((await run(...at('wallet', 'top-up', ...place, '--amount', '500', ...bank))).output).toBe(
      REQUESTED,
    );
    expect(await balance()).toBe(before);
    const approvalId = await open('MONEY');
    await approve(ana, approvalId, true);
    expect((await approve(ben, approvalId, true)).body.outcome).toBe('DONE');
    expect((await approve(ben, approvalId, true)).status).toBe(409);
    expect(await balance()).toBe(before + 5_000_000n);
    const settled = await run(...at('wallet', 'settle', ...place, '--amount', '500', '--reference', 'FT-2'));
    expect(settled.output).toBe(REQUESTED);
    expect((await run(...at('wallet', 'adjust', ...place, '--amount=-500', '--reason', 'x'))).output).toBe(
      REQUESTED,
    );
    expect(await balance()).toBe(before + 5_000_000n);
  });

  test('A10: a top-up or settlement needs the bank reference, and is requested and posted once.', async () => {
    const place = ['--country', 'RWA', '--currency', 'RWF'];
    const topUp = (amount: string) =>
      run(...at('wallet', 'top-up', ...place, '--amount', amount, '--reference', 'FT-3'));
    expect((await run(...at('wallet', 'top-up', ...place, '--amount', '600'))).errors).toContain(
      'Missing: --reference',
    );
    expect((await run(...at('wallet', 'settle', ...place, '--amount', '600'))).errors).toContain(
      'Missing: --reference',
    );
    expect((await topUp('601')).output).toBe(REQUESTED);
    const refusedId = await open('MONEY');
    expect((await topUp('602')).errors).toContain('FT-3 belongs to another movement: TOP_UP of 601 RWF');
    await decideAtHost(gateway, ana, refusedId, 'reject');
    expect((await topUp('602')).output).toBe(REQUESTED);
    expect((await topUp('602')).output).toBe(REQUESTED);
    expect(await countRequests('FT-3')).toBe(2);
    const before = await balance();
    const approvalId = await open('MONEY');
    await approve(ana, approvalId, true);
    expect((await approve(ben, approvalId, true)).body.outcome).toBe('DONE');
    const again = await topUp('602');
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('nothing was moved again')]);
    expect([await countRequests('FT-3'), await balance()]).toEqual([2, before + 6_020_000n]);
  });

  test('A10: in the dashboard a top-up needs the bank reference too.', async () => {
    const place = { merchantId: gateway.merchantId, country: 'RWA', currency: 'RWF' };
    const order = { ...place, type: 'TOP_UP', amount: '5', reason: 'a slip' };
    const { status, body } = await ana.call('POST', 'api/host/money-requests', order);
    expect([status, body.failureReason?.failureMessage]).toEqual([400, expect.stringContaining('reference')]);
    const named = { ...order, reference: 'FT-4' };
    expect((await ana.call('POST', 'api/host/money-requests', named)).status).toBe(200);
    const correction = { ...order, type: 'ADJUSTMENT' };
    expect((await ana.call('POST', 'api/host/money-requests', correction)).status).toBe(200);
  });

  test('A10: a charge of an operator is requested by command or by its report, and posted once.', async () => {
    const place = ['--provider', 'MTN_MOMO_RWA', '--currency', 'RWF', '--reference', 'charge-1'];
    const order = ['float', 'move', '--type', 'OPERATOR_CHARGE', ...place, '--amount', '40', '--by', 'Ghost'];
    expect((await run(...order)).output).toBe(REQUESTED);
    expect((await run(...order)).output).toBe(REQUESTED);
    expect(await countRequests('CHARGE-1')).toBe(1);
    const file = join(folder, 'report.csv');
    const header = 'time,direction,status,amount,currency,transactionId,movement';
    await writeFile(file, [header, chargeLine('40', 'charge-1'), chargeLine('60', 'charge-2')].join('\n'));
    const report = [
      'operator-report',
      'import',
      '--provider',
      'MTN_MOMO_RWA',
      '--file',
      file,
      '--by',
      'Ghost',
    ];
    const { output } = await run(...report);
    expect(output).toContain('REQUESTED\t1');
    expect(output).toContain('TO_APPROVE\t1');
    expect(await countRequests('CHARGE-1')).toBe(1);
    for (const [posted, kind] of [
      [1, 'FLOAT'],
      [2, 'OPERATOR_REPORT'],
    ] as const) {
      const approvalId = await open(kind);
      expect((await approve(ana, approvalId, true)).body.outcome).toBe('CONFIRMED');
      expect(await countCharges()).toBe(posted - 1);
      expect((await approve(ben, approvalId, true)).body.outcome).toBe('DONE');
      expect(await countCharges()).toBe(posted);
    }
    const again = (await run(...report)).output;
    expect(again).toContain('AGREES\t1');
    expect(again).toContain('APPLIED\t1');
    expect((await run(...order)).output).toContain('nothing was moved again');
    expect(await countCharges()).toBe(2);
  });

  test('A public key, requests without signatures and a person who decides are requested.', async () => {
    const file = join(folder, 'key.pem');
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
    const key = ['--name', 'k', '--algorithm', 'ecdsa-p256-sha256', '--file', file];
    expect((await run(...at('public-key', 'add', ...key))).output).toContain(REQUESTED);
    expect(await select(gateway, 'select 1 from merchant_public_keys')).toEqual([]);
    await select(gateway, 'update merchants set signed_requests_only = true');
    expect((await run(...at('signatures', 'require', '--set', 'off'))).output).toBe(REQUESTED);
    const person = ['--email', 'x@example.com', '--role', 'FINANCE'];
    expect((await run(...at('person', 'invite', ...person))).output).toBe(REQUESTED);
    await select(gateway, 'update merchants set signed_requests_only = false');
  });

  test.each([
    ['approval approve', ['--approval', '00000000-0000-4000-8000-000000000000']],
    ['approval reject', ['--approval', '00000000-0000-4000-8000-000000000000']],
    ['approval withdraw', ['--approval', '00000000-0000-4000-8000-000000000000']],
    ['case resolve', [...ofCase(), '--resolution', 'WRITE_OFF', '--reason', 'x']],
  ])('The command %s is refused: people approve in the dashboard.', async (command, options) => {
    expect((await run(...command.split(' '), ...options, '--by', 'Ghost')).errors).toBe(
      'In production this is approved in the dashboard, by people who are signed in.',
    );
  });

  test('A link to choose a password is not printed: with it one person would sign in as another.', async () => {
    const { output, errors } = await run('person', 'reset-password', '--email', ben.email, '--by', 'Ghost');
    expect([output, errors]).toEqual(['', expect.stringContaining('mailed to the person')]);
  });

  test('A person whom the identity provider signs in gets no link to choose a password.', async () => {
    const { personId, email } = await createPerson(gateway, 'OWNER');
    const linked = `update people_passwords set provider_id = 'oidc', password = null where person_id = $1`;
    await select(gateway, linked, [personId]);
    const { errors } = await runWith(PROVIDER, 'person', 'reset-password', '--email', email, '--by', 'Ghost');
    expect(errors).toBe('This person signs in with the identity provider, and has no password.');
  });
});

function ofCase(): readonly string[] {
  return ['--case', '00000000-0000-4000-8000-000000000000'];
}

describe('B12: tokens made by the command line in production', () => {
  test('A token needs --scopes.', async () => {
    expect((await run(...at('token', 'create', '--name', 't'))).errors).toContain('Missing: --scopes');
  });

  test('A token gets an expiry of a year, or an earlier one, and never a later one.', async () => {
    const days = (await endOf((await make()).output)).getTime() - Date.now();
    expect(Math.round(days / 86_400_000)).toBe(365);
    const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect((await endOf((await make('--expires', soon)).output)).toISOString()).toContain(soon);
    expect((await make('--expires', '2099-01-31')).errors).toContain('expires within a year');
  });
});
