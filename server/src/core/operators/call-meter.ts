// Counts what every call to an operator came to, in this process, until core/operators/watch-availability writes it
// down for all.
import {
  resultOf,
  type CallCounts,
  type CallResult,
  type CallStep,
} from '../../domain/operators/provider-health.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';

/** Which calls are counted together. */
export type MeasuredCall = {
  readonly provider: string;
  readonly operation: PaymentKind;
  readonly step: CallStep;
};

export type CallMeter = {
  readonly count: (call: MeasuredCall, result: CallResult) => void;
  /** The counts since the last time they were taken. */
  readonly take: () => readonly (MeasuredCall & CallCounts)[];
};

export function createCallMeter(): CallMeter {
  const counts = new Map<string, MeasuredCall & CallCounts>();
  return {
    count: ({ provider, operation, step }, result) => {
      const name = `${provider} ${operation} ${step}`;
      const before = counts.get(name) ?? { provider, operation, step, answered: 0, failing: 0, silent: 0 };
      counts.set(name, addTo(before, result));
    },
    take: () => {
      const taken = [...counts.values()];
      counts.clear();
      return taken;
    },
  };
}

/** Counts a call about a payment by what the operator said. */
export function countOutcome(
  meter: CallMeter,
  about: { readonly provider: string; readonly kind: PaymentKind; readonly step: CallStep },
  outcome: Outcome,
): void {
  const result = resultOf(outcome);
  if (result !== null)
    meter.count({ provider: about.provider, operation: about.kind, step: about.step }, result);
}

function addTo(counts: MeasuredCall & CallCounts, result: CallResult): MeasuredCall & CallCounts {
  switch (result) {
    case 'ANSWERED':
      return { ...counts, answered: counts.answered + 1 };
    case 'FAILING':
      return { ...counts, failing: counts.failing + 1 };
    case 'SILENT':
      return { ...counts, silent: counts.silent + 1 };
  }
}
