// Who is signed in, and what they may do where they are.
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouterState } from '@tanstack/react-router';
import type { AnswerOf } from './api/client.ts';
import { reading } from './api/queries.ts';

export type Me = AnswerOf<'readMe'>;
export type Role = Me['merchants'][number]['role'];
export type Permission = Me['merchants'][number]['permissions'][number];

type MerchantScope = {
  readonly type: 'merchant';
  readonly merchantId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** The zone of its days, by its IANA name. */
  readonly timeZone: string;
  /** What its overview opens with; null: the currency with most payments. */
  readonly homeCurrency: string | null;
};

/** Where a person works: at one merchant, or at the platform as a whole. Null on screens that belong to neither. */
export type Scope =
  | MerchantScope
  | { readonly type: 'host'; readonly name: string; readonly permissions: readonly Permission[] };

const meQuery = reading('/console/api/me', {});

export function useMeQuery() {
  return useQuery(meQuery);
}

/** For screens inside the shell, which waits for it. */
export function useMe(): Me {
  const { data } = useMeQuery();
  if (data === undefined) throw new Error('useMe is for screens inside the shell.');
  return data;
}

export function useScope(): Scope | null {
  const me = useMe();
  const { merchantId } = useParams({ strict: false });
  const isHost = useRouterState({ select: ({ location }) => /^\/host(\/|$)/.test(location.pathname) });
  const isStranger =
    !isHost && me.host !== null && !me.merchants.some((one) => one.merchantId === merchantId);
  const merchant = useHostMerchant(isStranger ? merchantId : undefined);
  if (isHost) return hostScope(me);
  if (merchantId === undefined) return null;
  const scope = merchantScope(me, merchantId);
  if (merchant === undefined) return scope;
  const { name, timeZone, homeCurrency } = merchant;
  return { ...scope, name, timeZone, homeCurrency };
}

/** The platform's people are at no merchant, but know them all. */
function useHostMerchant(merchantId: string | undefined): AnswerOf<'readMerchant'> | undefined {
  const { data } = useQuery({
    ...reading('/console/api/host/merchants/{merchantId}', {
      params: { path: { merchantId: merchantId ?? '' } },
    }),
    enabled: merchantId !== undefined,
    staleTime: Infinity,
  });
  return data;
}

export function merchantScope(me: Me, merchantId: string): MerchantScope {
  const own = me.merchants.find((one) => one.merchantId === merchantId);
  const permissions = own?.permissions ?? me.host?.withinMerchants ?? [];
  return {
    type: 'merchant',
    merchantId,
    name: own?.name ?? merchantId.slice(0, 8),
    permissions,
    timeZone: own?.timeZone ?? 'UTC',
    homeCurrency: own?.homeCurrency ?? null,
  };
}

export function hostScope(me: Me): Scope {
  return { type: 'host', name: me.gateway, permissions: me.host?.permissions ?? [] };
}

/** The merchant a screen is about: `const { merchantId, may } = useMerchant();` */
export function useMerchant() {
  const scope = useScope();
  if (scope?.type !== 'merchant') throw new Error('useMerchant is for screens below /m/$merchantId.');
  const { merchantId, name, permissions, timeZone, homeCurrency } = scope;
  return {
    merchantId,
    name,
    timeZone,
    homeCurrency,
    may: (permission: Permission) => permissions.includes(permission),
  };
}

/** The same for screens below /host. */
export function useHost() {
  const me = useMe();
  const { permissions } = hostScope(me);
  return {
    may: (permission: Permission) => permissions.includes(permission),
    /** Whether they may see phone numbers and reasons in full. */
    mayReveal: me.host?.withinMerchants.includes('payments:reveal') ?? false,
  };
}
