// Where a person worked last on this machine.
import { hostScope, merchantScope, type Me, type Scope } from '../me.ts';

const REMEMBERED = 'malipo.scope';

export function rememberScope(scope: Scope): void {
  localStorage.setItem(REMEMBERED, scope.type === 'host' ? 'host' : scope.merchantId);
}

/** There, if they still belong to it; else at their first merchant, else at the host; null if they belong nowhere. */
export function lastScope(me: Me): Scope | null {
  const last = localStorage.getItem(REMEMBERED);
  if (last === 'host' && me.host !== null) return hostScope(me);
  const merchant = me.merchants.find(({ merchantId }) => merchantId === last) ?? me.merchants[0];
  if (me.host !== null && merchant?.merchantId !== last) return hostScope(me);
  return merchant === undefined ? null : merchantScope(me, merchant.merchantId);
}
