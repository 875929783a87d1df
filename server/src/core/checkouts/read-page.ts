// A hosted page as its payer may see it, and everyone who knows its address: a session of the payment page, or a
// checkout.
import { CHECKOUT_ATTEMPTS_MAX, type ReturnMethod } from '../../domain/checkouts/checkout.ts';
import { listOffers, type Offers, type PageOrder } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion, Payment } from '../../domain/payments/payment.ts';
import { findCheckoutByCode, type Checkout } from '../../store/checkouts/checkouts.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { findPaymentPage, openPaymentPageOrder } from '../../store/checkouts/payment-pages.ts';
import type { Tx } from '../../store/database.ts';
import { listEvidence } from '../../store/payments/cases.ts';
import { listPayments } from '../../store/payments/payments.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Engine } from '../engine.ts';
import { MerchantInOtherCell } from '../cells/lock-merchant.ts';
import { hashPageCode, isPageCode } from './page-code.ts';
import { viewCheckout } from './read-checkout.ts';
import { listActive } from '../payments/read/read-configuration.ts';

export type HostedPage = {
  readonly merchant: Merchant;
  readonly order: PageOrder;
  /** The identifier as the merchant wrote it: of the deposit, or of the checkout. */
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly expiresAt: Date;
  /** What the payer started last, if anything. */
  readonly deposit: Payment | null;
  /** Which attempt would be next, from 1. */
  readonly attemptNo: number;
  /** The operator contradicts the failure of an attempt: money may have been taken after all. */
  readonly isDisputed: boolean;
  readonly checkout: (Checkout & { readonly returnMethod: ReturnMethod; readonly code: string }) | null;
};

export async function findPage(
  engine: Engine,
  { kind, code }: { readonly kind: 'pay' | 'checkout'; readonly code: string },
): Promise<HostedPage | null> {
  if (!isPageCode(code)) return null;
  return kind === 'pay' ? findSession(engine, code) : findCheckoutPage(engine, code);
}

/** What the payer can choose from now. */
export async function listPageOffers(engine: Engine, page: HostedPage): Promise<Offers> {
  const filter = { country: null, operationType: 'DEPOSIT' };
  return listOffers(await listActive(engine, page.merchant, filter), page.order.terms, {
    testNumbersAllowed: engine.environment === 'sandbox',
  });
}

export type Stage = 'OPEN' | 'RUNNING' | 'PAID' | 'FAILED' | 'DISPUTED' | 'EXPIRED' | 'CANCELLED';

/** Where the payer stands. What is disputed is never offered to be paid again, nor said to have taken no money. */
export function stageOf(page: HostedPage, now: Date): Stage {
  const stage = undisputedStage(page, now);
  return page.isDisputed && stage !== 'RUNNING' && stage !== 'PAID' ? 'DISPUTED' : stage;
}

function undisputedStage(
  { checkout, deposit, expiresAt, attemptNo }: HostedPage,
  now: Date,
): Exclude<Stage, 'DISPUTED'> {
  switch (checkout?.status ?? deposit?.state ?? 'WAITING_PAYMENT') {
    case 'WAITING_PAYMENT':
      if (now >= expiresAt) return 'EXPIRED';
      return attemptNo > CHECKOUT_ATTEMPTS_MAX ? 'FAILED' : 'OPEN';
    case 'ACCEPTED':
    case 'ENQUEUED':
    case 'PROCESSING':
    case 'IN_RECONCILIATION':
      return 'RUNNING';
    case 'COMPLETED':
      return 'PAID';
    case 'FAILED':
      return 'FAILED';
    case 'EXPIRED':
      return 'EXPIRED';
    case 'CANCELLED':
      return 'CANCELLED';
  }
}

async function findSession(engine: Engine, code: string): Promise<HostedPage | null> {
  const { database, keyring } = engine.store;
  const encrypted = await findPaymentPage(database, hashPageCode(code));
  const merchant = encrypted === null ? null : await engine.directory.merchant(encrypted.merchantId);
  if (encrypted === null || merchant === null || merchant.isSuspended) return null;
  await requireHere(engine, encrypted.merchantId);
  await loadDataKeys(engine.store, [encrypted.merchantId]);
  const { merchantId, depositId, writtenId, apiVersion, expiresAt } = encrypted;
  const key = { merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  const [deposit] = await listPayments(database, keyring, [key]);
  const order = openPaymentPageOrder(keyring, encrypted);
  return {
    merchant,
    order,
    writtenId,
    apiVersion,
    expiresAt,
    deposit: deposit ?? null,
    attemptNo: 1,
    isDisputed: await isAnyDisputed(database, deposit === undefined ? [] : [deposit]),
    checkout: null,
  };
}

async function findCheckoutPage(engine: Engine, code: string): Promise<HostedPage | null> {
  const encrypted = await findCheckoutByCode(engine.store.database, hashPageCode(code));
  const merchant = encrypted === null ? null : await engine.directory.merchant(encrypted.merchantId);
  if (encrypted === null || merchant === null || merchant.isSuspended) return null;
  await requireHere(engine, encrypted.merchantId);
  const { checkout, order, attempts } = await viewCheckout(engine, encrypted);
  return {
    merchant,
    order,
    writtenId: checkout.writtenId,
    apiVersion: checkout.apiVersion,
    expiresAt: checkout.expiresAt,
    deposit: attempts.at(-1) ?? null,
    attemptNo: attempts.length + 1,
    isDisputed: await isAnyDisputed(engine.store.database, attempts),
    checkout: { ...checkout, returnMethod: order.returnMethod, code },
  };
}

async function isAnyDisputed(tx: Tx, attempts: readonly Payment[]): Promise<boolean> {
  const evidence = await listEvidence(
    tx,
    attempts.filter(({ state }) => state === 'FAILED'),
  );
  return evidence.size > 0;
}

/** The page stays known in a cell that its merchant has left, so that its visitors are sent on. */
export async function requireHere(
  engine: Pick<Engine, 'cellAssignments'>,
  merchantId: string,
): Promise<void> {
  const place = await engine.cellAssignments.of(merchantId);
  if (place.type !== 'HERE') throw new MerchantInOtherCell(merchantId);
}
