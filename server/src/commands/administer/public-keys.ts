// The public keys merchants sign with, and whether they must.
import { readFile } from 'node:fs/promises';
import { fingerprintOf, removePublicKey } from '../../core/merchants/administer-keys.ts';
import { askedByCommand } from '../../core/approvals/request.ts';
import { requestPublicKey, requestSignatures } from '../../core/merchants/request-settings.ts';
import type { SignatureCover } from '../../store/merchants/merchants.ts';
import { listPublicKeys } from '../../store/access/public-keys.ts';
import {
  findKeyFault,
  normalisePublicKey,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from '../../wire/http-signature/algorithms.ts';
import {
  print,
  readOptions,
  refuse,
  REQUESTED,
  requireOneOf,
  requirePerson,
  requireText,
  TEXT,
  UsageError,
  withMerchant,
  type Command,
  type OptionValues,
} from '../command.ts';

const addPublicKeyCommand: Command = {
  usage: `--merchant ID --name NAME --algorithm ${SIGNATURE_ALGORITHMS.join('|')} --file PEM --by NAME`,
  summary: 'add a public key of a merchant; its signatures name it as keyid',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, name: TEXT, algorithm: TEXT, file: TEXT, by: TEXT });
    const name = requireKeyName(values);
    const algorithm = requireOneOf(SIGNATURE_ALGORITHMS, values, 'algorithm');
    const by = requirePerson(values);
    const pem = await requirePublicKey(values, algorithm);
    await withMerchant(values, async (engine, { merchantId }) => {
      const order = { ...askedByCommand(engine, by), merchantId, name, algorithm, pem };
      const outcome = await requestPublicKey(engine, order);
      if (outcome === 'NAME_TAKEN') {
        return refuse(`There is a key ${name} already. Remove it first, or choose another name.`);
      }
      print(outcome === 'DONE' ? `added ${fingerprintOf(pem)}` : `${REQUESTED}: ${fingerprintOf(pem)}`);
    });
  },
};

const listPublicKeysCommand: Command = {
  usage: '--merchant ID',
  summary:
    "list a merchant's public keys: name, algorithm, fingerprint, when it was added; and whether it must " +
    'sign',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT });
    await withMerchant(values, async ({ store }, { merchantId, signedRequestsOnly, signedPagesOnly }) => {
      print(signedRequestsOnly ? 'signatures are required' : 'signatures are not required');
      if (signedPagesOnly) print('signatures are required for payment pages and checkouts');
      for (const { name, algorithm, pem, createdAt } of await listPublicKeys(store.database, merchantId))
        print([name, algorithm, fingerprintOf(pem), createdAt.toISOString()].join('\t'));
    });
  },
};

const removePublicKeyCommand: Command = {
  usage: '--merchant ID --name NAME --by NAME',
  summary: 'remove a public key of a merchant; takes effect within ten seconds',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, name: TEXT, by: TEXT });
    const order = { by: requirePerson(values), name: requireKeyName(values) };
    await withMerchant(
      values,
      async (engine, { merchantId, signedRequestsOnly, signedPagesOnly, publicKeys }) => {
        if (!(await removePublicKey(engine, { ...order, merchantId })))
          return refuse('There is no such key.');
        const isLast = publicKeys.size === 1 && (signedRequestsOnly || signedPagesOnly);
        print(
          isLast
            ? 'removed; it was the last one, and every request is refused until there is another'
            : 'removed',
        );
      },
    );
  },
};

const requireSignaturesCommand: Command = {
  usage: '--merchant ID --set on|off [--for payments|pages] --by NAME',
  summary:
    'set whether a merchant may start payments, or open payment pages and checkouts, only with signed ' +
    'requests; takes effect within ten seconds',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, set: TEXT, for: TEXT, by: TEXT });
    const isForPages = requireOneOf(['payments', 'pages'], { for: 'payments', ...values }, 'for') === 'pages';
    const covers: SignatureCover = isForPages ? 'PAGES' : 'PAYMENTS';
    const isRequired = requireOneOf(['on', 'off'], values, 'set') === 'on';
    const by = requirePerson(values);
    await withMerchant(values, async (engine, merchant) => {
      const { merchantId, publicKeys } = merchant;
      if (isRequired && publicKeys.size === 0)
        return refuse('The merchant has no public key; every request would be refused. Add one first.');
      const order = { ...askedByCommand(engine, by), merchantId, covers, isRequired };
      const outcome = await requestSignatures(engine, order);
      if (outcome === 'REQUESTED') return print(REQUESTED);
      const wasRequired = isForPages ? merchant.signedPagesOnly : merchant.signedRequestsOnly;
      print(wasRequired === isRequired ? 'nothing to change' : 'set');
    });
  },
};

function requireKeyName(values: OptionValues): string {
  const name = requireText(values, 'name');
  if (/^[ -!#-[\]-~]{1,100}$/.test(name)) return name;
  throw new UsageError('--name must have at most 100 plain characters, without quotes and backslashes.');
}

async function requirePublicKey(values: OptionValues, algorithm: SignatureAlgorithm): Promise<string> {
  const path = requireText(values, 'file');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new UsageError(`--file: ${path} cannot be read.`);
  const fault = findKeyFault(text, algorithm);
  if (fault !== null) throw new UsageError(`--file: ${fault}.`);
  return normalisePublicKey(text) ?? text;
}

export const publicKeyCommands: ReadonlyMap<string, Command> = new Map([
  ['public-key add', addPublicKeyCommand],
  ['public-key list', listPublicKeysCommand],
  ['public-key remove', removePublicKeyCommand],
  ['signatures require', requireSignaturesCommand],
]);
