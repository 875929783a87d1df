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
import { merchantCommand, nothing, REQUESTED } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError, type Options } from '../options.ts';

export const publicKeyCommands = {
  'public-key add': merchantCommand({
    usage: `--merchant ID --name NAME --algorithm ${SIGNATURE_ALGORITHMS.join('|')} --file PEM --by NAME`,
    summary: 'add a public key; its name is the keyid',
    read: async (options) => {
      const name = requireKeyName(options);
      const algorithm = options.oneOf('algorithm', SIGNATURE_ALGORITHMS);
      const by = options.person();
      return { name, algorithm, by, pem: await requirePublicKey(options, algorithm) };
    },
    run: async (engine, { by, ...key }) => {
      const outcome = await requestPublicKey(engine, { ...askedByCommand(engine, by), ...key });
      if (outcome === 'NAME_TAKEN') {
        return refuse(`There is a key ${key.name} already. Remove it first, or choose another name.`);
      }
      print(`${outcome === 'DONE' ? 'added' : `${REQUESTED}:`} ${fingerprintOf(key.pem)}`);
    },
  }),
  'public-key list': merchantCommand({
    usage: '--merchant ID',
    summary: 'list public keys, and whether the merchant must sign',
    read: nothing,
    run: async ({ store }, { merchantId }, { signedRequestsOnly, signedPagesOnly }) => {
      print(signedRequestsOnly ? 'signatures are required' : 'signatures are not required');
      if (signedPagesOnly) print('signatures are required for payment pages and checkouts');
      for (const { name, algorithm, pem, createdAt } of await listPublicKeys(store.database, merchantId))
        print(row(name, algorithm, fingerprintOf(pem), createdAt));
    },
  }),
  'public-key remove': merchantCommand({
    usage: '--merchant ID --name NAME --by NAME',
    summary: 'remove a public key',
    read: (options) => ({ by: options.person(), name: requireKeyName(options) }),
    run: async (engine, order, { signedRequestsOnly, signedPagesOnly, publicKeys }) => {
      if (!(await removePublicKey(engine, order))) return refuse('There is no such key.');
      const isLast = publicKeys.size === 1 && (signedRequestsOnly || signedPagesOnly);
      print(isLast ? LAST_REMOVED : 'removed');
    },
  }),
  'signatures require': merchantCommand({
    usage: '--merchant ID --set on|off [--for payments|pages] --by NAME',
    summary: 'require signed requests for payments, or for pages',
    read: (options) => {
      const isForPages = options.oneOf('for', ['payments', 'pages'], 'payments') === 'pages';
      const covers: SignatureCover = isForPages ? 'PAGES' : 'PAYMENTS';
      return { covers, isRequired: options.oneOf('set', ['on', 'off']) === 'on', by: options.person() };
    },
    run: async (engine, { by, ...order }, { publicKeys, signedPagesOnly, signedRequestsOnly }) => {
      const { covers, isRequired } = order;
      if (isRequired && publicKeys.size === 0)
        return refuse('The merchant has no public key, so every request would be rejected. Add one first.');
      const outcome = await requestSignatures(engine, { ...askedByCommand(engine, by), ...order });
      if (outcome === 'REQUESTED') return print(REQUESTED);
      const wasRequired = covers === 'PAGES' ? signedPagesOnly : signedRequestsOnly;
      print(wasRequired === isRequired ? 'nothing to change' : 'set');
    },
  }),
};

const LAST_REMOVED = 'removed; it was the last key, and every request is rejected until there is another';

function requireKeyName(options: Options): string {
  const name = options.text('name');
  if (/^[ -!#-[\]-~]{1,100}$/.test(name)) return name;
  throw new UsageError('--name must have at most 100 plain characters, without quotes and backslashes.');
}

async function requirePublicKey(options: Options, algorithm: SignatureAlgorithm): Promise<string> {
  const path = options.text('file');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new UsageError(`--file: ${path} cannot be read.`);
  const fault = findKeyFault(text, algorithm);
  if (fault !== null) throw new UsageError(`--file: ${fault}.`);
  return normalisePublicKey(text) ?? text;
}
