// The day that the close must get right, in any size.
import { expect } from 'vitest';
import type { CloseItem } from '../../src/domain/reconciliation/daily-close.ts';
import { decideAs } from '../approvals.ts';
import { select, type TestGateway } from '../gateway.ts';
import { francs, openCloseWorld, plant } from './close-world.ts';

export async function closeTwoDays(gateway: TestGateway, count: number): Promise<void> {
  const world = await openCloseWorld(gateway);
  const { engine } = gateway;
  const [first, second] = [world.today(), nextOf(world.today())];

  // A day on which everything agrees is zero.
  await world.pay(count);
  expect((await world.read(first)).obstacles).toEqual(['DAY_NOT_OVER', 'REPORT_MISSING']);
  await world.sleep();
  await world.report(first, world.takeLines());
  const clean = await world.read(first);
  expect(clean).toMatchObject({ obstacles: [], items: [], missingCells: [] });
  expect(clean.figures).toMatchObject({
    movementCount: count,
    lineCount: count,
    unexplained: 0n,
    opening: 0n,
  });
  expect(clean.figures.received).toBe(clean.figures.reportReceived);
  expect(clean.figures.sent).toBe(clean.figures.reportSent);

  // One person alone does not sign it.
  expect(await world.request(second, 'Ana')).toMatchObject({ type: 'NOT_POSSIBLE' });
  const requested = await world.request(first, 'Ana');
  const approvalId = requested.type === 'REQUESTED' ? requested.approvalId : '';
  expect(await decideAs(engine, 'Ana', approvalId)).toEqual({ type: 'SAME_PERSON' });
  expect(await decideAs(engine, ' ana ', approvalId)).toEqual({ type: 'SAME_PERSON' });
  expect((await world.read(first)).status).toBe('REQUESTED');
  expect(await world.request(first, 'Ben')).toEqual({ type: 'REQUESTED_BEFORE' });
  expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  expect((await world.read(first)).status).toBe('CLOSED');
  expect(await world.request(first, 'Ben')).toEqual({ type: 'SIGNED_BEFORE' });

  // Every planted difference is named with its payment.
  await world.pay(count);
  await world.sleep();
  const { report, late, references } = plant(world.takeLines());
  await world.report(second, report);
  const planted = await world.read(second);
  const paymentOf = await paymentsByReference(gateway);
  const found = Object.groupBy(planted.items, ({ kind }) => kind);
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(references).toSorted());
  for (const [kind, names] of Object.entries(references)) {
    const wanted = names.map((name) => paymentOf.get(name ?? '') ?? 'unknown');
    expect(wanted).not.toContain('unknown');
    expect([kind, named(found[kind as CloseItem['kind']])]).toEqual([kind, wanted.toSorted()]);
  }
  // Two are missing, one is there twice, one is ten less, and five were charged.
  expect(planted.figures.unexplained).toBe(francs(-100 - 100 + 100 - 10 - 5));
  expect(planted.figures.opening).toBe(clean.figures.closing);
  expect(planted.figures.movementCount).toBe(count);

  // It is signed only with a word about that; the line that came late explains itself on the next day.
  expect(await world.request(second, 'Ana')).toEqual({ type: 'NOTE_MISSING' });
  expect(await world.sign(second, 'MTN was asked, ticket 77')).toMatchObject({ type: 'DONE' });
  const third = nextOf(second);
  await world.sleep();
  await world.report(third, [{ ...late, occurredAt: new Date(startOf(third)) }]);
  const last = await world.read(third);
  const settled = last.items.filter(({ kind }) => kind === 'LATE');
  expect(settled).toMatchObject([{ amount: 0n, change: francs(100), sinceDay: second, otherDay: second }]);
  expect(named(settled)).toEqual([paymentOf.get(late.reference ?? '')]);
  expect(last.figures.broughtForward).toBe(planted.figures.carriedForward);
}

/** The payments that items name. */
function named(items: readonly CloseItem[] = []) {
  return items.map(({ payment }) => payment?.paymentId ?? 'none').toSorted();
}

function nextOf(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** One in the morning in Kigali. */
function startOf(day: string): number {
  return Date.parse(`${day}T01:00:00+02:00`);
}

async function paymentsByReference(gateway: TestGateway): Promise<ReadonlyMap<string, string>> {
  const rows = await select(gateway, 'select reference, payment_id from payment_attempts');
  return new Map(rows.map((row) => [row['reference'], row['payment_id']]));
}
