// The status of a transaction is any text the operator likes: the standard enumerates the states of requests and of
// batches, and not this one. The words of its examples are known; an account adds its operator's own. Pure.

const MEANINGS = ['completed', 'pending', 'failed'] as const;
export type StatusMeaning = (typeof MEANINGS)[number];

/**
 * What a status means, by the standard's three words or by the account's: "completed=paid,success failed=voided". Null
 * for a word no one has mapped.
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
