// The part of structured headers (RFC 9651) that signatures need. Any other syntax is refused: a lenient parser could
// read something that was never signed.

/** The members of a dictionary with their exact texts; null if it is not one, or has a duplicate. */
export function readDictionary(text: string): ReadonlyMap<string, string> | null {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^",])+/g) ?? [];
  const members = new Map<string, string>();
  for (const part of parts) {
    const [, name, value] = /^([a-z*][a-z0-9_.*-]*)=(.+)$/.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined || members.has(name)) return null;
    members.set(name, value);
  }
  return members.size === 0 ? null : members;
}

export type SignatureInput = {
  readonly components: readonly string[];
  readonly parameters: ReadonlyMap<string, string | number>;
};

const INPUT = /^\(((?:"[^"\\]+"(?: "[^"\\]+")*)?)\)((?:;[a-z*][a-z0-9_.*-]*=(?:"[^"\\]*"|\d{1,15}))*)$/;

/** A member of Signature-Input: components without parameters, and parameters that are texts or whole numbers. */
export function readSignatureInput(text: string): SignatureInput | null {
  const [, list, rest] = INPUT.exec(text) ?? [];
  if (list === undefined || rest === undefined) return null;
  const components = (list.match(/"[^"]+"/g) ?? []).map((quoted) => quoted.slice(1, -1));
  const parameters = new Map<string, string | number>();
  for (const [, name = '', value = ''] of rest.matchAll(/;([^=;]+)=("[^"]*"|\d+)/g)) {
    if (parameters.has(name)) return null;
    parameters.set(name, value.startsWith('"') ? value.slice(1, -1) : Number(value));
  }
  return new Set(components).size === components.length ? { components, parameters } : null;
}
