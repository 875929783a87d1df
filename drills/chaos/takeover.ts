// How long no payment was accepted because another node became primary: what merchants notice of it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseCluster, NodeName } from '../kit/database-cluster.ts';
import { listGaps } from '../kit/gaps.ts';

/** More than Patroni and a slow machine need. */
const PATIENCE_MS = 180_000;

export type Takeover = {
  /** Whether another node became primary, and a payment was accepted after that. */
  readonly isWhole: boolean;
  /** The longest time without an accepted payment, from the kill or the order to switch over. */
  readonly withoutWriteMs: number;
  /** From the promotion to the first payment that was accepted after it. */
  readonly afterPromotionMs: number;
};

export type Change = {
  readonly cluster: Pick<DatabaseCluster, 'primary'>;
  /** When payments were acknowledged, by `performance.now()`. */
  readonly acknowledgedAt: readonly number[];
  readonly before: NodeName | null;
  /** When it began, by the same clock. */
  readonly since: number;
};

export async function measureTakeover({ cluster, acknowledgedAt, before, since }: Change): Promise<Takeover> {
  const isTrueInTime = async (condition: () => Promise<boolean> | boolean) => {
    while (!(await condition())) {
      if (performance.now() - since > PATIENCE_MS) return false;
      await sleep(10);
    }
    return true;
  };
  const isPromoted = await isTrueInTime(async () => ![before, null].includes(await cluster.primary()));
  const promotedAt = isPromoted ? performance.now() : since;
  const count = acknowledgedAt.length;
  const isWhole = isPromoted && (await isTrueInTime(() => acknowledgedAt.length > count));
  const until = acknowledgedAt[count] ?? performance.now();
  return {
    isWhole,
    withoutWriteMs: Math.max(...listGaps(acknowledgedAt, { from: since, until }).map(({ ms }) => ms)),
    afterPromotionMs: Math.round(until - promotedAt),
  };
}
