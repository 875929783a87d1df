// A day of an operator account with a few hundred payments, clean and with one difference of each kind; and one over
// two cells.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { readClose } from '../../src/core/daily-close/read-close.ts';
import { requestClose } from '../../src/core/daily-close/sign-close.ts';
import type { Engine } from '../../src/core/engine.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { actorNamed } from '../approvals.ts';
import { clockAt } from '../clocks.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { openTwoCells } from '../two-cells.ts';
import { ACCOUNT, francs } from './close-world.ts';
import { closeTwoDays } from './day.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

test('a day is zero, or names every difference with its payment, and two people sign it', async () => {
  await closeTwoDays(gateway, 200);
});

/** The engine at another time. */
const at = (engine: Engine, time: string): Engine =>
  Object.create(engine, { clock: { value: clockAt(() => new Date(time)) } });

test('a cell that is silent is named and leaves the day open; when it answers, its movements count', async () => {
  const cells = await openTwoCells({ role: 'api' });
  try {
    const [one, two] = [cells.one.engine, cells.two.engine];
    for (const [index, engine] of [one, two].entries())
      await orderFloat(at(engine, '2027-03-01T12:00:00Z'), {
        actor: actorNamed('Ana'),
        secondApprover: 'OPTIONAL',
        movement: {
          type: 'FLOAT_TOP_UP',
          ...ACCOUNT,
          country: 'RWA',
          amount: francs(100),
          reference: `TOP-UP-${index}`,
        },
      });
    const later = at(one, '2027-03-03T12:00:00Z');
    const day = '2027-03-01';
    await startCloses(later, { by: 'Ana', ...ACCOUNT, firstDay: day, timeZone: null, dueHours: 36 });
    await importReport(later, {
      by: 'Ana',
      secondApprover: 'REQUIRED',
      provider: ACCOUNT.provider,
      fileHash: Buffer.alloc(32),
      period: { from: new Date('2027-02-28T22:00:00Z'), to: new Date('2027-03-01T22:00:00Z') },
      batches: () => Readable.from([]),
      onError: (error) => expect(error).toBe(null),
    });
    const away: Engine = Object.create(later, {
      databaseOf: {
        value: (cell: string) => {
          if (cell !== one.home) throw new Error('no route');
          return one.databaseOf(cell);
        },
      },
    });
    const silent = { obstacles: ['CELL_SILENT'], missingCells: ['0002'] };
    const name = { ...ACCOUNT, day };
    expect(await readClose(away, name)).toMatchObject({
      ...silent,
      status: 'OPEN',
      figures: { received: francs(100) },
    });
    const signing = {
      ...name,
      actor: actorNamed('Ana'),
      note: 'top-ups are not in the report',
      contentHash: null,
    };
    expect(await requestClose(away, signing)).toEqual({ type: 'NOT_POSSIBLE', ...silent });
    const whole = { obstacles: [], missingCells: [], figures: { received: francs(200) } };
    expect(await readClose(later, name)).toMatchObject(whole);
    expect(await requestClose(later, signing)).toMatchObject({ type: 'REQUESTED' });
  } finally {
    await cells.stop();
  }
});
