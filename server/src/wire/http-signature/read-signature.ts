// Reads the headers Signature-Input and Signature, and chooses the signature that counts.
import { isInnerList, serializeInnerList, type BareItem, type InnerList } from 'structured-headers';
import { findRepeated, headerText, parseMembers, type Headers, type Member } from './members.ts';

/** The signature label of this API family's clients. */
export const SIGNATURE_LABEL = 'sig-pp';

export type Component = {
  /** `@method`, `content-digest`. */
  readonly name: string;
  readonly hasParameters: boolean;
};

export type ReceivedSignature = {
  readonly label: string;
  readonly components: readonly Component[];
  readonly parameters: ReadonlyMap<string, BareItem>;
  /** The member of Signature-Input as received: the last line of the base repeats it. */
  readonly inputText: string;
  readonly bytes: Buffer;
};

/** The broken rule, in words that complete the sentence "could not be authenticated: …". */
export type SignatureFault = { readonly type: 'FAULT'; readonly rule: SignatureRule; readonly cause: string };

/** The rules in the order in which they are checked. */
export const SIGNATURE_RULES = [
  'HEADERS',
  'ONE_SIGNATURE',
  'PARAMETERS',
  'COMPONENTS',
  'ALGORITHM',
  'TIME',
  'KEY',
  'DIGEST',
  'SIGNATURE',
] as const;
export type SignatureRule = (typeof SIGNATURE_RULES)[number];

export function signatureFault(rule: SignatureRule, cause: string): SignatureFault {
  return { type: 'FAULT', rule, cause };
}

export function readSignature(
  headers: Headers,
): { readonly type: 'READ'; readonly signature: ReceivedSignature } | SignatureFault {
  const inputs = readHeader(headers, 'Signature-Input');
  if (!Array.isArray(inputs)) return inputs;
  const signatures = readHeader(headers, 'Signature');
  if (!Array.isArray(signatures)) return signatures;
  const input = chooseInput(inputs);
  if (input === null) {
    const cause = `there are several signatures and none is labelled ${SIGNATURE_LABEL}`;
    return signatureFault('ONE_SIGNATURE', cause);
  }
  const [bytes] = signatures.find(({ name }) => name === input.name)?.value ?? [];
  if (!(bytes instanceof ArrayBuffer)) {
    return signatureFault('ONE_SIGNATURE', `the Signature header has no signature labelled ${input.name}`);
  }
  if (!isInnerList(input.value)) {
    return signatureFault('HEADERS', 'the Signature-Input header must list components in parentheses');
  }
  return readInput(input.name, input.text, input.value, Buffer.from(bytes));
}

function readHeader(headers: Headers, name: string): Member[] | SignatureFault {
  const text = headerText(headers, name.toLowerCase());
  if (text === undefined || text.trim() === '') {
    return signatureFault('HEADERS', `the ${name} header is missing`);
  }
  const members = parseMembers(text);
  if (members === null) return signatureFault('HEADERS', `the ${name} header cannot be read`);
  const repeated = findRepeated(members);
  if (repeated === undefined) return [...members];
  return signatureFault('ONE_SIGNATURE', `the ${name} header has the label ${repeated} twice`);
}

/** The one with our label, beside others that a proxy may have added; else the only one. */
function chooseInput(inputs: readonly Member[]): Member | null {
  const own = inputs.find(({ name }) => name === SIGNATURE_LABEL);
  return own ?? (inputs.length === 1 ? (inputs[0] ?? null) : null);
}

function readInput(label: string, inputText: string, list: InnerList, bytes: Buffer) {
  const [items, parameters] = list;
  // A parameter given twice would be dropped, although it is signed.
  if (withoutSpaces(inputText) !== withoutSpaces(serializeInnerList(list))) {
    return signatureFault('HEADERS', 'the Signature-Input header repeats a parameter or writes one oddly');
  }
  // A name without quotes would look covered, but is in no line of the base.
  if (items.some(([name]) => typeof name !== 'string')) {
    return signatureFault('HEADERS', 'the Signature-Input header must have the components in quotes');
  }
  const components = items.map(([name, own]) => ({ name: String(name), hasParameters: own.size > 0 }));
  return { type: 'READ', signature: { label, components, parameters, inputText, bytes } } as const;
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}
