// Lists of payments as the API gives them: of one merchant, or of all for the platform's people.
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import type { Filters } from './filters.ts';
import type { Summary } from './payment-words.ts';

/** Null: all merchants. */
export type ListOwner = string | null;

export type ListedPayment = Summary & {
  readonly merchantId: string;
  /** Its name. Null in a list of one merchant, where everybody knows it. */
  readonly merchant: string | null;
};

export type PaymentPage = { readonly payments: readonly ListedPayment[]; readonly next: string | null };

export type ListQuery = Filters & {
  readonly cursor?: string;
  readonly limit?: string;
  readonly identifier?: string;
};

export function paymentPage(owner: ListOwner, query: ListQuery) {
  return queryOptions({
    queryKey: ['payments', owner, query],
    queryFn: ({ signal }) => readPaymentPage(owner, query, signal),
  });
}

export async function readPaymentPage(
  owner: ListOwner,
  query: ListQuery,
  signal: AbortSignal,
): Promise<PaymentPage> {
  if (owner === null) {
    const call = api.GET('/console/api/host/payments', { params: { query }, signal });
    return (await answer(call)) as unknown as AnswerOf<'listAllPayments'>;
  }
  const params = { path: { merchantId: owner }, query };
  const call = api.GET('/console/api/merchants/{merchantId}/payments', { params, signal });
  const { payments, next } = (await answer(call)) as unknown as AnswerOf<'listPayments'>;
  return { payments: payments.map((one) => ({ ...one, merchantId: owner, merchant: null })), next };
}

export function paymentTotals(owner: ListOwner, query: Filters) {
  return queryOptions({
    queryKey: ['payment totals', owner, query],
    queryFn: async ({ signal }) => {
      const call =
        owner === null
          ? api.GET('/console/api/host/payments/totals', { params: { query }, signal })
          : api.GET('/console/api/merchants/{merchantId}/payments/totals', {
              params: { path: { merchantId: owner }, query },
              signal,
            });
      return (await answer<unknown>(call)) as AnswerOf<'totalPayments'>;
    },
  });
}

/** The file as text. */
export async function exportPayments(
  owner: ListOwner,
  query: Filters & { readonly isRevealed: boolean },
): Promise<string> {
  const asText = { body: query, parseAs: 'text' } as const;
  return owner === null
    ? answer(api.POST('/console/api/host/payments/export', asText))
    : answer(
        api.POST('/console/api/merchants/{merchantId}/payments/export', {
          params: { path: { merchantId: owner } },
          ...asText,
        }),
      );
}
