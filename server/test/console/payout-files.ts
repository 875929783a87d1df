// Files of payouts, and what people do with them.
import { expect } from 'vitest';
import { approvalAbout, decideOn } from './asked.ts';
import { eventually, type TestGateway } from '../gateway.ts';
import { confirmed, type ConsoleAnswer, type TestPerson } from './people.ts';

export const HEADING = 'phoneNumber,amount,currency,provider,customerMessage,clientReferenceId';

/** A Rwandan number that nothing is known of, and that is therefore paid. */
export function numberOf(index: number): string {
  return `25078${String(1_000_000 + index)}`;
}

/** Each row another recipient, 100 and a little each. */
export function fileOf(count: number, from = 0): string {
  const rows = Array.from({ length: count }, (_, index) => `${numberOf(from + index)},${100 + index},RWF`);
  return ['phoneNumber,amount,currency', ...rows].join('\n');
}

export function pathOf(test: Pick<TestGateway, 'merchantId'>, rest = ''): string {
  return `api/merchants/${test.merchantId}/payout-batches${rest}`;
}

export async function upload(
  test: TestGateway,
  person: TestPerson,
  file: string,
  more: Record<string, unknown> = {},
): Promise<ConsoleAnswer> {
  return person.call('POST', pathOf(test), { title: 'Wages', file, ...more });
}

/** The identifier of a batch that waits. */
export async function prepared(test: TestGateway, person: TestPerson, file: string): Promise<string> {
  const { body } = await upload(test, person, file, { repeatsAreMeant: true });
  expect(body).toMatchObject({ faults: [], batchId: expect.any(String) });
  return body.batchId;
}

export async function act(
  test: TestGateway,
  person: TestPerson,
  batchId: string,
  what: 'approve' | 'send' | 'cancel',
): Promise<ConsoleAnswer> {
  await confirmed(person);
  if (what === 'approve')
    return decideOn(test, person, await approvalAbout(test, 'PAYOUT_BATCH', batchId.toLowerCase()), what);
  return person.call('POST', pathOf(test, `/${batchId}/${what}`), what === 'cancel' ? {} : undefined);
}

export async function readBatch(test: TestGateway, person: TestPerson, batchId: string) {
  return (await person.call('GET', pathOf(test, `/${batchId}`))).body;
}

export async function waitForBatch(
  test: TestGateway,
  person: TestPerson,
  batchId: string,
  wanted: Record<string, unknown>,
): Promise<void> {
  await eventually(() => readBatch(test, person, batchId)).toMatchObject(wanted);
}
