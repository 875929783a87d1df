// What one person asked for in the console, and what others do with it.
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

/** The identifier of what this person asked for last. */
export async function approvalIn(test: TestGateway, asker: TestPerson, kind: string): Promise<string> {
  const [row] = await select(
    test,
    `select approval_id from approvals where asked_by = $1 and kind = $2 and decision is null
     order by asked_at desc, approval_id limit 1`,
    [asker.personId, kind],
  );
  expect(row).toBeDefined();
  return String(row?.['approval_id']);
}

export function decideOn(
  test: TestGateway,
  person: TestPerson,
  approvalId: string,
  what: 'approve' | 'refuse' | 'withdraw',
): Promise<ConsoleAnswer> {
  return person.call('POST', at(test, `approvals/${approvalId}/${what}`));
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
