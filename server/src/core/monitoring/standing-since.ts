// Since when a figure without an age of its own has been wrong, as far as its measurements reach back without a break.
import { MUST_BE_ZERO, type Sample } from './monitor-metrics.ts';

export function withSince(
  samples: readonly Sample[],
  before: readonly Sample[],
  measuredAt: Date,
): readonly Sample[] {
  const earlier = new Map(before.map((one) => [nameOf(one), one]));
  return samples.map((one) => {
    const wrong = whatIsWrong(one, samples);
    if (wrong === null) return one;
    const last = earlier.get(nameOf(one));
    const isSame = last?.since !== undefined && whatIsWrong(last, before) === wrong;
    return { ...one, since: isSame ? last.since : measuredAt.toISOString() };
  });
}

type Wrong = 'NOT_ZERO' | 'FLOAT_LOW' | 'FLOAT_UNKNOWN';

/** What is wrong with a float is said of its minimum. */
export function whatIsWrong(one: Sample, all: readonly Sample[]): Wrong | null {
  const { metric, value } = one;
  if (MUST_BE_ZERO.has(metric) || metric === 'malipo_payout_spikes') return value === 0 ? null : 'NOT_ZERO';
  if (metric !== 'malipo_float_min_amount') return null;
  const told = operatorAmount(one, all);
  if (told === undefined) return 'FLOAT_UNKNOWN';
  return told < value ? 'FLOAT_LOW' : null;
}

/** What the operator says of the float that a minimum is about. */
export function operatorAmount({ labels }: Sample, all: readonly Sample[]): number | undefined {
  return all.find(
    ({ metric, labels: { provider, currency } }) =>
      metric === 'malipo_float_operator_amount' &&
      provider === labels['provider'] &&
      currency === labels['currency'],
  )?.value;
}

function nameOf({ metric, labels }: Sample): string {
  return [metric, ...Object.entries(labels).flat()].join();
}
