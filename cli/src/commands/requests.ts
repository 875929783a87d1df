// Builds the request of `create` from options, from a file, or from both.
import { readFile } from 'node:fs/promises';
import type { Malipo } from '@malipo/sdk';
import { listOf, requireText, textOf, Trouble, UsageError, type Call, type Option } from '../command.ts';

type Fields = Readonly<Record<string, unknown>>;

export const FILE: Option = {
  name: 'file',
  value: 'FILE',
  summary: 'The request as JSON, as the API takes it; "-" is the standard input. Other options go before it.',
};

export const COMMON_OPTIONS: readonly Option[] = [
  { name: 'id', value: 'UUID', summary: 'The identifier; made for you unless you give one.' },
  { name: 'reference', value: 'TEXT', summary: 'Your own reference, such as the number of an invoice.' },
  {
    name: 'metadata',
    value: 'NAME=TEXT',
    summary: 'Goes along with the payment; may be given several times.',
    isRepeated: true,
  },
];

export const MONEY_OPTIONS: readonly Option[] = [
  { name: 'amount', value: 'AMOUNT', summary: 'How much: 100, or 12.5.' },
  { name: 'currency', value: 'CODE', summary: 'Of which currency: RWF.' },
];

export const PARTY_OPTIONS: readonly Option[] = [
  { name: 'phone', value: 'NUMBER', summary: 'The number of the wallet, with the country code.' },
  { name: 'provider', value: 'CODE', summary: 'The provider code; default: detected from the phone number.' },
  { name: 'message', value: 'TEXT', summary: 'What the customer may see: 4 to 22 letters, digits, spaces.' },
];

/** The common options of every kind, as fields of the API. */
export function commonFields(call: Call, idName: string): Fields {
  const metadata = listOf(call, 'metadata').map(readMetadata);
  return given({
    [idName]: textOf(call, 'id'),
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
    throw new Trouble(predicted.failureReason.failureMessage, 'Fix the number, or name the --provider.');
  }
  call.world.tell(`The number is of ${predicted.provider}.`);
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
    `${path} does not hold a JSON object.`,
    'Write one request, as the reference of the API shows it.',
  );
}

/** A file may contain everything; without one, these options are required. */
export function requireEither(call: Call, names: readonly string[]): void {
  if (textOf(call, 'file') !== undefined) return;
  for (const name of names) requireText(call, name);
}

function readMetadata(text: string): Fields {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--metadata is written as name=text, not "${text}".`);
  return { [text.slice(0, at)]: text.slice(at + 1) };
}

export function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
