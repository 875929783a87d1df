// Days of an operator account: payments through the fake, and the operator's report made from its own books.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { readClose, type Close } from '../../src/core/daily-close/read-close.ts';
import { requestClose } from '../../src/core/daily-close/sign-close.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import { timeZoneOf } from '../../src/domain/operators/time-zones.ts';
import { renderAmount, parseAmount } from '../../src/domain/money.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { addDays, dayIn, startOfDay } from '../../src/domain/time-zone.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { nowOf } from '../clocks.ts';
import { call, depositRequest, select, waitUntil, type TestGateway } from '../gateway.ts';
import { send } from '../payments.ts';
import { payoutRequest } from '../requests.ts';

export const ACCOUNT = { provider: 'MTN_MOMO_RWA', currency: 'RWF' } as const;
const zoneOf = (provider: string) => timeZoneOf(findProvider(provider)!.country);

/** `account`: not started before. */
export async function openCloseWorld(gateway: TestGateway, account: AccountName = ACCOUNT) {
  const { engine } = gateway;
  const timeZone = zoneOf(account.provider);
  const move = (forwardSeconds: number) => call(gateway, 'POST', '/sandbox/clock', { forwardSeconds });
  const today = () => dayIn(timeZone, nowOf(engine));
  /** To nine in the morning of the next day. */
  const sleep = async () => {
    const morning = startOfDay(addDays(today(), 1), timeZone).getTime() + 9 * 3_600_000;
    await move(Math.ceil((morning - nowOf(engine).getTime()) / 1_000));
  };
  await sleep();
  const start = { by: 'Ana', ...account, firstDay: today(), timeZone: null, dueHours: 36 };
  expect(await startCloses(engine, start)).toBe('DONE');
  let told = 0;
  return {
    gateway,
    timeZone,
    today,
    sleep,
    /** Pays, three deposits for each payout, and waits until all are completed. */
    pay: async (count: number) => {
      const before = await completedCount(gateway);
      for (let first = 0; first < count; first += 50)
        await Promise.all(
          Array.from({ length: Math.min(50, count - first) }, (_, index) =>
            index % 4 === 3
              ? send(gateway, 'payout', payoutRequest())
              : send(gateway, 'deposit', depositRequest()),
          ),
        );
      await waitUntil(async () => (await completedCount(gateway)) === before + count, { timeout: 600_000 });
    },
    /** What the operator moved since the last report. */
    takeLines: (): readonly OperatorReportLine[] => {
      const charges = gateway.simulator.books().charges.slice(told);
      told += charges.length;
      return charges.map((charge) => ({
        occurredAt: new Date(charge.settledAt ?? charge.acceptedAt),
        direction: charge.operation === 'DEPOSIT' ? 'IN' : 'OUT',
        status: 'COMPLETED',
        amount: parseAmount(charge.amount)!,
        currency: charge.currency,
        reference: charge.reference,
        providerTransactionId: charge.transactionId,
      }));
    },
    report: (day: string, lines: readonly OperatorReportLine[]) =>
      importDay(gateway, account.provider, { day, lines }),
    read: async (day: string): Promise<Close> => (await readClose(engine, { ...account, day }))!,
    request: (day: string, by: string, note: string | null = null) =>
      requestClose(engine, { ...account, day, actor: actorNamed(by), note, contentHash: null }),
    sign: async (day: string, note: string | null = null) => {
      const order = { ...account, day, actor: actorNamed('Ana'), note, contentHash: null };
      const requested = await requestClose(engine, order);
      if (requested.type !== 'REQUESTED') return requested;
      return decideAs(engine, 'Ben', requested.approvalId);
    },
  };
}

async function completedCount(gateway: TestGateway): Promise<number> {
  const [row] = await select(
    gateway,
    `select count(*)::int as count from payments where state = 'COMPLETED'`,
  );
  return row!['count'];
}

type DayReport = { readonly day: string; readonly lines: readonly OperatorReportLine[] };

async function importDay(gateway: TestGateway, provider: string, { day, lines }: DayReport): Promise<void> {
  const batch = lines.map((line, index) => ({ lineNo: index + 2, line }));
  async function* batches() {
    for (let first = 0; first < batch.length; first += 500) yield batch.slice(first, first + 500);
  }
  const text = JSON.stringify([
    provider,
    day,
    lines.map((line) => ({ ...line, amount: renderAmount(line.amount) })),
  ]);
  await importReport(gateway.engine, {
    by: 'Ana',
    // As in production: what is not about a payment waits for a second approver.
    secondApprover: 'REQUIRED',
    provider,
    fileHash: createHash('sha256').update(text).digest(),
    period: { from: startOfDay(day, zoneOf(provider)), to: startOfDay(addDays(day, 1), zoneOf(provider)) },
    batches,
    onError: (error) => {
      throw error;
    },
  });
}

/** An amount of francs in the units of the books. */
export const francs = (amount: number): bigint => BigInt(amount) * 10_000n;

/** Plants one difference of each kind. Answers the report, the line that comes a day late, and what each is about. */
export function plant(lines: readonly OperatorReportLine[]) {
  const deposits = lines.filter(({ direction }) => direction === 'IN');
  const [missing, doubled, other, charged, late] = deposits.map((line) => line);
  const charge = {
    ...charged!,
    direction: 'OUT',
    amount: francs(5),
    providerTransactionId: 'CHARGE-1',
    movement: 'OPERATOR_CHARGE',
  } as const;
  const told = lines
    .filter((line) => line !== missing && line !== late)
    .map((line) => (line === other ? { ...line, amount: francs(90) } : line));
  return {
    report: [...told, doubled!, charge],
    late: late!,
    references: {
      MISSING_LINE: [missing!.reference, late!.reference],
      DOUBLED_LINE: [doubled!.reference],
      OTHER_AMOUNT: [other!.reference],
      CHARGE: [charged!.reference],
    },
  };
}
