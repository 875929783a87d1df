// `malipo tail` against a whole gateway.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import { numberAllEvents } from '../../server/src/core/event-numbers/number-events.ts';
import { openMachine, type Machine } from './machine.ts';

let gateway: TestGateway;
let shop: Machine;
beforeAll(async () => {
  gateway = await openTestGateway();
  shop = await openMachine({
    MALIPO_URL: gateway.url,
    MALIPO_TOKEN: gateway.apiToken,
    MALIPO_MERCHANT_ID: gateway.merchantId,
  });
});
afterAll(async () => {
  await shop.remove();
  await gateway.stop();
});

const DEPOSIT = ['deposit', 'create', '--amount', '100', '--currency', 'RWF', '--phone', '+250 783 456 789'];

test('tail shows statuses of payments and deliveries of callbacks, each once', async () => {
  const tail = shop.start('tail', '--json');
  const listening = shop.start('listen');
  await eventually(() => listening.stdout()).toContain('Listening for callbacks');
  const { depositId } = await shop.json(...DEPOSIT, '--wait');
  const events = () =>
    tail
      .stdout()
      .split('\n')
      .filter((line) => line.includes(depositId))
      .map((line) => JSON.parse(line));
  await eventually(() => events().map(({ status }) => status)).toEqual(
    expect.arrayContaining(['ACCEPTED', 'PROCESSING', 'COMPLETED', '200']),
  );
  await listening.stop();
  await tail.stop();
  expect(new Set(events().map(({ eventId }) => eventId)).size).toBe(events().length);
});

test('tail --until-now exports the events that there are, and ends', async () => {
  const { depositId } = await shop.json(...DEPOSIT, '--wait');
  await numberAllEvents(gateway.engine);
  const exported = async (...options: readonly string[]) => {
    const { stdout } = await shop.malipo('tail', '--json', '--until-now', ...options);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };
  const events = await exported();
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const own = events.filter(({ id, type }) => id === depositId && type === 'STATUS');
  expect(own.map(({ status }) => status)).toEqual(['ACCEPTED', 'PROCESSING', 'COMPLETED']);
  expect(await exported('--count', '2')).toEqual(events.slice(0, 2));
});
