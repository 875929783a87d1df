import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { changeRegionalSettings } from '../../src/core/merchants/regional-settings.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { depositRequest, eventually, type TestGateway } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { ask, expectToAddUp, parseCsv } from '../statement-files.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let finance: TestPerson;

beforeAll(async () => {
  gateway = await openTestConsole();
  finance = await signedIn(gateway, 'FINANCE');
});
afterAll(() => gateway.stop());

const url = () => `api/merchants/${gateway.merchantId}/statements`;

function wish(changes: Record<string, unknown> = {}) {
  const today = gateway.engine.clock.now().toISOString().slice(0, 10);
  const wallet = { country: 'RWA', currency: 'RWF' };
  return { wallet, from: today, to: today, isCompressed: false, ...changes };
}

describe('a statement', () => {
  test('a statement is asked for, made and fetched, and both are recorded', async () => {
    await startCompleted(gateway, 'deposit', depositRequest({ amount: '120' }));
    expect((await finance.call('GET', url())).body).toEqual({ rows: [], next: null });
    const { status, body } = await finance.call('POST', url(), wish());
    expect(status).toBe(200);
    const { statementId } = body;
    const first = await finance.call('GET', url());
    expect(first.body.rows).toMatchObject([{ statementId, status: 'PROCESSING', isReady: false }]);
    expect((await finance.call('POST', `${url()}/${statementId}/fetch`)).status).toBe(404);
    // What can still be in progress is waited for.
    await expect
      .poll(async () => (await finance.call('GET', url())).body.rows[0].isReady, { timeout: 150_000 })
      .toBe(true);
    const listed = (await finance.call('GET', url())).body.rows[0];
    expect(listed).toMatchObject({ status: 'COMPLETED', rowCount: 2, fileBytes: expect.any(Number) });

    const fetched = await finance.call('POST', `${url()}/${statementId}/fetch`);
    const file = await fetch(`${gateway.url}${fetched.body.path}`);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="statement-RWA-RWF-/);
    const rows = parseCsv(await file.text());
    expect(expectToAddUp(rows).closing).toBe(10_001_200_000n);
    const entries = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 10 });
    expect(
      entries.filter(({ subject }) => subject === statementId).map(({ act, actor }) => [act, actor]),
    ).toEqual([
      ['STATEMENT_FETCHED', finance.email],
      ['STATEMENT_ASKED_FOR', finance.email],
    ]);
  });

  test('a statement that a server asked for is listed too, page by page', async () => {
    const asked = [await ask(gateway), await ask(gateway), await ask(gateway)];
    const first = await finance.call('GET', `${url()}?limit=2`);
    const second = await finance.call('GET', `${url()}?limit=2&cursor=${first.body.next}`);
    const rows: readonly { readonly statementId: string }[] = [...first.body.rows, ...second.body.rows];
    const ids = rows.map(({ statementId }) => statementId);
    expect(ids.slice(0, 3).toSorted()).toEqual(asked.toSorted());
    expect(new Set(ids).size).toBe(4);
  });

  test.each([
    [{ wallet: { country: 'RWA', currency: 'XXX' } }, "Your account has no wallet 'RWA XXX'."],
    [{ from: '2026-01-01', to: '2026-02-01' }, 'The period has more than 31 days.'],
    [{ from: '2999-01-01', to: '2999-01-02' }, 'startDate must be in the past'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'The end of the period must be after its start.'],
  ])('with %j is refused with a sentence', async (changes, said) => {
    const { status, body } = await finance.call('POST', url(), wish(changes));
    expect(status).toBe(400);
    expect(body.failureReason.failureMessage).toContain(said);
  });

  test('a statement is of days in the time zone of its merchant, also of a month with an hour more', async () => {
    const order = { by: 'test', companyName: 'Cairo', operations: OPERATIONS, walletPerProvider: false };
    const merchantId = await createMerchant(gateway.engine, order);
    await changeRegionalSettings(gateway.engine, { by: 'test', merchantId, timeZone: 'Africa/Cairo' });
    const person = await signedIn(gateway, 'FINANCE', merchantId);
    const own = `api/merchants/${merchantId}/statements`;
    // Clocks were set back in the night of the 30th.
    const october = wish({ from: '2025-10-01', to: '2025-10-31' });
    expect((await person.call('POST', own, october)).status).toBe(200);
    expect((await person.call('GET', own)).body.rows).toMatchObject([
      { startsAt: '2025-09-30T21:00:00.000Z', endsAt: '2025-10-31T22:00:00.000Z' },
    ]);
  });

  test('of another merchant cannot be fetched, listed or asked for', async () => {
    const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
    const other = await createMerchant(gateway.engine, order);
    const stranger = await signedIn(gateway, 'FINANCE', other);
    const statementId = await ask(gateway);
    expect((await stranger.call('POST', `${url()}/${statementId}/fetch`)).status).toBe(404);
    const theirs = `api/merchants/${other}/statements`;
    expect((await stranger.call('POST', `${theirs}/${statementId}/fetch`)).status).toBe(404);
    await eventually(async () => (await stranger.call('GET', theirs)).body.rows).toEqual([]);
  });
});
