// What a host does by hand: merchants, tokens, callback addresses, wallets, availability.
import {
  changeAvailability,
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
  topUpWallets,
  withdrawToken,
  type Scope,
} from '../core/administer.ts';
import { findProvider } from '../domain/catalogue.ts';
import { parseAmount, renderAmount } from '../domain/money.ts';
import { OPERATIONS, PAYMENT_KINDS, type PaymentKind } from '../domain/payment.ts';
import type { Availability } from '../store/availability.ts';
import { listTrialBalance, listWallets } from '../store/ledger.ts';
import { print, readOptions, requireText, UsageError, withGateway, type Command } from './command.ts';

const text = { type: 'string' } as const;

const createMerchantCommand: Command = {
  usage: 'create-merchant --name NAME [--wallet-per-provider]',
  summary: 'create a merchant with every provider active; prints its id',
  run: async (args) => {
    const values = readOptions(args, { name: text, 'wallet-per-provider': { type: 'boolean' } });
    const companyName = requireText(values, 'name');
    const walletPerProvider = values['wallet-per-provider'] === true;
    await withGateway(async ({ engine }) => {
      print(await createMerchant(engine, { companyName, walletPerProvider, operations: OPERATIONS }));
    });
  },
};

const createTokenCommand: Command = {
  usage: `create-token --merchant ID --name NAME [--scopes ${SCOPES.join(',')}] [--expires 2027-01-31]`,
  summary: 'create an API token; it is shown once',
  run: async (args) => {
    const values = readOptions(args, { merchant: text, name: text, scopes: text, expires: text });
    const order = {
      merchantId: requireText(values, 'merchant'),
      name: requireText(values, 'name'),
      scopes: readScopes(values['scopes']),
      expiresAt: readDate(values['expires']),
    };
    await withGateway(async ({ engine }) => print((await createToken(engine, order)).text));
  },
};

const revokeTokenCommand: Command = {
  usage: 'revoke-token --token-id ID',
  summary: 'revoke an API token by its id, the fourth part of its text; acts within ten seconds',
  run: async (args) => {
    const tokenId = requireText(readOptions(args, { 'token-id': text }), 'token-id');
    await withGateway(async ({ engine }) => {
      print((await withdrawToken(engine, tokenId)) ? 'revoked' : 'no such token, or it was revoked before');
    });
  },
};

const setCallbackUrlCommand: Command = {
  usage: 'set-callback-url --merchant ID --url URL',
  summary: "set where a merchant's callbacks go",
  run: async (args) => {
    const values = readOptions(args, { merchant: text, url: text });
    const url = requireText(values, 'url');
    await withGateway(async ({ engine }) => {
      if (engine.environment === 'production' && !url.startsWith('https://')) {
        throw new UsageError('In production callbacks go to https addresses only.');
      }
      await setCallbackUrl(engine, requireText(values, 'merchant'), url);
      print('set');
    });
  },
};

const topUpCommand: Command = {
  usage: 'top-up --merchant ID --country RWA --currency RWF --amount 1000',
  summary: 'add money a merchant brought in to one of its wallets, as a ledger transfer',
  run: async (args) => {
    const values = readOptions(args, { merchant: text, country: text, currency: text, amount: text });
    const amount = parseAmount(requireText(values, 'amount'));
    if (amount === null || amount === 0n)
      throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
    const [merchantId, country, currency] = ['merchant', 'country', 'currency'].map((name) =>
      requireText(values, name),
    );
    if (merchantId === undefined || country === undefined || currency === undefined) return;
    await withGateway(async ({ engine }) => {
      await topUpWallets(engine, [{ merchantId, country, currency, amount }]);
      print('done');
    });
  },
};

const walletsCommand: Command = {
  usage: 'wallets --merchant ID',
  summary: "show a merchant's wallets: posted, held",
  run: async (args) => {
    const merchantId = requireText(readOptions(args, { merchant: text }), 'merchant');
    await withGateway(async ({ engine }) => {
      for (const wallet of await listWallets(engine.store.database, merchantId)) {
        const place = [wallet.country, wallet.currency, wallet.provider]
          .filter((part) => part !== '')
          .join(' ');
        print(`${place}\t${renderAmount(wallet.posted)}\t${renderAmount(wallet.held)}`);
      }
    });
  },
};

const trialBalanceCommand: Command = {
  usage: 'trial-balance',
  summary: 'show the sum of every account; each currency adds up to zero',
  run: async () => {
    await withGateway(async ({ engine }) => {
      for (const row of await listTrialBalance(engine.store.database)) {
        print([row.currency, row.country, row.type, row.provider, renderAmount(row.balance)].join('\t'));
      }
    });
  },
};

const setAvailabilityCommand: Command = {
  usage: 'set-availability --provider MTN_MOMO_RWA --operation DEPOSIT --status OPERATIONAL|DELAYED|CLOSED',
  summary: 'say whether a provider can be used',
  run: async (args) => {
    const values = readOptions(args, { provider: text, operation: text, status: text });
    const provider = requireText(values, 'provider');
    if (findProvider(provider) === null) throw new UsageError(`There is no provider ${provider}.`);
    const operation = oneOf<PaymentKind>(PAYMENT_KINDS, values, 'operation');
    const status = oneOf<Availability>(['OPERATIONAL', 'DELAYED', 'CLOSED'], values, 'status');
    await withGateway(async ({ engine }) => {
      await changeAvailability(engine, { provider, operation, status });
      print('set');
    });
  },
};

export const adminCommands: ReadonlyMap<string, Command> = new Map([
  ['create-merchant', createMerchantCommand],
  ['create-token', createTokenCommand],
  ['revoke-token', revokeTokenCommand],
  ['set-callback-url', setCallbackUrlCommand],
  ['top-up', topUpCommand],
  ['wallets', walletsCommand],
  ['trial-balance', trialBalanceCommand],
  ['set-availability', setAvailabilityCommand],
]);

function readScopes(value: string | boolean | undefined): readonly Scope[] {
  if (typeof value !== 'string') return SCOPES;
  const wanted = value.split(',');
  const unknown = wanted.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown === undefined) return wanted as Scope[];
  throw new UsageError(`There is no scope "${unknown}". Scopes are: ${SCOPES.join(', ')}.`);
}

function readDate(value: string | boolean | undefined): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(value);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UsageError('--expires must be a date such as 2027-01-31.');
}

function oneOf<Value extends string>(
  allowed: readonly Value[],
  values: Parameters<typeof requireText>[0],
  name: string,
): Value {
  const value = requireText(values, name);
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} must be one of ${allowed.join(', ')}.`);
}
