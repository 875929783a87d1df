// The commands against a whole gateway, as somebody types them.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAccount, openToken } from '../../server/test/edge/accounts.ts';
import type { Scope } from '../../server/src/core/merchants/administer-merchants.ts';
import { call, eventually, openTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import { numberEvents } from '../../server/src/core/event-numbers/number-events.ts';
import { topUp } from '../../server/test/payments.ts';
import { startCallbackReceiver } from '../../server/test/receiver.ts';
import { SCENARIOS } from '../src/scenarios.ts';
import { openMachine, type Machine } from './machine.ts';

let gateway: TestGateway;
/** Where somebody begins, without a profile. */
let machine: Machine;
/** Where a gateway was chosen. */
let shop: Machine;
beforeAll(async () => {
  gateway = await openTestGateway();
  machine = await openMachine();
  shop = await openMachine({
    MALIPO_URL: gateway.url,
    MALIPO_TOKEN: gateway.apiToken,
    MALIPO_MERCHANT_ID: gateway.merchantId,
  });
});
afterAll(async () => {
  await machine.remove();
  await shop.remove();
  await gateway.stop();
});

const profilesPath = () => join(machine.home, 'config/malipo/profiles.json');

const login = (name: string) =>
  machine.withInput(`${gateway.apiToken}\n`, 'login', '--url', `${gateway.url}/v2`, '--name', name);

const DEPOSIT = ['deposit', 'create', '--amount', '100', '--currency', 'RWF', '--phone', '+250 783 456 789'];

describe('profiles', () => {
  test('a command without a profile says how to get one', async () => {
    const { exitCode, stderr } = await machine.malipo('wallet', 'list');
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'Error: Not connected.\n' +
        'Start a sandbox: malipo sandbox. Or connect to a gateway: malipo login --url https://…\n',
    );
  });

  test('login tries a token before it keeps it, in a file that only its owner reads', async () => {
    const wrong = await machine.withInput('wrong', 'login', '--url', gateway.url);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain('Nothing was saved.');
    await expect(readFile(profilesPath())).rejects.toThrow('ENOENT');
    const { exitCode, stdout } = await login('first');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Connected to ${gateway.url} as Demo Shop.`);
    expect((await stat(profilesPath())).mode & 0o777).toBe(0o600);
  });

  test('profiles are listed without tokens, chosen, shown to a shell, and deleted', async () => {
    await login('second');
    expect(await machine.json('profile', 'list')).toEqual([
      { name: 'first', url: gateway.url, isCurrent: false },
      { name: 'second', url: gateway.url, isCurrent: true },
    ]);
    expect((await machine.malipo('profile', 'list')).stdout).not.toContain(gateway.apiToken);
    await machine.malipo('profile', 'use', 'first');
    await machine.malipo('profile', 'remove', 'second');
    const { stdout } = await machine.malipo('profile', 'env');
    const set = {
      MALIPO_URL: gateway.url,
      MALIPO_TOKEN: gateway.apiToken,
      MALIPO_MERCHANT_ID: gateway.merchantId,
    };
    expect(stdout).toBe(
      Object.entries(set)
        .map(([name, value]) => `export ${name}='${value}'\n`)
        .join(''),
    );
    const gone = await machine.malipo('wallet', 'list', '--profile', 'second');
    expect(gone.stderr).toContain('There is no profile "second".\nProfiles: first.');
  });

  test('profile env prints the merchant ID where it is known', async () => {
    expect(await shop.json('profile', 'env')).toEqual({
      MALIPO_URL: gateway.url,
      MALIPO_TOKEN: gateway.apiToken,
      MALIPO_MERCHANT_ID: gateway.merchantId,
    });
  });

  test('MALIPO_URL and MALIPO_TOKEN go before the current one', async () => {
    const other = await openMachine({ MALIPO_URL: gateway.url, MALIPO_TOKEN: gateway.apiToken });
    expect(await other.json('wallet', 'list', '--country', 'RWA')).toEqual([
      expect.objectContaining({ country: 'RWA', currency: 'RWF' }),
    ]);
    await other.remove();
  });
});

describe('payments', () => {
  test('a deposit is created, its provider detected from the number, and waited for', async () => {
    const { exitCode, stdout, stderr } = await shop.malipo(...DEPOSIT, '--reference', 'INV-1', '--wait');
    expect(stderr).toContain('Provider: MTN_MOMO_RWA (detected from the phone number).');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^status +COMPLETED$/m);
    expect(stdout).toMatch(/^clientReferenceId +INV-1$/m);
    expect(stdout).toMatch(/^payer\.accountDetails\.phoneNumber +250783456789$/m);
  });

  test('a repeated identifier does nothing, and the command says so', async () => {
    const id = randomUUID();
    expect(await shop.json(...DEPOSIT, '--id', id)).toMatchObject({ outcome: 'accepted', id });
    expect((await shop.malipo(...DEPOSIT, '--id', id)).stdout).toContain('Nothing was created.');
    expect((await shop.json('deposit', 'get', id, '--wait')).status).toBe('COMPLETED');
    expect((await shop.malipo('deposit', 'resend', id)).stdout).toBe('The callback will be sent again.\n');
  });

  test('create tells a new identifier before it sends a payment, and none that it was given', async () => {
    const stalled = await startCallbackReceiver();
    stalled.answerWith(null);
    const other = await openMachine({ MALIPO_URL: stalled.url, MALIPO_TOKEN: 'x' });
    const path = join(other.home, 'deposit.json');
    await writeFile(path, JSON.stringify({ depositId: randomUUID() }));
    const create = (...more: readonly string[]) =>
      other.start(...DEPOSIT, '--provider', 'MTN_MOMO_RWA', '--json', ...more);
    const started = [create(), create('--id', randomUUID()), create('--file', path)];
    await eventually(() => stalled.received.length).toBe(3);
    const [told = '', ...others] = started.map(({ stderr }) => stderr());
    await stalled.stop();
    const [{ id } = { id: '' }] = await Promise.all(
      started.map(async ({ ended }) => JSON.parse((await ended).stdout) as { readonly id: string }),
    );
    expect(told).toBe(
      `If you see no outcome, repeat the command with --id ${id}: another identifier could pay twice.\n`,
    );
    expect(others).toEqual(['', '']);
    await other.remove();
  });

  test('a payment that is refused, unknown or failed ends with code 1', async () => {
    const refused = await shop.malipo(...DEPOSIT, '--amount', '0.5');
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('Rejected: INVALID_AMOUNT'),
    });
    const id = randomUUID();
    const missing = await shop.malipo('payout', 'get', id);
    expect(missing).toMatchObject({ exitCode: 1, stdout: `There is no payout ${id}.\n` });
    const failed = await shop.malipo(...DEPOSIT, '--phone', '250783456039', '--wait');
    expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('PAYMENT_NOT_APPROVED') });
  });

  test('a payout that has ended cannot be cancelled, and a refund can come from a file', async () => {
    const payout = await shop.json('payout', 'create', ...DEPOSIT.slice(2), '--wait');
    expect(payout.status).toBe('COMPLETED');
    const cancelled = await shop.malipo('payout', 'cancel', payout.payoutId);
    expect(cancelled).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('INVALID_STATE') });
    const { depositId } = await shop.json(...DEPOSIT, '--wait');
    const path = join(shop.home, 'refund.json');
    await writeFile(path, JSON.stringify({ depositId, amount: '40', currency: 'RWF' }));
    const refund = await shop.json('refund', 'create', '--file', path, '--metadata', 'order=7', '--wait');
    expect(refund).toMatchObject({ status: 'COMPLETED', amount: '40', metadata: { order: '7' } });
  });

  test('a gateway that is down is distinguished from a wrong token', async () => {
    const noOne = await openMachine({ MALIPO_URL: 'http://127.0.0.1:9', MALIPO_TOKEN: 'x' });
    const away = await noOne.malipo('wallet', 'list');
    expect(away).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Is the gateway running?') });
    await noOne.remove();
    const stranger = await openMachine({ MALIPO_URL: gateway.url, MALIPO_TOKEN: 'x' });
    expect(await stranger.json('wallet', 'list')).toMatchObject({ error: { code: 'AUTHENTICATION_ERROR' } });
    await stranger.remove();
  });
});

test('an account that requires signed requests is served with the key of the profile', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const path = join(shop.home, 'key.pem');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const account = await openAccount(gateway);
  const other = await openMachine();
  const args = ['login', '--url', gateway.url, '--key-id', 'till', '--private-key', path];
  expect((await other.withInput(account.apiToken, ...args)).exitCode).toBe(0);
  const key = publicKey.export({ type: 'spki', format: 'pem' });
  await call(account, 'PUT', '/sandbox/public-keys/till', { algorithm: 'ecdsa-p256-sha256', key });
  await call(account, 'PUT', '/sandbox/signed-requests', { signedRequestsOnly: true });
  expect(await other.json(...DEPOSIT)).toMatchObject({ outcome: 'accepted' });
  const unsigned = await openMachine({ MALIPO_URL: gateway.url, MALIPO_TOKEN: account.apiToken });
  expect(await unsigned.json(...DEPOSIT)).toMatchObject({ error: { code: 'AUTHENTICATION_ERROR' } });
  await other.remove();
  await unsigned.remove();
});

describe('callbacks', () => {
  test('listen makes itself the callback address, verifies, and forwards with headers intact', async () => {
    const server = await startCallbackReceiver();
    const listening = shop.start('listen', '--forward', server.url, '--json');
    await eventually(() => listening.stdout()).toContain('"listening":true');
    const { depositId } = await shop.json(...DEPOSIT, '--wait');
    await eventually(() => listening.stdout().split('\n').length).toBe(3);
    const receipt = JSON.parse(listening.stdout().split('\n')[1] ?? '');
    expect(receipt).toMatchObject({ verified: true, id: depositId, status: 'COMPLETED', answered: 200 });
    const [handed] = server.received;
    expect(handed?.body).toEqual(receipt.body);
    expect(handed?.headers['signature']).toBe(receipt.headers['signature']);

    const { url } = JSON.parse(listening.stdout().split('\n')[0] ?? '');
    const forged = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ ...receipt.body, amount: '900' }),
    });
    expect(forged.status).toBe(401);
    await listening.stop();
    expect(listening.stdout()).toContain('"verified":false');
    expect(server.received).toHaveLength(1);
    await server.stop();
  });

  test('a server that is down makes the gateway send the callback again', async () => {
    const listening = shop.start('listen', '--forward', 'http://127.0.0.1:9/', '--count', '1');
    await eventually(() => listening.stdout()).toContain('Listening for callbacks at http://127.0.0.1:');
    await shop.malipo(...DEPOSIT, '--wait');
    const { stdout } = await listening.ended;
    expect(stdout).toMatch(/verified {2}deposit [\w-]{36} COMPLETED, forwarded to .*, answered 502\n$/);
  });
});

test('in production trigger and listen say that only a sandbox can be controlled; payments and events are listed', async () => {
  const production = await openTestGateway({ environment: 'production', role: 'api', announces: false });
  const other = await openMachine({ MALIPO_URL: production.url, MALIPO_TOKEN: production.apiToken });
  for (const words of [['trigger', 'success'], ['listen']]) {
    const { exitCode, stderr } = await other.malipo(...words);
    expect(stderr).toMatch(
      /^Error: This gateway is not a sandbox, and cannot .*\nStart a sandbox: malipo sandbox\./,
    );
    expect(exitCode).toBe(1);
  }
  expect((await other.malipo('payment', 'list')).stdout).toContain('No payments yet.');
  const tail = other.start('tail', '--after', 'oldest');
  await topUp(production, production.merchantId, '100');
  await numberEvents(production.engine);
  await eventually(() => tail.stdout()).toMatch(/ {2}wallet {5}RWA {2}\+100 RWF \(top up\)\n$/);
  const { stderr } = await tail.stop();
  expect(stderr).toMatch(/Continue later: malipo tail --after [\w-]+\n$/);
  const again = await other.malipo('tail', '--after', 'oldest', '--count', '1', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ number: 1, type: 'MOVEMENT' });
  await other.remove();
  await production.stop();
});

test('payments of all kinds are listed, the newest first, with amounts in the decimals of their currency', async () => {
  const account = await openAccount(gateway);
  const other = await openMachine({ MALIPO_URL: gateway.url, MALIPO_TOKEN: account.apiToken });
  expect((await other.malipo('payment', 'list')).stdout).toContain('No payments yet.');
  const zambian = ['--amount', '12.5', '--currency', 'ZMW', '--phone', '260763456789'];
  const { depositId } = await other.json(...DEPOSIT, '--wait');
  const { depositId: second } = await other.json('deposit', 'create', ...zambian, '--wait');
  expect(await other.json('payment', 'list')).toMatchObject([
    { kind: 'deposit', id: second, status: 'COMPLETED', amount: '12.5', currency: 'ZMW' },
    { kind: 'deposit', id: depositId, status: 'COMPLETED', amount: '100', currency: 'RWF' },
  ]);
  const { stdout } = await other.malipo('payment', 'list', '--count', '1');
  expect(stdout).toMatch(new RegExp(`deposit +${second} +COMPLETED +12\\.50 ZMW\\n$`));
  expect((await other.malipo('deposit', 'get', depositId)).stdout).toMatch(/^amount +100$/m);
  await other.remove();
  const listedWith = async (...scopes: readonly Scope[]) => {
    const { apiToken } = await openToken(gateway, account.merchantId, { scopes });
    const narrow = await openMachine({ MALIPO_URL: gateway.url, MALIPO_TOKEN: apiToken });
    const listed = await narrow.malipo('payment', 'list', '--json');
    await narrow.remove();
    return listed;
  };
  expect(JSON.parse((await listedWith('deposits:read')).stdout)).toHaveLength(2);
  const { exitCode, stdout: refusal } = await listedWith('toolkit:read');
  expect([exitCode, refusal]).toEqual([1, expect.stringContaining(':read')]);
});

describe('scenarios', () => {
  test('scenarios are listed', async () => {
    const names = (await shop.json('trigger', '--list')).map(({ name }: { name: string }) => name);
    expect(names).toEqual(SCENARIOS.map(({ name }) => name));
  });

  test.each([
    ['success', ['ACCEPTED', 'COMPLETED']],
    ['pin-declined', ['ACCEPTED', 'FAILED']],
    ['doubled-notification', ['ACCEPTED', 'COMPLETED']],
    ['provider-delayed', ['ACCEPTED', 'ENQUEUED', 'COMPLETED']],
    ['late-success', ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED']],
  ])('%s goes through %j', async (name, statuses) => {
    const played = await shop.json('trigger', name);
    const seen = played.statuses.filter((status: string) => statuses.includes(status));
    expect(seen).toEqual(statuses);
  });

  test('provider-closed is rejected, and leaves the provider as it was', async () => {
    const { stdout, exitCode } = await shop.malipo('trigger', 'provider-closed');
    expect(stdout).toContain('Rejected: PROVIDER_TEMPORARILY_UNAVAILABLE');
    expect(exitCode).toBe(0);
    const answer = await fetch(`${gateway.url}/sandbox/availability/MTN_MOMO_RWA`, {
      headers: { authorization: `Bearer ${gateway.apiToken}` },
    });
    expect(await answer.json()).toMatchObject({ operations: { PAYOUT: { status: 'OPERATIONAL' } } });
  });
});
