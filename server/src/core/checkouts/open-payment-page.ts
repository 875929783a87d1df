// Opens a session of the payment page. Nothing is a payment yet: the deposit exists from the moment the payer presses
// Pay, under the identifier that the merchant gave here.
import { failureReason } from '../../domain/failure.ts';
import { canonicalIdentifier } from '../../domain/identifier.ts';
import type { PageOrder } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { listPaymentKeys } from '../../store/payments/payment-keys.ts';
import { putPaymentPage } from '../../store/checkouts/payment-pages.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Refused } from '../payments/admit.ts';
import { checkTerms } from './check-terms.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { createPageCode, hashPageCode } from './page-code.ts';
import { addMs } from '../../domain/time.ts';

/** As long as the specification says an address is valid. */
const VALID_MS = 15 * 60_000;

export type PaymentPageOrder = {
  readonly merchant: Merchant;
  readonly apiVersion: ApiVersion;
  readonly writtenId: string;
  readonly page: PageOrder;
};

/** `code` is the last part of the page's address. */
export type PaymentPageAnswer = { readonly type: 'OPENED'; readonly code: string } | Refused;

export async function openPaymentPage(engine: Engine, order: PaymentPageOrder): Promise<PaymentPageAnswer> {
  const { merchant, apiVersion, writtenId, page } = order;
  const { merchantId } = merchant;
  const { database, keyring } = engine.store;
  const depositId = canonicalIdentifier(writtenId);
  await loadDataKeys(engine.store, [merchantId]);
  const [taken] = await listPaymentKeys(database, [{ merchantId, kind: 'DEPOSIT', paymentId: depositId }]);
  if (taken !== undefined) return { type: 'REJECTED', reason: alreadyPaid(writtenId) };
  const refusal = await checkTerms(engine, merchant, page.terms);
  if (refusal !== null) return refusal;
  const code = createPageCode(merchant.home);
  await inMerchant(database, merchantId, async (tx) => {
    const createdAt = await engine.clock.timeOf(tx);
    await putPaymentPage(tx, keyring, {
      merchantId,
      depositId,
      writtenId,
      apiVersion,
      codeHash: hashPageCode(code),
      order: page,
      createdAt,
      expiresAt: addMs(createdAt, VALID_MS),
    });
  });
  return { type: 'OPENED', code };
}

function alreadyPaid(id: string) {
  const cause = 'exists; a page can only be opened before its deposit is started';
  return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
}
