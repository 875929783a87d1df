// Builds the request of `create` from options, from a file, or from both.
import { readFile } from 'node:fs/promises';
import type { Malipo } from '@malipo/sdk';
import { listOf, textOf, Trouble, UsageError, type Call, type Option } from '../command.ts';

type Fields = Readonly<Record<string, unknown>>;

export const FILE: Option = {
  name: 'file',
  value: 'FILE',
  summary: 'Request body as JSON; "-" for standard input. Other options override its fields.',
};

export const COMMON_OPTIONS: readonly Option[] = [
  { name: 'id', value: 'UUID', summary: 'Identifier (UUID v4); default: a new one.' },
  { name: 'reference', value: 'TEXT', summary: 'Your own reference, e.g. an invoice number.' },
  { name: 'metadata', value: 'NAME=TEXT', summary: 'Metadata, repeatable.', isRepeated: true },
];

export const MONEY_OPTIONS: readonly Option[] = [
  { name: 'amount', value: 'AMOUNT', summary: 'Amount, e.g. 100 or 12.5.' },
  { name: 'currency', value: 'CODE', summary: 'Currency code, e.g. RWF.' },
];

export const PARTY_OPTIONS: readonly Option[] = [
  { name: 'phone', value: 'NUMBER', summary: 'Phone number with country code, e.g. 250783456789.' },
  { name: 'provider', value: 'CODE', summary: 'Provider code; default: detected from the phone number.' },
  { name: 'message', value: 'TEXT', summary: 'Message to the customer: 4 to 22 letters, digits and spaces.' },
];

/** The common options of every kind, as fields of the API; without the identifier. */
export function commonFields(call: Call): Fields {
  const metadata = listOf(call, 'metadata').map(readMetadata);
  return given({
    clientReferenceId: textOf(call, 'reference'),
    amount: textOf(call, 'amount'),
    currency: textOf(call, 'currency'),
    customerMessage: textOf(call, 'message'),
    metadata: metadata.length === 0 ? undefined : metadata,
  });
}

/** The wallet of --phone, as `payer` or `recipient`. */
export async function partyFields(call: Call, malipo: Malipo, role: 'payer' | 'recipient'): Promise<Fields> {
  const phone = textOf(call, 'phone');
  if (phone === undefined) return {};
  const provider = textOf(call, 'provider');
  if (provider !== undefined) return party(role, phone.replace(/^\+/, ''), provider);
  const predicted = await malipo.toolkit.predictProvider(phone);
  if (!predicted.found) {
    throw new Trouble(predicted.failureReason.failureMessage, 'Check the number, or pass --provider.');
  }
  call.world.tell(`Provider: ${predicted.provider} (detected from the phone number).`);
  return party(role, predicted.phoneNumber, predicted.provider);
}

function party(role: string, phoneNumber: string, provider: string): Fields {
  return { [role]: { type: 'MMO', accountDetails: { phoneNumber, provider } } };
}

export async function fileFields(call: Call): Promise<Fields> {
  const path = textOf(call, 'file');
  if (path === undefined) return {};
  const text = path === '-' ? await call.world.readInput() : await readFile(path, 'utf8');
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Fields;
  } catch {
    // Reported below, like JSON of another form.
  }
  throw new Trouble(
    `${path} is not a JSON object.`,
    'It must hold one request body, as in the API reference.',
  );
}

function readMetadata(text: string): Fields {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--metadata must be NAME=TEXT, not "${text}".`);
  return { [text.slice(0, at)]: text.slice(at + 1) };
}

export function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
