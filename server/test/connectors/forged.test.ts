// What a READ_ONLY user of a merchant can do with everything the dashboard shows about a payment: post messages in the
// operator's own form to every address that can be made from it. Shown for every connector with the whole gateway.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notificationSecret } from '../../src/core/operators/reference.ts';
import { rawOfStored } from '../../src/core/payments/notifications/read-notification.ts';
import { findNotification } from '../../src/store/payments/notifications/notifications.ts';
import { listTraffic } from '../../src/store/operators/operator-traffic.ts';
import { nowOf } from '../clocks.ts';
import { CONSOLE, signedIn, type TestPerson } from '../console/people.ts';
import { eventually, select } from '../gateway.ts';
import { callbacksAbout, readPayment, start, startCompleted } from '../payments.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';
import { TRIALS } from './stage.ts';

type Noun = 'deposit' | 'payout';
type Story = Readonly<Record<string, unknown>> & { readonly reference: string };

describe.each(TRIALS.map((trial) => [trial.title, trial] as const))(
  'B1: a forged notification to %s',
  (_title, trial) => {
    let gateway: OperatorGateway;
    let reader: TestPerson;
    beforeAll(async () => {
      gateway = await openOperatorGateway(trial, { console: CONSOLE });
      reader = await signedIn(gateway, 'READ_ONLY');
    });
    afterAll(() => gateway.stop());

    const storyOf = async (person: TestPerson, noun: Noun, id: string): Promise<Story> => {
      const path = `api/merchants/${gateway.merchantId}/payments/${noun.toUpperCase()}/${id}`;
      return (await person.call('GET', path)).body as Story;
    };
    const settled = (id: string) =>
      select(
        gateway,
        `select 1 from transfers
          where subject_id in (select payment_no from payment_keys where payment_id = $1) and template = 'SETTLE'`,
        [id],
      );
    const casesOf = (id: string) => select(gateway, 'select 1 from cases where payment_id = $1', [id]);

    test.each(['deposit', 'payout'] as const)(
      'built from everything a READ_ONLY user can see of a %s moves nothing',
      async (noun) => {
        if (noun === 'payout' && !gateway.connector.supports('PAYOUT', gateway.provider)) return;
        const startedAt = nowOf(gateway.engine);
        const chargesBefore = gateway.fake.books().charges.length;
        const templateId = await startCompleted(gateway, noun, requestFor(gateway, noun));
        const template = await storyOf(reader, noun, templateId);
        const genuine = await messagesOf(gateway, startedAt);
        gateway.fake.addFault({ type: 'OUTCOME', status: 'PENDING' });
        const victimId = await start(gateway, noun, requestFor(gateway, noun));
        await eventually(async () => (await storyOf(reader, noun, victimId)).reference).not.toBeNull();
        await eventually(() => gateway.fake.books().charges.length).toBe(chargesBefore + 2);
        const seen = await storyOf(reader, noun, victimId);
        for (const path of addressesFrom(gateway, seen)) {
          for (const { body, headers } of genuine) {
            await fetch(gateway.url + path, { method: 'POST', headers, body: retold(body, template, seen) });
          }
        }
        // What was only taken as a reason to ask has been asked by then.
        await new Promise((resolve) => setTimeout(resolve, 500));
        expect((await readPayment(gateway, noun, victimId))['status']).toBe('PROCESSING');
        expect(await settled(victimId)).toEqual([]);
        expect(await casesOf(victimId)).toEqual([]);
        expect(callbacksAbout(gateway, noun, victimId).filter(isEnd)).toEqual([]);
      },
    );

    test('a forger finds no address and no secret in what is shown or recorded, and no raw traffic', async () => {
      const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
      const owner = await signedIn(gateway, 'OWNER');
      const admin = await signedIn(gateway, 'OPERATOR_ADMIN');
      const { database, keyring } = gateway.engine.store;
      const recorded = await listTraffic(database, keyring, { reference: null, countMax: 100 });
      const { reference } = await storyOf(reader, 'deposit', depositId);
      const secret = notificationSecret(gateway.engine.referenceKey, reference);
      const answers = [reader, owner, admin].map((person) => storyOf(person, 'deposit', depositId));
      for (const text of [recorded, ...(await Promise.all(answers))].map((one) => JSON.stringify(one))) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(`/notifications/${reference}`);
      }
      for (const person of [reader, owner]) {
        const story = await storyOf(person, 'deposit', depositId);
        expect(story['traffic']).toEqual([]);
        expect((story['events'] as { evidence: unknown }[]).map(({ evidence }) => evidence)).toEqual(
          (story['events'] as unknown[]).map(() => null),
        );
      }
      const readTraffic = async () => (await storyOf(admin, 'deposit', depositId))['traffic'];
      if (trial.name !== 'simulator') await eventually(readTraffic).not.toEqual([]);
      const shown = await storyOf(admin, 'deposit', depositId);
      expect((shown['events'] as { evidence: unknown }[]).some(({ evidence }) => evidence !== null)).toBe(
        true,
      );
    });
  },
);

const isEnd = ({ status }: Readonly<Record<string, unknown>>) => status !== 'PROCESSING';

/** The operator's own messages about a payment that completed: everybody knows their form. */
async function messagesOf({ engine }: OperatorGateway, since: Date) {
  const { database, keyring } = engine.store;
  const { rows } = await database.query<{ notification_id: string }>(
    'select notification_id from operator_notifications where received_at >= $1',
    [since],
  );
  const stored = await Promise.all(
    rows.map((row) => findNotification(database, keyring, row.notification_id)),
  );
  return stored.flatMap((one) => {
    if (one === null) return [];
    const { body, headers } = rawOfStored(one);
    const { host: _host, ...rest } = headers as Record<string, string>;
    return [{ body: body.toString(), headers: rest }];
  });
}

/** The message with every value of the one payment replaced by that of the other. */
function retold(body: string, template: Story, seen: Story): string {
  let text = body;
  for (const [name, value] of Object.entries(template)) {
    const other = seen[name];
    if (typeof value !== 'string' || value.length < 6) continue;
    text = text.replaceAll(value, typeof other === 'string' ? other : 'FORGED12345');
  }
  return text;
}

/** Every address that can be made of what is seen. */
function addressesFrom({ connector, provider }: OperatorGateway, seen: Story): readonly string[] {
  const text = JSON.stringify(seen).replaceAll('\\', '');
  const leaked = [...text.matchAll(/\/operators\/[^"\s]+/g)].map(([path]) => path);
  const words = new Set([...text.matchAll(/[\w-]{16,64}/g)].map(([word]) => word));
  const base = `/operators/${connector.addressName ?? connector.name}`;
  const topics = ['', '/payout', '/status', '/receipt'];
  const made = [...words].flatMap((word) =>
    ['notifications', 'answers'].flatMap((kind) =>
      topics.map((topic) => `${base}/${kind}/${seen.reference}/${word}${topic}`),
    ),
  );
  return [...leaked, `${base}/notifications`, `${base}/notifications/of/${provider}`, ...made];
}
