import { useQuery } from '@tanstack/react-query';
import { reading } from '../api/queries.ts';
import { useMerchant } from '../me.ts';
import { addDays, dayIn } from './time-zone.ts';

export type UsualPlace = { readonly currency: string | null; readonly provider: string | null };

const DAYS = 30;

/**
 * What forms open with: the home currency, else the one with most payments of the last month, and the provider that
 * carries most of them. Undefined until it is known.
 */
export function useUsualPlace(): UsualPlace | undefined {
  const { merchantId, homeCurrency, timeZone, may } = useMerchant();
  const isReadable = may('overview:read');
  const today = dayIn(timeZone);
  const { data, isPending } = useQuery({
    ...reading('/console/api/merchants/{merchantId}/overview', {
      params: { path: { merchantId }, query: { from: addDays(today, 1 - DAYS), to: today } },
    }),
    enabled: isReadable,
    staleTime: Infinity,
  });
  if (isReadable && isPending) return undefined;
  const currency = homeCurrency ?? data?.currencies[0]?.currency ?? null;
  const [busiest] = (data?.providers ?? [])
    .filter((one) => one.currency === currency)
    .toSorted((a, b) => b.completed + b.failed - (a.completed + a.failed));
  return { currency, provider: busiest?.provider ?? null };
}
