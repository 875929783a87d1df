// The client at a real gateway: what its calls come to.
import { createServer } from 'node:net';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMemoryJournal,
  Malipo,
  type Deposit,
  type DepositRequest,
  type MalipoOptions,
} from '@malipo/sdk';
import { CallbackVerifier } from '@malipo/sdk/callbacks';
import { rotateSigningKey } from '../../server/src/core/merchants/administer-keys.ts';
import { call, openTestGateway, waitUntil, type TestGateway } from '../../server/test/gateway.ts';
import { createKey, type TestAlgorithm } from '../../server/test/signing.ts';

let gateway: TestGateway;
let malipo: Malipo;
/**
 * A request that is given up while its connection is being made leaves a connection without any request, which a
 * server that stops waits a minute for. So the connections of this file end before the gateway stops.
 */
const connections = new Agent();
const others = getGlobalDispatcher();

beforeAll(async () => {
  setGlobalDispatcher(connections);
  gateway = await openTestGateway();
  malipo = clientWith();
});
afterAll(async () => {
  setGlobalDispatcher(others);
  await connections.destroy();
  await gateway.stop();
});

function clientWith(options: Partial<MalipoOptions> = {}): Malipo {
  return new Malipo({ baseUrl: gateway.url, token: gateway.apiToken, ...options });
}

function request(phoneNumber = '250783456789', changes: Partial<DepositRequest> = {}): DepositRequest {
  const accountDetails = { provider: 'MTN_MOMO_RWA', phoneNumber };
  return { amount: '100', currency: 'RWF', payer: { type: 'MMO', accountDetails }, ...changes };
}

describe('a request', () => {
  test('a request is accepted, found and at last paid', async () => {
    const started = await malipo.deposits.create(request());
    expect(started).toMatchObject({ outcome: 'accepted', id: expect.any(String), nextStep: 'FINAL_STATUS' });
    expect(await malipo.deposits.waitForFinal(started.id)).toMatchObject({ status: 'COMPLETED', paid: true });
    const found = await malipo.deposits.get(started.id);
    expect(found).toMatchObject({ found: true, payment: { depositId: started.id, isFinal: true } });
    expect(await malipo.deposits.get(crypto.randomUUID())).toEqual({ found: false });
  });

  test('a request is listed with others, page after page and the newest first', async () => {
    const clientReferenceId = crypto.randomUUID();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await malipo.deposits.create(request(undefined, { clientReferenceId }))).id);
    await malipo.deposits.waitForFinal(ids[0]!);
    const listed: Deposit[] = [];
    const filter = { clientReferenceId, from: new Date(Date.now() - 60_000), pageSize: 1 };
    for await (const deposit of malipo.deposits.list(filter)) listed.push(deposit);
    expect(listed.map(({ depositId }) => depositId)).toEqual(ids.toReversed());
    expect(listed.at(-1)).toMatchObject({ paid: true, isFinal: true });
    const refused = malipo.deposits.list({ from: 'yesterday' }).next();
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_PARAMETER', status: 400 });
  });

  test('whose payer declines is FAILED, with the reason and without paid', async () => {
    const { id } = await malipo.deposits.create(request('250783456039'));
    const payment = await malipo.deposits.waitForFinal(id);
    expect(payment).toMatchObject({ failureReason: { failureCode: 'PAYMENT_NOT_APPROVED' }, isFinal: true });
    expect(payment).not.toHaveProperty('paid');
  });

  test('with an identifier that was accepted before is a duplicate', async () => {
    const { id } = await malipo.deposits.create(request());
    const again = await malipo.deposits.create(request(undefined, { depositId: id }));
    expect(again).toMatchObject({ outcome: 'duplicate', id });
  });

  test('that the gateway refuses is rejected with its reason, and leaves nothing in the journal', async () => {
    const journal = createMemoryJournal();
    const requests = [request(undefined, { amount: '0' }), request(undefined, { customerMessage: '!' })];
    const started = requests.map((one) => clientWith({ journal }).deposits.create(one));
    expect(await Promise.all(started)).toMatchObject(
      ['AMOUNT_OUT_OF_BOUNDS', 'INVALID_PARAMETER'].map((failureCode) => ({
        outcome: 'rejected',
        failureReason: { failureCode },
        documentationUrl: `${gateway.url}/docs/reference/failure-codes#${failureCode}`,
      })),
    );
    expect(await journal.unsettled()).toEqual([]);
  });

  test('a request is in the journal before it is sent, and stays there while no one knows its outcome', async () => {
    const journal = createMemoryJournal();
    const seen: unknown[] = [];
    const broken = clientWith({
      journal,
      retryForMs: 300,
      fetch: async () => {
        seen.push(...(await journal.unsettled()));
        throw new TypeError('no network');
      },
    });
    const started = await broken.payouts.create({
      amount: '100',
      currency: 'RWF',
      recipient: request().payer,
      clientReferenceId: 'invoice 7',
    });
    expect(started).toMatchObject({ outcome: 'unknown', cause: { code: 'NETWORK' } });
    expect(seen[0]).toMatchObject({ kind: 'payout', id: started.id, clientReferenceId: 'invoice 7' });
    expect(await broken.unsettled()).toHaveLength(1);
  });

  test('with a wrong token throws, says what to do, and leaves nothing in the journal', async () => {
    const stranger = clientWith({ token: 'wrong' });
    await expect(stranger.deposits.create(request())).rejects.toMatchObject({
      code: 'AUTHENTICATION_ERROR',
      status: 401,
      whatToDo: expect.stringContaining('token'),
      documentationUrl: `${gateway.url}/docs/reference/failure-codes#AUTHENTICATION_ERROR`,
    });
    expect(await stranger.unsettled()).toEqual([]);
  });

  test('a refused repeat of a request with an unknown outcome stays in the journal', async () => {
    const depositId = crypto.randomUUID();
    const requests = [
      (client: Malipo) => client.deposits.create(request(undefined, { depositId })),
      (client: Malipo) => client.paymentPages.create({ depositId, returnUrl: 'https://shop.example/' }),
    ];
    for (const send of requests) {
      const journal = createMemoryJournal();
      const cut = clientWith({ journal, retryForMs: 0, fetch: () => Promise.reject(new TypeError('cut')) });
      expect(await send(cut)).toMatchObject({ outcome: 'unknown' });
      const refused = send(clientWith({ journal, token: 'revoked' }));
      await expect(refused).rejects.toMatchObject({ code: 'AUTHENTICATION_ERROR' });
      expect(await journal.unsettled()).toMatchObject([{ kind: 'deposit', id: depositId }]);
    }
  });

  test('refused after an answer was lost is unknown, because the lost one may have been accepted', async () => {
    let count = 0;
    const flaky = clientWith({
      retryForMs: 60_000,
      fetch: async (url, init) => {
        count += 1;
        if (count === 1) throw new TypeError('cut');
        return fetch(url, { ...init, headers: { authorization: 'Bearer revoked' } });
      },
    });
    const started = await flaky.deposits.create(request());
    expect(started).toMatchObject({ outcome: 'unknown', cause: { code: 'AUTHENTICATION_ERROR' } });
    expect(await flaky.unsettled()).toHaveLength(1);
  });

  test('a request waits as long as Retry-After says when the gateway is asked too often or is down', async () => {
    const times: number[] = [];
    const busy = [429, 503];
    const patient = clientWith({
      fetch: async (...args) => {
        times.push(performance.now());
        const status = busy.shift();
        return status === undefined
          ? fetch(...args)
          : new Response('', { status, headers: { 'retry-after': '1' } });
      },
    });
    expect(await patient.deposits.create(request())).toMatchObject({ outcome: 'accepted' });
    // Sent, sent again, asked for after the 503, sent again.
    expect(times).toHaveLength(4);
    expect(times[1]! - times[0]!).toBeGreaterThan(990);
    expect(times[2]! - times[1]!).toBeGreaterThan(990);
  });

  test('for several payments is answered for each, in the same order, twenty per call', async () => {
    const paths: string[] = [];
    const counting = clientWith({
      fetch: async (url, init) => {
        paths.push(new URL(url instanceof Request ? url.url : url).pathname);
        return fetch(url, init);
      },
    });
    const some = Array.from({ length: 25 }, (_, index) => ({
      amount: index === 22 ? '0' : '10',
      currency: 'RWF',
      recipient: request().payer,
      payoutId: crypto.randomUUID(),
    }));
    const started = await counting.payouts.createMany(some);
    expect(started.map(({ id }) => id)).toEqual(some.map(({ payoutId }) => payoutId));
    expect(
      started.flatMap(({ outcome }, index) => (outcome === 'accepted' ? [] : [[index, outcome]])),
    ).toEqual([[22, 'rejected']]);
    expect(paths).toEqual(['/v2/payouts/bulk', '/v2/payouts/bulk']);
  });
});

test('what cannot work is refused before anything is sent', async () => {
  const misuse = { code: 'MISUSE' };
  expect(() => clientWith({ baseUrl: 'gateway.example' })).toThrow(expect.objectContaining(misuse));
  for (const token of ['token\n', '', undefined as never]) {
    expect(() => clientWith({ token })).toThrow(expect.objectContaining(misuse));
  }
  const payout = { amount: '10', currency: 'RWF', recipient: request().payer, payoutId: crypto.randomUUID() };
  const twice = [payout, { ...payout, payoutId: payout.payoutId.toUpperCase() }];
  await expect(malipo.payouts.createMany(twice)).rejects.toMatchObject(misuse);
  expect(await malipo.payouts.get(payout.payoutId)).toEqual({ found: false });
});

test('when a later list is refused, the outcome of the earlier ones is still returned', async () => {
  let count = 0;
  const revoked = clientWith({
    fetch: async (url, init) => {
      count += 1;
      return fetch(url, count === 1 ? init : { ...init, headers: { authorization: 'Bearer revoked' } });
    },
  });
  const some = Array.from({ length: 22 }, () => ({
    amount: '10',
    currency: 'RWF',
    recipient: request().payer,
  }));
  const outcomes = (await revoked.payouts.createMany(some)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array.from({ length: 20 }, () => 'accepted'), 'unknown', 'unknown']);
});

test('a journal that fails after the gateway has answered hides no outcome', async () => {
  const journal = { ...createMemoryJournal(), settle: () => Promise.reject(new Error('no space')) };
  const client = clientWith({ journal });
  expect(await client.deposits.create(request())).toMatchObject({ outcome: 'accepted' });
  expect(await client.paymentPages.create({ returnUrl: 'https://shop.example/' })).toMatchObject({
    outcome: 'accepted',
  });
  const refused = clientWith({ journal, token: 'wrong' }).deposits.create(request());
  await expect(refused).rejects.toMatchObject({ code: 'AUTHENTICATION_ERROR' });
});

test('a later list that the journal cannot store is not sent, and earlier outcomes are returned', async () => {
  let count = 0;
  const { remember, ...rest } = createMemoryJournal();
  const full: typeof remember = async (entries) => {
    count += 1;
    if (count > 1) throw new Error('no space');
    return remember(entries);
  };
  const some = Array.from({ length: 22 }, () => ({
    amount: '10',
    currency: 'RWF',
    recipient: request().payer,
  }));
  const started = await clientWith({ journal: { ...rest, remember: full } }).payouts.createMany(some);
  const accepted = Array.from({ length: 20 }, () => ({ outcome: 'accepted' }));
  const unsent = { outcome: 'unknown', cause: { code: 'INTERRUPTED' } };
  expect(started).toMatchObject([...accepted, unsent, unsent]);
  expect(await malipo.payouts.get(started[21]!.id)).toEqual({ found: false });
});

test('of a list with a request that JSON cannot hold nothing is sent', async () => {
  const payout = { amount: '10', currency: 'RWF', recipient: request().payer };
  const payoutId = crypto.randomUUID();
  const first = Array.from({ length: 19 }, () => payout);
  const some = [{ ...payout, payoutId }, ...first, { ...payout, amount: 10n as never }];
  await expect(malipo.payouts.createMany(some)).rejects.toThrow(TypeError);
  expect(await malipo.payouts.get(payoutId)).toEqual({ found: false });
});

describe('waiting', () => {
  test('waiting ends in time and returns the current status', async () => {
    const { id } = await malipo.deposits.create(request('250783456129'));
    await waitUntil(async () => {
      const seen = await malipo.deposits.get(id);
      return seen.found && seen.payment.status === 'PROCESSING';
    });
    const waited = await malipo.deposits.waitForFinal(id, { timeoutMs: 1_500 });
    expect(waited).toEqual({ isFinal: false, still: 'PROCESSING' });
    const never = await malipo.payouts.waitForFinal(crypto.randomUUID(), { timeoutMs: 1_000 });
    expect(never).toEqual({ isFinal: false, still: 'NOT_FOUND' });
  });

  test('waiting ends when it is aborted', async () => {
    const { id } = await malipo.deposits.create(request('250783456129'));
    const waiting = malipo.deposits.waitForFinal(id, { signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('for a gateway that does not answer at all ends in time too', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await waitUntil(() => silent.listening);
    const { port } = silent.address() as { port: number };
    const client = clientWith({ baseUrl: `http://127.0.0.1:${port}` });
    const waited = await client.deposits.waitForFinal(crypto.randomUUID(), { timeoutMs: 200 });
    expect(waited).toEqual({ isFinal: false, still: 'UNREACHABLE' });
    silent.close();
  });
});

test('an action on a payment is done, or rejected with the reason', async () => {
  const { id } = await malipo.payouts.create({ amount: '10', currency: 'RWF', recipient: request().payer });
  await malipo.payouts.waitForFinal(id);
  expect(await malipo.payouts.resendCallback(id)).toEqual({ outcome: 'accepted', id });
  const cancelled = await malipo.payouts.cancel(id);
  expect(cancelled).toMatchObject({ outcome: 'rejected', failureReason: { failureCode: 'INVALID_STATE' } });
  const checkout = await malipo.checkouts.create({ returnUrl: 'https://shop.example/' });
  expect(checkout).toMatchObject({ outcome: 'accepted', redirectUrl: expect.stringContaining('http') });
  expect(await malipo.checkouts.expire(checkout.id)).toMatchObject({ outcome: 'accepted' });
  expect(await malipo.checkouts.waitForFinal(checkout.id)).toMatchObject({
    status: 'EXPIRED',
    isFinal: true,
  });
  expect(await malipo.checkouts.expire(crypto.randomUUID())).toMatchObject({ outcome: 'rejected' });
});

test('callbacks of the gateway are verified, also after its key has changed, and a changed one is not', async () => {
  const verifier = new CallbackVerifier({
    merchantId: gateway.merchantId,
    readKeys: () => malipo.publicKeys.list(),
    rereadAfterMs: 0,
  });
  const verifyNext = async () => {
    const { id } = await malipo.deposits.create(request());
    const find = () => gateway.receiver.received.find(({ body }) => body['depositId'] === id);
    await waitUntil(() => find() !== undefined);
    const { headers, text, path } = find()!;
    const received = { url: new URL(path, gateway.receiver.url).href, headers, body: text };
    const bent = { ...received, body: text.replace('COMPLETED', 'FAILED') };
    expect(await verifier.verify(bent)).toMatchObject({ verified: false, rule: 'DIGEST' });
    return verifier.verify(received);
  };
  const told = { verified: true, kind: 'deposit', payment: { status: 'COMPLETED', paid: true } };
  expect(await verifyNext()).toMatchObject({ ...told, eventId: expect.any(String) });
  await rotateSigningKey(gateway.engine, { by: 'test', leadMs: 0 });
  expect(await verifyNext()).toMatchObject(told);
});

// Last, because from here on the account takes signed requests only.
test('an account that requires signatures accepts those of every algorithm, and no others', async () => {
  const algorithms = ['ecdsa-p256-sha256', 'ecdsa-p384-sha384', 'rsa-v1_5-sha256', 'rsa-pss-sha512'] as const;
  await call(gateway, 'PUT', '/sandbox/signed-requests', { signedRequestsOnly: true });
  for (const algorithm of algorithms) {
    const { privateKey, pem: key } = createKey(algorithm, algorithm);
    await call(gateway, 'PUT', `/sandbox/public-keys/${algorithm}`, { algorithm, key });
    const signing = { keyId: algorithm, privateKey, algorithm: algorithm satisfies TestAlgorithm };
    expect(await clientWith({ signing }).deposits.create(request())).toMatchObject({ outcome: 'accepted' });
  }
  const { privateKey } = createKey('x', 'ecdsa-p256-sha256');
  const wrong = clientWith({ signing: { keyId: 'ecdsa-p256-sha256', privateKey } });
  for (const client of [wrong, malipo]) {
    await expect(client.deposits.create(request())).rejects.toMatchObject({ code: 'AUTHENTICATION_ERROR' });
  }
});
