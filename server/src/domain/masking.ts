// How personal data is masked: enough to distinguish people, too little to use.

/** The last three digits, which a caller can be asked to confirm. */
export function maskPhoneNumber(phoneNumber: string): string {
  return `••••••${phoneNumber.slice(-3)}`;
}

/** The last four characters, as banks print them. */
export function maskAccountNumber(number: string): string {
  return `••••••${number.slice(-4)}`;
}

/** A name, or metadata marked as personal. Its length would reveal something too. */
export const MASKED = '••••••';

/** The most words of a name that are shown, and how much of an operator's text is looked at. */
const NAME_WORDS_MAX = 4;
const NAME_LENGTH_MAX = 200;

/** The first letter of each word, enough to notice a wrong recipient: J••• D•••. Nothing tells how long a word is. */
export function maskName(name: string): string {
  const initials = name
    .slice(0, NAME_LENGTH_MAX)
    .split(/[\s.,]+/)
    .flatMap((word) => /\p{L}/u.exec(word)?.[0].toUpperCase() ?? []);
  return initials.length === 0
    ? MASKED
    : initials
        .slice(0, NAME_WORDS_MAX)
        .map((initial) => `${initial}•••`)
        .join(' ');
}
