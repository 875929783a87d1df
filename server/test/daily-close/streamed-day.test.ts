// A day is compared in the database, by sums of each payment. What comes out is what comparing everything in memory
// gives, with the same pure functions, whatever the operator's report says.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownedLines } from '../../src/core/daily-close/gather-day.ts';
import { openSpans } from '../../src/core/daily-close/counted-lines.ts';
import { spanOf, type Close } from '../../src/core/daily-close/read-close.ts';
import { compareBank } from '../../src/domain/reconciliation/bank-lines.ts';
import { compareDay, type Movement } from '../../src/domain/reconciliation/daily-close.ts';
import { mergeNets, type PaymentNet } from '../../src/domain/reconciliation/payment-nets.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { addDays, dayIn } from '../../src/domain/time-zone.ts';
import { findClose, findCloseAccount, listItems } from '../../src/store/daily-close/closes.ts';
import { streamMovements } from '../../src/store/daily-close/movements.ts';
import { listBankLines, streamReportLines } from '../../src/store/daily-close/report-lines.ts';
import { inTransaction } from '../../src/store/database.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { ACCOUNT, francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
let world: Awaited<ReturnType<typeof openCloseWorld>>;
beforeAll(async () => {
  gateway = await openTestGateway();
  world = await openCloseWorld(gateway);
});
afterAll(() => gateway.stop());

async function collect<One>(pages: AsyncIterable<readonly One[]>): Promise<One[]> {
  const all: One[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** The day compared in memory, from every movement and every line. */
async function compareInMemory(day: string) {
  const { store } = gateway.engine;
  const { database, keyring } = store;
  const account = (await findCloseAccount(database, ACCOUNT))!;
  const before = await findClose(database, { ...ACCOUNT, day: addDays(day, -1) });
  const signed = before?.status === 'CLOSED' ? before : null;
  const brought =
    signed === null ? [] : (await listItems(database, signed.closeId)).filter(({ amount }) => amount !== 0n);
  const span = spanOf(account, day);
  const spans = openSpans(span, signed);
  const float = { type: 'FLOAT', ...ACCOUNT, country: account.country } as const;
  const afterwards = { from: span.to, to: new Date(span.to.getTime() + 7 * 86_400_000) };
  const inOne = <Result>(work: Parameters<typeof inTransaction<Result>>[1]) => inTransaction(database, work);
  const own = (lines: Parameters<typeof ownedLines>[2]) =>
    ownedLines([{ tx: database }], ACCOUNT.provider, lines);
  const linesIn = async (of: Parameters<typeof streamReportLines>[3]) =>
    own(await inOne((tx) => collect(streamReportLines(tx, keyring, ACCOUNT, of))));
  const movementsIn = (of: { readonly from: Date; readonly to: Date }) =>
    inOne((tx) => collect(streamMovements(tx, float, of)));
  const movements = await movementsIn(span);
  const lines = await linesIn({ ...spans.lines, since: span.since });
  const later = {
    movements: await movementsIn(afterwards),
    lines: await linesIn({ ...afterwards, since: span.since, late: null, through: null }),
  };
  const bankLines = await listBankLines(database, ACCOUNT, spans.bankLines);
  const dayOf = (time: Date) => dayIn(account.timeZone, time);
  return {
    items: [
      ...compareDay({
        day,
        brought: brought.filter((one) => !isBank(one)),
        movements,
        lines,
        later,
        dayOf,
      }),
      ...compareBank({ day, brought: brought.filter(isBank), movements, lines: bankLines }),
    ],
    figures: {
      ...sidesOf(
        'received',
        'sent',
        movements.map(({ amount }) => amount),
      ),
      ...sidesOf(
        'reportReceived',
        'reportSent',
        lines.map(({ amount, times }) => amount * BigInt(times)),
      ),
      movementCount: movements.length,
      lineCount: lines.reduce((count, { times }) => count + times, 0),
    },
  };
}

const isBank = ({ name }: { readonly name: string }) => name.startsWith('BANK ');

const sum = (some: readonly bigint[]) => some.reduce((total, one) => total + one, 0n);

function sidesOf(received: string, sent: string, amounts: readonly Movement['amount'][]) {
  return {
    [received]: sum(amounts.filter((one) => one > 0n)),
    [sent]: -sum(amounts.filter((one) => one < 0n)),
  };
}

const byName = (items: Close['items']) =>
  items
    .map(({ name, kind, amount, change, sinceDay, otherDay, bookCount, lineCount, payment }) => ({
      name,
      kind,
      amount,
      change,
      sinceDay,
      otherDay,
      bookCount,
      lineCount,
      paymentId: payment?.paymentId ?? null,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

const CHANGES = [
  'AS_IT_IS',
  'AS_IT_IS',
  'MISSING',
  'DOUBLED',
  'OTHER_AMOUNT',
  'CHARGED',
  'LATE',
  'UNKNOWN',
  'BY_TRANSACTION',
] as const;
type Change = (typeof CHANGES)[number];

/** What the report has of a line, and what a report of the next day has of it. */
function changed(line: OperatorReportLine, change: Change, index: number) {
  const late = { ...line, occurredAt: new Date(line.occurredAt.getTime() + 86_400_000) };
  const charge = {
    ...line,
    direction: 'OUT',
    amount: francs(5),
    providerTransactionId: `CHARGE-${line.reference}`,
    movement: 'OPERATOR_CHARGE',
  } as const;
  const { reference: _, ...unnamed } = line;
  const changes: Readonly<Record<Change, readonly OperatorReportLine[]>> = {
    AS_IT_IS: [line],
    MISSING: [],
    DOUBLED: [line, line],
    OTHER_AMOUNT: [{ ...line, amount: francs(90) }],
    CHARGED: [line, charge],
    LATE: [],
    UNKNOWN: [line, { ...line, reference: `none ${index}`, providerTransactionId: `NONE-${line.reference}` }],
    BY_TRANSACTION: [unnamed],
  };
  return { today: changes[change], next: change === 'LATE' ? [late] : [] };
}

const nameOf = ({ paymentId, merchantId, kind }: PaymentNet) => `${paymentId}/${merchantId}/${kind}`;

describe('M9: a streamed day', () => {
  test('has the items and figures of one that is compared in memory', async () => {
    const COUNT = 12;
    let brought: readonly OperatorReportLine[] = [];
    const aDay = fc.array(fc.constantFrom(...CHANGES), { minLength: COUNT, maxLength: COUNT });
    for (const changes of fc.sample(aDay, { numRuns: 6, seed: 7 })) {
      const day = world.today();
      await world.pay(COUNT);
      await world.sleep();
      const lines = world.takeLines().map((line, index) => changed(line, changes[index]!, index));
      await world.report(day, [...brought, ...lines.flatMap(({ today }) => today)]);
      brought = lines.flatMap(({ next }) => next);
      await select(
        gateway,
        `update operator_report_lines set encrypted_line = null where line_hash = (
           select line_hash from operator_report_lines order by entry_no desc limit 1)`,
      );
      const streamed = await world.read(day);
      const whole = await compareInMemory(day);
      expect([changes, byName(streamed.items)]).toEqual([changes, byName(whole.items)]);
      expect([changes, streamed.figures]).toMatchObject([changes, whole.figures]);
      // What was kept of the comparison gives the same again.
      expect(await world.read(day)).toEqual(streamed);
      expect(await world.sign(day, 'as it is')).toMatchObject({ type: 'DONE' });
    }
  });

  test('merges streams of any pages, each payment once with what each stream has of it', async () => {
    const side = fc.option(
      fc.record({
        received: fc.bigInt({ min: 0n, max: 3n }),
        sent: fc.bigInt({ min: 0n, max: 3n }),
        count: fc.nat(3),
      }),
    );
    const net = fc.record({
      paymentId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      merchantId: fc.constantFrom('m', 'n'),
      kind: fc.constantFrom('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'),
      theirs: side,
      ours: side,
    });
    const ORDER = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'];
    const sorted = (nets: readonly PaymentNet[]) =>
      nets.toSorted((one, other) => {
        const [a, b] = [one, other].map(
          (each) => `${each.paymentId}/${each.merchantId}/${ORDER.indexOf(each.kind)}`,
        );
        return a! < b! ? -1 : 1;
      });
    const stream = fc.uniqueArray(net, { selector: nameOf }).map(sorted);
    await fc.assert(
      fc.asyncProperty(
        fc.array(stream, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (streams, size) => {
          const pagesOf = async function* (nets: readonly PaymentNet[]) {
            for (let first = 0; first < nets.length; first += size) {
              yield [];
              yield nets.slice(first, first + size);
            }
          };
          const visited: string[] = [];
          await mergeNets(streams.map(pagesOf), (nets) => {
            const names = new Set(nets.flatMap((one) => (one === null ? [] : nameOf(one))));
            expect(names.size).toBe(1);
            const [name = ''] = names;
            visited.push(name);
            expect(nets).toEqual(streams.map((one) => one.find((each) => nameOf(each) === name) ?? null));
          });
          expect(visited).toEqual([...new Set(sorted(streams.flat()).map(nameOf))]);
        },
      ),
      { numRuns: 200 },
    );
  });
});
