// Counts of each operator's payments.
import { countBy } from '../kit/table.ts';
import { nameOf, readPayments } from '../kit/verdict/payment-rows.ts';
import type { Setup } from './setup.ts';
import type { Traffic } from './traffic.ts';

export type OperatorTally = {
  readonly operator: string;
  readonly payments: number;
  /** How many faults applied. */
  readonly faults: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  readonly cases: number;
  /** Its payments by identifier, for findings. */
  readonly names: ReadonlySet<string>;
};

export async function tally(
  { gateway, bindings }: Setup,
  traffics: ReadonlyMap<string, Traffic>,
): Promise<readonly OperatorTally[]> {
  const payments = await readPayments(gateway.engine.store.database);
  return [...traffics].map(([operator, { faultsStruck }]) => {
    const providers = bindings.filter(({ connector }) => connector === operator).map((one) => one.provider);
    const own = payments.filter(({ provider }) => providers.includes(provider));
    return {
      operator,
      payments: own.length,
      faults: faultsStruck,
      kinds: countBy(own, ({ kind }) => kind),
      states: countBy(own, ({ state }) => state),
      cases: own.reduce((sum, { evidences }) => sum + evidences.length, 0),
      names: new Set(own.map(nameOf)),
    };
  });
}
