// Messages are made in the words of API v2; API v1 has other words for some things.

const WORDS: Readonly<Record<string, string>> = {
  provider: 'correspondent',
  providers: 'correspondents',
  'phone number': 'MSISDN',
  PROCESSING: 'SUBMITTED',
  IN_RECONCILIATION: 'SUBMITTED',
};

/** The same message in the words of v1. What stands in quotes is a name or a value and stays as it is. */
export function translateMessage(text: string): string {
  const words = /'[^']*'|\b(?:phone number|providers?|PROCESSING|IN_RECONCILIATION)\b/g;
  return text.replace(words, (found) => WORDS[found] ?? found);
}
