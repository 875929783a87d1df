// Checkouts for tests: requests, and attempts as the page would start them.
import { randomUUID } from 'node:crypto';
import { initiate, type InitiationAnswer } from '../src/core/payments/accept/initiate.ts';
import { attemptDepositId } from '../src/core/checkouts/page-code.ts';
import { parseAmount } from '../src/domain/money.ts';
import { call, waitUntil, type TestGateway } from './gateway.ts';
import type { Body } from './requests.ts';

export function checkoutRequest(changes: Body = {}): Body {
  return { checkoutId: randomUUID(), returnUrl: 'https://shop.example/cart', ...changes };
}

export async function readCheckout(gateway: TestGateway, checkoutId: string): Promise<Body> {
  const { body } = await call(gateway, 'GET', `/v2/checkouts/${checkoutId}`);
  return body['data'];
}

/** Starts an attempt as if the payer had pressed Pay: 250783456039 declines, 250783456129 never answers. */
export async function attempt(
  { engine, merchantId }: Pick<TestGateway, 'engine' | 'merchantId'>,
  of: { readonly checkoutId: string; readonly attemptNo: number; readonly phoneNumber?: string },
): Promise<InitiationAnswer> {
  const { checkoutId, attemptNo, phoneNumber = '250783456789' } = of;
  const merchant = await engine.directory.merchant(merchantId);
  const key = { merchantId, checkoutId };
  const [answer] = await initiate(engine, [
    {
      kind: 'DEPOSIT',
      paymentNo: randomUUID(),
      merchant: merchant!,
      apiVersion: 'v2',
      writtenId: attemptDepositId(engine.referenceKey, key, attemptNo),
      amount: parseAmount('100')!,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      attemptOf: { checkoutId, attemptNo },
      details: { phoneNumber, clientReferenceId: 'CART-1', metadata: [] },
    },
  ]);
  if (answer === undefined || answer.type === 'OTHER_CELL') throw new Error('the merchant is elsewhere');
  return answer;
}

export async function waitForCheckout(
  gateway: TestGateway,
  checkoutId: string,
  status: string,
): Promise<Body> {
  await waitUntil(async () => (await readCheckout(gateway, checkoutId))['status'] === status);
  return readCheckout(gateway, checkoutId);
}
