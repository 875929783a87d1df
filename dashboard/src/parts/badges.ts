// How much waits for people, for the navigation and for tabs.
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../api/client.ts';
import { reading } from '../api/queries.ts';
import type { Scope } from '../me.ts';

export type Badges = AnswerOf<'readHostBadges'>;

const REFRESH_MS = 30_000;

/** Undefined until they are read. Every role has the permissions that this needs. */
export function useBadges(scope: Scope): Badges | undefined {
  const isHost = scope.type === 'host';
  const merchantId = scope.type === 'merchant' ? scope.merchantId : '';
  const atHost = useQuery({
    ...reading('/console/api/host/badges', {}),
    enabled: isHost && scope.permissions.includes('host:read'),
    refetchInterval: REFRESH_MS,
  });
  const atMerchant = useQuery({
    ...reading('/console/api/merchants/{merchantId}/badges', { params: { path: { merchantId } } }),
    enabled: !isHost && scope.permissions.includes('overview:read'),
    refetchInterval: REFRESH_MS,
  });
  return isHost ? atHost.data : atMerchant.data;
}

/** The server counts no further. */
const COUNT_MAX = 100;

/** "7", or "99+"; null where nothing waits. */
export function badgeText(count: number): string | null {
  if (count === 0) return null;
  return count >= COUNT_MAX ? `${COUNT_MAX - 1}+` : String(count);
}
