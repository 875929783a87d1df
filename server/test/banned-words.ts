// Words that nothing a person reads may contain, and no name in the code either.

const BANNED = [
  'mend',
  'mends',
  'mended',
  'mending',
  'anew',
  'whoever',
  'nobody',
  'in vain',
  'for ever',
  'by hand',
  'under way',
  'became of',
  'turned away',
  'let go',
  'blanks',
  'beyond hope',
  'bells?',
  'lanes?',
  'doors?',
  'reseal(s|ed|ing)?',
  'strange transactions?',
  'forgotten payments?',
  'earlier generation',
  'the house',
  'unless said otherwise',
  'undertakers?',
  'furnish(es|ed)?',
];
const BANNED_WORD = new RegExp(`\\b(${BANNED.join('|')})\\b`, 'gi');

export function findBannedWords(text: string): readonly string[] {
  return text.match(BANNED_WORD) ?? [];
}
