// A person is erased at a merchant of one cell, and a report about them was imported in another one.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { erasePerson } from '../../src/core/encryption/erase-person.ts';
import type { Engine } from '../../src/core/engine.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { depositRequest, payer } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { openLine } from '../../src/store/reconciliation/operator-reports.ts';
import { openTwoCells, type TwoCells } from '../two-cells.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const PHONE = '250783456781';
const OTHER_PHONE = '250783456789';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells();
});
afterAll(() => cells.stop());

const line = (reference: string, phoneNumber: string): OperatorReportLine => ({
  occurredAt: new Date('2027-03-01T12:00:00Z'),
  direction: 'IN',
  status: 'COMPLETED',
  amount: 1_000_000n,
  currency: 'RWF',
  reference,
  phoneNumber,
});

async function importLines({ engine }: { readonly engine: Engine }, lines: readonly OperatorReportLine[]) {
  await importReport(engine, {
    by: 'Ana',
    secondApprover: 'REQUIRED',
    provider: PROVIDER,
    fileHash: Buffer.alloc(32, lines.length),
    period: null,
    batches: () => Readable.from([lines.map((one, index) => ({ lineNo: index + 2, line: one }))]),
    onError: (error) => expect(error).toBe(null),
  });
}

/** What lines of a cell say. */
async function linesIn({ engine }: { readonly engine: Engine }): Promise<readonly (string | null)[]> {
  const { database, keyring } = engine.store;
  const { rows } = await database.query<{ hash: Buffer; encrypted: Buffer | null }>(
    'select line_hash as hash, encrypted_line as encrypted from operator_report_lines order by line_no',
  );
  return rows.map((row) => openLine(keyring, { provider: PROVIDER, ...row }));
}

test('A person is erased from report lines in every cell; one that does not answer is named, and erased when asked again.', async () => {
  const { one, two, merchant } = cells;
  const request = depositRequest({ payer: payer(PROVIDER, PHONE) });
  const depositId = await startCompleted({ ...one, ...merchant }, 'deposit', request);
  const { rows } = await one.engine.store.database.query<{ reference: string }>(
    'select reference from payment_attempts where payment_id = $1',
    [depositId],
  );
  const { reference } = rows[0]!;
  const lines = [line(reference, PHONE), line('of somebody else', OTHER_PHONE)];
  for (const cell of [one, two]) await importLines(cell, lines);
  const { merchantId } = merchant;
  const order = { by: 'Ana', merchantId, phoneNumber: PHONE, reason: 'asked' };
  const silent: Engine = Object.create(one.engine, {
    databaseOf: {
      value: (cell: string) => {
        if (cell !== one.engine.home) throw new Error('no route');
        return one.engine.databaseOf(cell);
      },
    },
  });
  expect(await erasePerson(silent, order)).toMatchObject({ erased: 1, missingCells: ['0002'] });
  const other = expect.stringContaining(OTHER_PHONE);
  expect(await linesIn(one)).toEqual([null, other]);
  expect(await linesIn(two)).toEqual([expect.stringContaining(PHONE), other]);

  expect(await erasePerson(one.engine, order)).toMatchObject({ erased: 0, missingCells: [] });
  const [erased, kept] = await linesIn(two);
  expect(kept).toEqual(other);
  // The daily close of that cell still finds the payment by it.
  expect(erased).toContain(reference);
  expect(erased).not.toContain(PHONE);

  // The same report does not bring the number back.
  await importLines(two, [...lines, line('a new line', OTHER_PHONE)]);
  expect((await linesIn(two)).join()).not.toContain(PHONE);
});
