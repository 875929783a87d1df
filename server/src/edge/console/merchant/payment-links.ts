// Payment links that a merchant's people share with payers.
import type { FastifyInstance } from 'fastify';
import { createLink, deactivateLink } from '../../../core/checkouts/administer-links.ts';
import { statusOfLink } from '../../../core/checkouts/visit-link.ts';
import { parseAmount } from '../../../domain/money.ts';
import { addMs } from '../../../domain/time.ts';
import { listPaymentLinks, type PaymentLink } from '../../../store/checkouts/payment-links.ts';
import { paymentLinkCalls } from '../../../wire/console/merchant/payment-link.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { linkAddress } from '../../pages/addresses.ts';
import { ConsoleFailure, failureBecause, refusalOf } from '../failure.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, requireMerchant, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'payments:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'payment-links:write' } as const;
const DAY_MS = 86_400_000;

export function registerPaymentLinks(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payment-links');
  const { engine } = parts;
  const url = '/merchants/:merchantId/payment-links';
  const shown = (link: PaymentLink, origin: string) => ({
    ...show(link, 'linkId', 'amount', 'currency', 'description', 'createdAt', 'expiresAt'),
    url: linkAddress(engine.publicUrl ?? origin, link.code),
    status: statusOfLink(link, engine.clock.now()),
  });
  route('GET', url, READ, paymentLinkCalls.listPaymentLinks, {
    summary: 'Payment links, the newest first',
    handle: async ({ path: { merchantId }, query, origin }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const after = placeAfter(page);
      const links = await listPaymentLinks(engine.store.database, {
        merchantId,
        before: after === null ? null : { createdAt: after.at, linkId: after.id },
        countMax: page.countMax + 1,
      });
      return renderPage(links, page, {
        show: (link) => shown(link, origin),
        cursorOf: ({ createdAt, linkId }) => [createdAt.toISOString(), linkId],
      });
    },
  });
  route('POST', url, WRITE, paymentLinkCalls.createPaymentLink, {
    summary: 'Create a payment link',
    handle: async ({ path, body, user: { by }, origin }) => {
      const { amount, currency, description, expiresAfterDays: days } = body;
      const answer = await createLink(engine, {
        by,
        merchant: await requireMerchant(parts, path.merchantId),
        amount: parseAmount(amount) ?? 0n,
        currency,
        description: description.trim(),
        expiresAt:
          days === null ? null : addMs(await engine.clock.timeOf(engine.store.database), days * DAY_MS),
      });
      if (answer.type === 'CREATED') return shown(answer.link, origin);
      if (answer.reason.failureCode !== 'INVALID_CURRENCY') throw refusalOf(answer.reason);
      throw failureBecause('INVALID_INPUT', 'CURRENCY_UNKNOWN', { currency });
    },
  });
  route('POST', `${url}/:linkId/deactivate`, WRITE, paymentLinkCalls.deactivatePaymentLink, {
    summary: 'Deactivate a payment link: no one can pay with it any more',
    handle: async ({ path, user: { by } }) => {
      const linkId = path.linkId.toLowerCase();
      if (!(await deactivateLink(engine, { ...path, linkId, by }))) throw new ConsoleFailure('NOT_FOUND');
      return done;
    },
  });
}
