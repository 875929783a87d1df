// Exact money. Amounts are bigint ten-thousandths in code, text on the wire, numeric(22,4) in SQL. Amounts never use
// floating point.

/** An amount in ten-thousandths of the currency's main unit: 12.5 RWF is 125_000n. */
export type Amount = bigint;

const SCALE = 4;
const UNIT = 10_000n;

/** The format of the specification, with trailing zeroes allowed. */
export const AMOUNT_PATTERN = '^([0]|([1-9][0-9]{0,17}))([.][0-9]{1,4})?$';
export const AMOUNT_LENGTH_MAX = 23;

const amountShape = new RegExp(AMOUNT_PATTERN);

/** Parses an amount text. Null if it does not have the specification's format. */
export function parseAmount(text: string): Amount | null {
  if (text.length > AMOUNT_LENGTH_MAX || !amountShape.test(text)) return null;
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(SCALE, '0'));
}

/** Parses the output of `renderAmount` for a ledger sum, which may be negative. Throws for anything else. */
export function parseSigned(text: string): Amount {
  const amount = parseAmount(text.replace('-', ''));
  if (amount === null) throw new Error(`${text} is no amount`);
  return text.startsWith('-') ? -amount : amount;
}

/** Decimal places as written: "5.00" has two. */
export function decimalsWritten(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** The shortest text of an amount: 125_000n is "12.5". Ledger sums keep their sign. */
export function renderAmount(amount: Amount): string {
  const sign = amount < 0n ? '-' : '';
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % UNIT).toString().padStart(SCALE, '0').replace(/0+$/, '');
  return `${sign}${absolute / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A share of an amount in basis points, rounded half-even to the currency's smallest unit. */
export function shareOf(amount: Amount, share: { basisPoints: bigint; decimals: number }): Amount {
  const step = 10n ** BigInt(SCALE - share.decimals);
  return divideHalfEven(amount * share.basisPoints, 10_000n * step) * step;
}

function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twiceRest = (dividend % divisor) * 2n;
  if (twiceRest < divisor) return quotient;
  if (twiceRest > divisor) return quotient + 1n;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}
