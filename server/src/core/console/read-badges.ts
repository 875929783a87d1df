// How much waits for people, for the navigation. Counted as far as two digits go.
import {
  APPROVAL_KINDS,
  PLATFORM_KINDS,
  type ApprovalKind,
  type WhoseApprovals,
} from '../../domain/approval.ts';
import { listApprovals } from '../../store/approvals/approvals.ts';
import { listUnresolved, listWaitingCases } from '../../store/console/problems.ts';
import type { Tx } from '../../store/database.ts';
import { listFailingEndpoints } from '../../store/payments/delays.ts';
import { listSettlements } from '../../store/settlements/settlements.ts';
import type { StorePart } from '../engine.ts';
import { COUNTED_MAX, FAILING } from './read-problems.ts';

/** Null where the reader may not see them. */
export type Badges = {
  readonly approvals: number | null;
  readonly cases: number | null;
  readonly payments: number | null;
  readonly endpoints: number | null;
  readonly settlements: number | null;
};

/** Approvals are those that the platform's people decide. */
export async function readPlatformBadges({ store: { database } }: StorePart): Promise<Badges> {
  const ofMerchants = await countPending(database, 'ALL', PLATFORM_KINDS);
  const own = await countPending(database, { merchantId: null }, APPROVAL_KINDS);
  return {
    approvals: Math.min(ofMerchants + own, COUNTED_MAX),
    cases: (await listWaitingCases(database, COUNTED_MAX)).length,
    payments: (await listUnresolved(database, COUNTED_MAX)).length,
    endpoints: (await listFailingEndpoints(database, FAILING)).length,
    settlements: (await listSettlements(database, { isOpen: true, after: null, countMax: COUNTED_MAX }))
      .length,
  };
}

/** Approvals of the kinds that the reader may see there. */
export async function readMerchantBadges(
  { store: { database } }: StorePart,
  {
    merchantId,
    kinds,
    maySeeEndpoints,
  }: {
    readonly merchantId: string;
    readonly kinds: readonly ApprovalKind[];
    readonly maySeeEndpoints: boolean;
  },
): Promise<Badges> {
  const endpoints = maySeeEndpoints ? await listFailingEndpoints(database, { ...FAILING, merchantId }) : null;
  return {
    approvals: kinds.length === 0 ? null : await countPending(database, { merchantId }, kinds),
    cases: null,
    payments: null,
    endpoints: endpoints?.length ?? null,
    settlements: null,
  };
}

async function countPending(tx: Tx, whose: WhoseApprovals, kinds: readonly ApprovalKind[]): Promise<number> {
  const page = { whose, kinds, isPending: true, after: null, countMax: COUNTED_MAX };
  return (await listApprovals(tx, page)).length;
}
