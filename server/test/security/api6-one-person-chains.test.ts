// Every way by which one person alone, step by step, could bring money out. Each is tried here and stops before money
// leaves. The same list is the table in SECURITY.md. Commands of production: requests-in-production.test.ts.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askedByCommand } from '../../src/core/approvals/request.ts';
import { endPayment } from '../../src/core/payments/act/end-payment.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { acceptInvitation, invite } from '../../src/core/merchants/team.ts';
import type { MerchantRole } from '../../src/domain/merchants/roles.ts';
import { nowOf } from '../clocks.ts';
import { approvalIn, decideAt, decideAtHost } from '../console/asked.ts';
import {
  callerWith,
  confirmed,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type ConsoleAnswer,
  type TestPerson,
} from '../console/people.ts';
import { depositRequest, select, type TestGateway } from '../gateway.ts';
import { readPayment, start, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
/** Ana's second address owns this merchant, which Ana has onboarded. */
let quick: { readonly merchantId: string; readonly owner: TestPerson };
beforeAll(async () => {
  gateway = await openTestConsole({
    simulator: { outcomeDelayMs: 50 },
    timing: { enquiryDelaysMs: [50], horizonMs: 150, reconciliationDelayMs: 100 * 3_600_000 },
  });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  quick = await onboard();
});
afterAll(() => gateway.stop());

async function onboard() {
  const order = { name: 'Quick Goods', operations: ['DEPOSIT', 'PAYOUT'], walletPerProvider: false };
  const ownerEmail = `second.${randomUUID()}@example.com`;
  const { body } = await ana.call('POST', 'api/host/merchants', { ...order, ownerEmail });
  const owner = await join(ownerEmail, body.link.split('/').at(-1));
  return { merchantId: body.merchantId as string, owner };
}

async function join(email: string, token: string): Promise<TestPerson> {
  const person = { name: 'Ana again', email, password: PASSWORD };
  const { personId } = await gateway.gateway.console!.signIn.createPerson(person);
  await acceptInvitation(gateway.engine, { token, personId, email });
  const call = callerWith(gateway, await signIn(gateway, { email, password: PASSWORD }));
  return confirmed({ personId, email, role: 'OWNER', call });
}

/** The same person gets a role at a merchant as well. */
async function joins({ personId, email }: TestPerson, merchantId: string, role: MerchantRole): Promise<void> {
  const token = await invite(gateway.engine, { by: 'test', merchantId, email, role });
  await acceptInvitation(gateway.engine, { token, personId, email });
}

async function unclear(noun: 'deposit' | 'payout'): Promise<string> {
  gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
  const id = await start(gateway, noun, noun === 'deposit' ? depositRequest() : payoutRequest());
  await waitForPayment(gateway, noun, id, 'IN_RECONCILIATION');
  return id;
}

const statusOf = async (noun: 'deposit' | 'payout', id: string) =>
  (await readPayment(gateway, noun, id))['status'];

function askToEnd(person: TestPerson, noun: 'deposit' | 'payout', id: string): Promise<ConsoleAnswer> {
  const end =
    noun === 'deposit'
      ? { outcome: 'COMPLETED', providerTransactionId: `T-${id}` }
      : { outcome: 'FAILED', failureCode: 'RECIPIENT_NOT_FOUND' };
  const path = `api/host/payments/${gateway.merchantId}/${noun.toUpperCase()}/${id}/end`;
  return person.call('POST', path, { ...end, reason: 'Aline Uwase saw it in the portal' });
}

const approve = (person: TestPerson, approvalId: string, merchantId?: string) =>
  decideAt(gateway, merchantId ?? null, person, approvalId, 'approve');

const codeOf = ({ status, body }: ConsoleAnswer) => [status, body?.failureReason?.failureMessage ?? ''];
const SAME = [409, 'You requested this yourself. Another person must decide.'];
const NOT_INDEPENDENT = [409, 'You onboarded this merchant, or belong to it. Another person must approve.'];

/** What a command asked for last. */
async function lastOfCommand(kind: string): Promise<string> {
  const text = `select approval_id from approvals where kind = $1 and requested_by is null
    and status = 'PENDING' order by requested_at desc limit 1`;
  return (await select(gateway, text, [kind]))[0]?.['approval_id'];
}

const inProduction = (by: string) => askedByCommand({ environment: 'production' }, by);

async function importLine(id: string, status: 'COMPLETED' | 'FAILED'): Promise<string> {
  const text = 'select reference from payment_attempts where payment_id = $1';
  const reference = (await select(gateway, text, [id]))[0]!['reference'];
  const line = {
    occurredAt: nowOf(gateway.engine),
    direction: 'IN',
    status,
    amount: 1_000_000n,
    currency: 'RWF',
    reference,
    ...(status === 'COMPLETED' && { providerTransactionId: `R-${id}` }),
  } as const;
  const { reportId } = await importReport(gateway.engine, {
    by: 'Ghost',
    secondApprover: inProduction('Ghost').secondApprover,
    provider: 'MTN_MOMO_RWA',
    fileHash: Buffer.from(id.replaceAll('-', '').repeat(2), 'hex'),
    period: null,
    async *batches() {
      yield [{ lineNo: 1, line }];
    },
    onError: (error) => {
      throw error;
    },
  });
  return reportId;
}

/** By what SECURITY.md calls it. Each tries the whole chain as one person, and looks that nothing has moved. */
const CHAINS: Readonly<Record<string, () => Promise<void>>> = {
  'end an unanswered deposit as COMPLETED, pay out': async () => {
    const id = await unclear('deposit');
    expect((await askToEnd(ana, 'deposit', id)).body).toEqual({
      by: 'PERSON',
      state: 'IN_RECONCILIATION',
      outcome: 'REQUESTED',
    });
    expect(codeOf(await approve(ana, await approvalIn(gateway, ana, 'PAYMENT_END')))).toEqual(SAME);
    expect(await statusOf('deposit', id)).toBe('IN_RECONCILIATION');
  },
  'end a paid payout as FAILED, pay out again': async () => {
    const id = await unclear('payout');
    expect((await askToEnd(ana, 'payout', id)).body.outcome).toBe('REQUESTED');
    expect(codeOf(await approve(ana, await approvalIn(gateway, ana, 'PAYMENT_END')))).toEqual(SAME);
    expect(await statusOf('payout', id)).toBe('IN_RECONCILIATION');
  },
  'import a report that ends payments': async () => {
    const id = await unclear('deposit');
    await importLine(id, 'COMPLETED');
    expect(await statusOf('deposit', id)).toBe('IN_RECONCILIATION');
    const approvalId = await lastOfCommand('OPERATOR_REPORT');
    expect((await approve(ana, approvalId)).body.outcome).toBe('CONFIRMED');
    expect(codeOf(await approve(ana, approvalId))).toEqual(SAME);
    expect(await statusOf('deposit', id)).toBe('IN_RECONCILIATION');
  },
  'onboard a merchant owned by a second address, approve its payout token': async () => {
    const token = { name: 't', scopes: ['payouts:write'], expiresAt: null };
    await quick.owner.call('POST', `api/merchants/${quick.merchantId}/tokens`, token);
    const approvalId = await approvalIn(gateway, quick.owner, 'TOKEN');
    expect(codeOf(await approve(quick.owner, approvalId, quick.merchantId))).toEqual(SAME);
    expect(codeOf(await approve(ana, approvalId, quick.merchantId))).toEqual(NOT_INDEPENDENT);
  },
  'onboard a merchant, approve another member for it': async () => {
    const third = { email: `third.${randomUUID()}@example.com`, role: 'FINANCE' };
    await quick.owner.call('POST', `api/merchants/${quick.merchantId}/team/invitations`, third);
    const approvalId = await approvalIn(gateway, quick.owner, 'INVITATION');
    expect(codeOf(await approve(ana, approvalId, quick.merchantId))).toEqual(NOT_INDEPENDENT);
  },
  'onboard a merchant, approve a top-up of its wallet': async () => {
    const { approvalId } = (
      await ben.call('POST', 'api/host/money-requests', {
        merchantId: quick.merchantId,
        type: 'TOP_UP',
        country: 'RWA',
        currency: 'RWF',
        amount: '1000',
        reference: 'slip-1',
        reason: 'slip 1',
      })
    ).body;
    expect(codeOf(await approve(ana, approvalId))).toEqual(NOT_INDEPENDENT);
  },
  'belong to a merchant, approve its token as the platform': async () => {
    const eve = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    await joins(eve, gateway.merchantId, 'READ_ONLY');
    const developer = await confirmed(await signedIn(gateway, 'DEVELOPER'));
    const token = { name: 't', scopes: ['payouts:write'], expiresAt: null };
    await developer.call('POST', `api/merchants/${gateway.merchantId}/tokens`, token);
    const approvalId = await approvalIn(gateway, developer, 'TOKEN');
    expect(codeOf(await approve(eve, approvalId, gateway.merchantId))).toEqual(NOT_INDEPENDENT);
  },
  'belong to a merchant, approve the end of its payment': async () => {
    const eve = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    await joins(eve, gateway.merchantId, 'OWNER');
    const id = await unclear('deposit');
    await askToEnd(ben, 'deposit', id);
    const approvalId = await approvalIn(gateway, ben, 'PAYMENT_END');
    expect(codeOf(await approve(eve, approvalId))).toEqual(NOT_INDEPENDENT);
    // Nor where the merchant's own people decide.
    expect((await approve(eve, approvalId, gateway.merchantId)).status).toBe(404);
    expect(await statusOf('deposit', id)).toBe('IN_RECONCILIATION');
  },
  'ask on the command line under another name, approve in the dashboard': async () => {
    const id = await unclear('deposit');
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
    const outcome = { type: 'COMPLETED', providerTransactionId: `C-${id}` } as const;
    const order = { ...inProduction('Ghost'), key, outcome, reason: 'a letter' };
    expect(await endPayment(gateway.engine, order)).toMatchObject({ type: 'REQUESTED' });
    const approvalId = await lastOfCommand('PAYMENT_END');
    expect((await approve(ana, approvalId)).body.outcome).toBe('CONFIRMED');
    expect(codeOf(await approve(ana, approvalId))).toEqual(SAME);
    expect(await statusOf('deposit', id)).toBe('IN_RECONCILIATION');
    expect((await approve(ben, approvalId)).body.outcome).toBe('DONE');
    expect(await statusOf('deposit', id)).toBe('COMPLETED');
  },
};

/** Tried in commands/requests-in-production.test.ts, api6-onboarders.test.ts and api6-approved-content.test.ts. */
const ELSEWHERE = [
  'create a payout token, a public key or an approver with a command',
  'top up, settle or adjust a wallet with a command',
  'approve with a command what one asked for in the dashboard',
  'reset another administrator’s password with a command, approve as them',
  'onboard a merchant, approve its payout batch',
  'onboard a merchant, raise its payout limit',
  'onboard a merchant, approve the resolution of its case',
  'set the columns of a report, approve it',
];

describe('B2: one administrator alone takes no money out', () => {
  test.each(Object.entries(CHAINS))('One person cannot %s.', (_, chain) => chain());

  test('SECURITY.md lists these chains and no other.', () => {
    const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
    const section = text.slice(text.indexOf('## Chains of one person'));
    const rows = [...section.slice(0, section.indexOf('\n## ', 4)).matchAll(/^\| (.+?) \| /gm)];
    const listed = rows.map((row) => row[1]).slice(1);
    expect(listed).toEqual([...Object.keys(CHAINS), ...ELSEWHERE]);
  });

  test.each([
    ['deposit', 'COMPLETED'],
    ['payout', 'FAILED'],
  ] as const)('A %s is ended as %s by a request and the approval of another person.', async (noun, end) => {
    const id = await unclear(noun);
    await askToEnd(ana, noun, id);
    const approvalId = await approvalIn(gateway, ana, 'PAYMENT_END');
    const [{ encrypted, request }] = (await select(
      gateway,
      `select encode(encrypted_reason, 'escape') as encrypted, request::text from approvals where approval_id = $1`,
      [approvalId],
    )) as [{ encrypted: string; request: string }];
    expect(encrypted + request).not.toContain('Uwase');
    const { rows: pending } = (await ben.call('GET', 'api/host/approvals?status=PENDING')).body;
    expect(pending).toContainEqual(
      expect.objectContaining({ approvalId, isPlatform: true, reason: 'Aline Uwase saw it in the portal' }),
    );
    expect((await approve(ben, approvalId)).body).toEqual({ link: null, outcome: 'DONE' });
    expect(await statusOf(noun, id)).toBe(end);
    const decided =
      'select status, decided_at = (select final_at from payments where payment_id = $2) as once';
    const rows = await select(gateway, `${decided} from approvals where approval_id = $1`, [approvalId, id]);
    expect(rows[0]!['status']).toBe('APPROVED');
    expect((await approve(ben, approvalId)).status).toBe(409);
  });

  test('An approval is not given where the payment cannot be ended, and both stay as they are.', async () => {
    const id = await unclear('deposit');
    const other = await unclear('deposit');
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: other } as const;
    const taken = { type: 'COMPLETED', providerTransactionId: `T-${id}` } as const;
    const ordered = { actor: { personId: null, by: 'x' }, secondApprover: 'OPTIONAL' } as const;
    await askToEnd(ana, 'deposit', id);
    // Another payment gets the transaction after it was looked for.
    await endPayment(gateway.engine, { ...ordered, key, outcome: taken, reason: 'letter' });
    const approvalId = await approvalIn(gateway, ana, 'PAYMENT_END');
    expect((await approve(ben, approvalId)).status).toBe(409);
    expect(
      await select(gateway, 'select status from approvals where approval_id = $1', [approvalId]),
    ).toEqual([{ status: 'PENDING' }]);
    expect(await statusOf('deposit', id)).toBe('IN_RECONCILIATION');
    expect((await decideAtHost(gateway, ben, approvalId, 'reject')).status).toBe(200);
  });

  test.each(['COMPLETED', 'FAILED'] as const)(
    'A report that says %s ends a payment when two people have approved it.',
    async (end) => {
      const id = await unclear('deposit');
      const reportId = await importLine(id, end);
      const lines = 'select finding from operator_report_lines where report_id = $1';
      expect(await select(gateway, lines, [reportId])).toEqual([{ finding: 'TO_APPROVE' }]);
      const approvalId = await lastOfCommand('OPERATOR_REPORT');
      expect((await approve(ana, approvalId)).body.outcome).toBe('CONFIRMED');
      expect((await approve(ben, approvalId)).body.outcome).toBe('DONE');
      expect(await statusOf('deposit', id)).toBe(end);
      expect(await select(gateway, lines, [reportId])).toEqual([{ finding: 'APPLIED' }]);
    },
  );
});
