// The queue is disposable: whatever is lost of it, every payment still settles.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, initiate, openTestGateway, select, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 300, notifications: false },
    timing: { enquiryDelaysMs: [200] },
    worker: { sweepIntervalMs: 100, sweepOverdueAfterMs: 300 },
  });
});
afterAll(() => gateway.stop());

test('deleting every job in mid-run: everything still settles, once', async () => {
  const deletions = setInterval(() => {
    void select(gateway, 'delete from pgboss.job').catch(() => undefined);
  }, 60);
  const depositIds = await Promise.all(Array.from({ length: 200 }, () => initiate(gateway)));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  clearInterval(deletions);
  const finished = () => select(gateway, `select 1 from payments where state = 'COMPLETED'`);
  await eventually(async () => (await finished()).length).toBe(depositIds.length);
  const { charges } = gateway.simulator.books();
  expect(charges).toHaveLength(depositIds.length);
  expect(charges.every(({ submissions }) => submissions === 1)).toBe(true);
  expect(await select(gateway, `select 1 from transfers where subject_kind = 'DEPOSIT'`)).toHaveLength(
    depositIds.length,
  );
  const repaired = await gateway.gateway.metrics.render();
  expect(Number(/malipo_repairs_total\{what="wake-up"\} (\d+)/.exec(repaired.text)?.[1])).toBeGreaterThan(0);
});
