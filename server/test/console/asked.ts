// What one person asked for in the console, and what others do with it.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { select, type TestGateway } from '../gateway.ts';
import type { ConsoleAnswer, TestPerson } from './people.ts';

/** A token that could empty every wallet. */
export const PAYING = {
  name: 'wages server',
  scopes: ['finances:read', 'payouts:write'],
  expiresAt: null,
};

export function at({ merchantId }: Pick<TestGateway, 'merchantId'>, rest: string): string {
  return `api/merchants/${merchantId}/${rest}`;
}

/** The identifier of what this person requested last. */
export async function approvalIn(test: TestGateway, requester: TestPerson, kind: string): Promise<string> {
  const [row] = await select(
    test,
    `select approval_id from approvals where requested_by = $1 and kind = $2 and status = 'PENDING'
     order by requested_at desc, approval_id limit 1`,
    [requester.personId, kind],
  );
  expect(row).toBeDefined();
  return String(row?.['approval_id']);
}

/** The last request about a batch, a case or a currency. */
export async function approvalAbout(test: TestGateway, kind: string, subject: string): Promise<string> {
  const [row] = await select(
    test,
    `select approval_id from approvals where kind = $1 and subject = $2 order by requested_at desc limit 1`,
    [kind, subject],
  );
  return String(row?.['approval_id'] ?? randomUUID());
}

export type Deciding = 'approve' | 'reject' | 'withdraw';

/** At a merchant, or at the platform where that is null. */
export async function decideAt(
  test: TestGateway,
  merchantId: string | null,
  person: TestPerson,
  approvalId: string,
  what: Deciding,
): Promise<ConsoleAnswer> {
  const found = 'select shown_hash as hash from approvals where approval_id = $1';
  const hash = (await select(test, found, [approvalId]))[0]?.['hash'] ?? '0'.repeat(64);
  const bodies = { approve: { hash }, reject: { reason: 'no such slip' }, withdraw: undefined };
  const place = merchantId === null ? 'api/host' : `api/merchants/${merchantId}`;
  return person.call('POST', `${place}/approvals/${approvalId}/${what}`, bodies[what]);
}

export function decideOn(
  test: TestGateway,
  person: TestPerson,
  approvalId: string,
  what: Deciding,
): Promise<ConsoleAnswer> {
  return decideAt(test, test.merchantId, person, approvalId, what);
}

export function decideAtHost(
  test: TestGateway,
  person: TestPerson,
  approvalId: string,
  what: Deciding = 'approve',
): Promise<ConsoleAnswer> {
  return decideAt(test, null, person, approvalId, what);
}

/** How a request with this token is answered. */
export async function answerTo(
  test: Pick<TestGateway, 'url'>,
  token: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${test.url}/v2/wallet-balances`, { headers });
  return { status: answer.status, text: answer.ok ? '' : await answer.text() };
}
