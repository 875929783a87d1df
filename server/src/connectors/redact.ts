// Takes secrets and personal data out of what is written down about an exchange. Two nets, because either alone has
// holes: values we know are taken out wherever they stand, and fields by their names whatever they hold. Pure.

/** Long enough for every message of the protocols we speak. */
const LENGTH_MAX = 4_000;

const GONE = '…';

/** Shorter ones would take half of every text with them, and are no secrets. */
const VALUE_LENGTH_MIN = 4;

/** Parts of the names of fields in any operator's words. */
const HIDDEN_NAMES = [
  'party_?id',
  'phone',
  'msisdn',
  'mobile',
  '(first|last|full|given|family|customer|payer|payee|holder|sur)_?name',
  'birth',
  'address',
  'e_?mail',
  'pin',
  'otp',
  'one_?time_?code',
  'password',
  'passkey',
  'secret',
  'token',
  'api_?key',
  'credential',
  'authorization',
  'message',
  'note',
];

const HIDDEN_NAME = `(?=[\\w.-]*?(?:${HIDDEN_NAMES.join('|')}))[\\w.-]*`;

// The name is looked at once, ahead of matching it, and a text that was cut ends where it was cut. So each letter is
// read a fixed number of times: a merchant's metadata of 100 KB "pinpin…" once took six seconds here.
const FIELD = new RegExp(`("${HIDDEN_NAME}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|-?[\\d.]+)`, 'gi');
const FORM_FIELD = new RegExp(`((?:^|[?&])${HIDDEN_NAME}=)[^&\\s]*`, 'gi');

/** Longer values are looked for in pieces, so that a text is cut not far behind what is shown of it. */
const VALUE_LENGTH_MAX = 1_000;

/** `values` is what must not be seen whatever it is called: keys, tokens, the payer's number and words. */
export function redact(text: string, values: readonly string[]): string {
  const known = [...new Set(values.flatMap(piecesOf).flatMap(spellingsOf))].toSorted(
    (a, b) => b.length - a.length,
  );
  const withoutValues = withoutKnown(text, known);
  return withoutValues.replace(FIELD, `$1"${GONE}"`).replace(FORM_FIELD, `$1${GONE}`).slice(0, LENGTH_MAX);
}

/** Cut before anything is matched. What could be the beginning of a value that the cut parted is left out too. */
function withoutKnown(text: string, known: readonly string[]): string {
  const longest = known[0]?.length ?? 0;
  const isCut = text.length > LENGTH_MAX + longest;
  const start = isCut ? text.slice(0, LENGTH_MAX + longest) : text;
  const rest = known.reduce((left, value) => left.replaceAll(value, GONE), start);
  return isCut ? rest.slice(0, Math.max(0, rest.length - longest)).slice(0, LENGTH_MAX) : rest;
}

function piecesOf(value: string): readonly string[] {
  const count = Math.ceil(value.length / VALUE_LENGTH_MAX);
  return Array.from({ length: count }, (_, index) =>
    value.slice(index * VALUE_LENGTH_MAX, (index + 1) * VALUE_LENGTH_MAX),
  ).filter((piece) => piece.length >= VALUE_LENGTH_MIN);
}

function spellingsOf(value: string): readonly string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
}
