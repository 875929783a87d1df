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
  'bec[ao]mes? of',
  'turn(s|ed|ing)? away',
  'let(s|ting)? go',
  'blanks',
  'beyond hope',
  'bells?',
  'lanes?',
  'doors?',
  'reseal(s|ed|ing)?',
  'strange transactions?',
  'forgotten payments?',
  'earlier generations?',
  'the house',
  'unless said otherwise',
  'undertakers?',
  'furnish(es|ed|ing)?',
  'desks?',
  'piles?',
  'written down',
  'second persons?',
  'second factors?',
];
/** Words of one phrase may stand on two lines. */
const BANNED_WORD = new RegExp(`\\b(${BANNED.join('|').replaceAll(' ', String.raw`\s+`)})\\b`, 'gi');

export function findBannedWords(text: string): readonly string[] {
  return text.match(BANNED_WORD) ?? [];
}
