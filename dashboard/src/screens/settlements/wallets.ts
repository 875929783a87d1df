import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useMerchant } from '../../me.ts';

/** The merchant's wallets. Empty until they are read. */
export function useWallets(): AnswerOf<'listWallets'>['wallets'] {
  const { merchantId } = useMerchant();
  const wallets = useQuery(
    reading('/console/api/merchants/{merchantId}/wallets', { params: { path: { merchantId } } }),
  );
  return wallets.data?.wallets ?? [];
}
