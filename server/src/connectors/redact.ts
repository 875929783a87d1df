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

const FIELD = new RegExp(
  `("[\\w.-]*(?:${HIDDEN_NAMES.join('|')})[\\w.-]*"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|-?[\\d.]+)`,
  'gi',
);
const FORM_FIELD = new RegExp(`((?:^|[?&])[\\w.-]*(?:${HIDDEN_NAMES.join('|')})[\\w.-]*=)[^&\\s]*`, 'gi');

/** `values` is what must not be seen whatever it is called: keys, tokens, the payer's number and words. */
export function redact(text: string, values: readonly string[]): string {
  const known = values
    .filter((value) => value.length >= VALUE_LENGTH_MIN)
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
    .toSorted((a, b) => b.length - a.length);
  const withoutValues = known.reduce((rest, value) => rest.replaceAll(value, GONE), text);
  return withoutValues.replace(FIELD, `$1"${GONE}"`).replace(FORM_FIELD, `$1${GONE}`).slice(0, LENGTH_MAX);
}
