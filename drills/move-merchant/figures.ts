// Figures from what commands said and what clients were answered.

/**
 * What the load's random refunds and amounts are told also where no merchant moves, and what the operator's faults lead
 * to, in either API version.
 */
const USUAL = [
  'AMOUNT_OUT_OF_BOUNDS',
  'AMOUNT_TOO_LARGE',
  'AMOUNT_TOO_SMALL',
  'INVALID_AMOUNT',
  'INVALID_CURRENCY',
  'DEPOSIT_ALREADY_REFUNDED',
  'ALREADY_REFUNDED',
  'REFUND_IN_PROGRESS',
  'IN_PROGRESS',
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
  'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
];

/** Rejections that a move could have caused. */
export function countRefused(reasons: object): number {
  const counts = Object.entries(reasons as Readonly<Record<string, number>>);
  return counts.reduce((sum, [reason, count]) => (USUAL.includes(reason) ? sum : sum + count), 0);
}

export function numbersAfter(lines: readonly string[], pattern: RegExp): readonly number[] {
  return lines.flatMap((line) => {
    const found = pattern.exec(line);
    return found === null ? [] : [Number(found[1])];
  });
}

export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
