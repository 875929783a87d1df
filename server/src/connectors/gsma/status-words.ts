// A transaction's status is free text of the operator: the standard lists states for requests and batches only. The
// words of its examples are known here; account settings add the operator's own. Pure.

const MEANINGS = ['completed', 'pending', 'failed'] as const;
export type StatusMeaning = (typeof MEANINGS)[number];

/**
 * The meaning of a status, from the standard's three words or the account's: "completed=paid,success failed=voided".
 * Null for an unmapped word.
 */
export function outcomeWordOf(status: string, words: string): StatusMeaning | null {
  const word = status.trim().toLowerCase();
  const own = words
    .toLowerCase()
    .split(/\s+/)
    .find((entry) => (entry.split('=')[1] ?? '').split(',').includes(word));
  const meaning = own?.split('=')[0] ?? word;
  return MEANINGS.find((one) => one === meaning) ?? null;
}
