// The signature base of RFC 9421: what is signed, one line per component.

export type SignableRequest = {
  readonly method: string;
  /** The whole address as the sender saw it. */
  readonly url: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
};

/** What every signature of this API covers; also `@query`, if the address has one. */
export const COMPONENTS = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
] as const;

export function componentsFor(url: string): readonly string[] {
  return new URL(url).search === '' ? COMPONENTS : [...COMPONENTS, '@query'];
}

/** `inputText` is the exact member of Signature-Input. Null if the request lacks a component. */
export function createSignatureBase(
  request: SignableRequest,
  components: readonly string[],
  inputText: string,
): string | null {
  const values = components.map((name) => valueOf(request, name));
  if (values.includes(null)) return null;
  const lines = components.map((name, index) => `"${name}": ${values[index]}`);
  return [...lines, `"@signature-params": ${inputText}`].join('\n');
}

function valueOf({ method, url, headers }: SignableRequest, component: string): string | null {
  const { host, pathname, search } = new URL(url);
  switch (component) {
    case '@method':
      return method;
    case '@authority':
      return host;
    case '@path':
      return pathname;
    case '@query':
      return search === '' ? '?' : search;
    default:
      return headers.get(component)?.trim() ?? null;
  }
}

/** A member of Signature-Input. */
export function writeSignatureInput(
  components: readonly string[],
  { algorithm, keyId, createdAt, lifetimeSeconds, tag }: InputFacts,
): string {
  const created = Math.floor(createdAt.getTime() / 1_000);
  const list = components.map((name) => `"${name}"`).join(' ');
  const times = `created=${created};expires=${created + lifetimeSeconds}`;
  const end = tag === undefined ? '' : `;tag="${tag}"`;
  return `(${list});alg="${algorithm}";keyid="${keyId}";${times}${end}`;
}

export type InputFacts = {
  readonly algorithm: string;
  readonly keyId: string;
  readonly createdAt: Date;
  readonly lifetimeSeconds: number;
  /** For whom it is signed: the merchant ID, in callbacks. */
  readonly tag?: string | undefined;
};

/** The signature label of this API. */
export const SIGNATURE_LABEL = 'sig-pp';
