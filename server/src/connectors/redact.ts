// Removes secrets and personal data from records, in two ways because each alone misses cases: known values anywhere,
// and fields by name whatever they contain. Pure.

/** Long enough for all messages of the supported protocols. */
const LENGTH_MAX = 4_000;

const GONE = '…';

/** Shorter values would match everywhere, and are not secret. */
const VALUE_LENGTH_MIN = 4;

/** Parts of field names, in all operators' words. */
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

// Each name is matched once by a lookahead, and a cut text ends at the cut. So each character is read a fixed number of
// times: before, 100 KB of metadata "pinpin…" took six seconds.
const FIELD = new RegExp(`("${HIDDEN_NAME}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|-?[\\d.]+)`, 'gi');
const FORM_FIELD = new RegExp(`((?:^|[?&])${HIDDEN_NAME}=)[^&\\s]*`, 'gi');

/** Longer values are searched in pieces, so that the text can be cut soon after the part that is shown. */
const VALUE_LENGTH_MAX = 1_000;

/** `values` are always removed: keys, tokens, the payer's number and message. */
export function redact(text: string, values: readonly string[]): string {
  const known = [...new Set(values.flatMap(piecesOf).flatMap(spellingsOf))].toSorted(
    (a, b) => b.length - a.length,
  );
  const withoutValues = withoutKnown(text, known);
  return withoutValues.replace(FIELD, `$1"${GONE}"`).replace(FORM_FIELD, `$1${GONE}`).slice(0, LENGTH_MAX);
}

/** The text is cut before matching. A partial value at the cut is removed too. */
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
