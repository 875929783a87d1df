// Messages are written for API v2; API v1 uses other words for some things.

const WORDS: Readonly<Record<string, string>> = {
  provider: 'correspondent',
  providers: 'correspondents',
  'phone number': 'MSISDN',
  PROCESSING: 'SUBMITTED',
  IN_RECONCILIATION: 'SUBMITTED',
};

/** The message in v1's words. Quoted names and values stay as they are. */
export function translateMessage(text: string): string {
  const words = /'[^']*'|\b(?:phone number|providers?|PROCESSING|IN_RECONCILIATION)\b/g;
  return text.replace(words, (found) => WORDS[found] ?? found);
}
