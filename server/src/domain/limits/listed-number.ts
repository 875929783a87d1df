// Lists of phone numbers, of the platform for every merchant or of one merchant.

/** BLOCKED goes first. ALLOWED: limits for each number do not count it. */
export const NUMBER_LISTS = ['BLOCKED', 'ALLOWED'] as const;
export type NumberList = (typeof NUMBER_LISTS)[number];

/** The digits of a number with its country code; null where it is none. */
export function parseListedNumber(text: string): string | null {
  const digits = text.replaceAll(/[\s+().-]/g, '');
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : null;
}
