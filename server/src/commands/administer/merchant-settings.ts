// What is set for a merchant: operations, providers, callback addresses, fees.
import { portOf } from '../../callbacks/outgoing-guard.ts';
import {
  changeFee,
  changeOperations,
  setCallbackUrl,
  switchProviders,
} from '../../core/merchants/administer-merchants.ts';
import type { Engine } from '../../core/engine.ts';
import { findProvider, limitsOf, listProviders } from '../../domain/operators/catalogue.ts';
import { decimalsOf, type Fee } from '../../domain/ledger/fees.ts';
import { decimalsWritten, parseAmount } from '../../domain/money.ts';
import { ANNOUNCED_KINDS, OPERATIONS, PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import {
  print,
  readOptions,
  requireOneOf,
  requirePerson,
  requireSomeOf,
  requireText,
  TEXT,
  UsageError,
  withMerchant,
  type Command,
  type OptionValues,
} from '../command.ts';

const setOperationsCommand: Command = {
  usage: `--merchant ID --operations ${OPERATIONS.join(',')}|all --by NAME`,
  summary: 'set the operations that a merchant may start; replaces the earlier list',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, operations: TEXT, by: TEXT });
    const operations = requireSomeOf(OPERATIONS, values, 'operations');
    const by = requirePerson(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      await changeOperations(engine, { by, merchantId, operations });
      print('set');
    });
  },
};

function switchCommand(to: 'ON' | 'OFF', summary: string): Command {
  return {
    usage: '--merchant ID --provider MTN_MOMO_RWA,…|all --operation DEPOSIT,…|all --by NAME',
    summary,
    run: async (args) => {
      const values = readOptions(args, { merchant: TEXT, provider: TEXT, operation: TEXT, by: TEXT });
      const known = listProviders().map(({ code }) => code);
      const providers = requireSomeOf(known, values, 'provider');
      const operations = requireSomeOf(PAYMENT_KINDS, values, 'operation');
      const by = requirePerson(values);
      await withMerchant(values, async (engine, { merchantId }) => {
        await switchProviders(engine, { by, merchantId, providers, operations, to });
        print('set');
      });
    },
  };
}

const setCallbackUrlCommand: Command = {
  usage: '--merchant ID --url URL [--kind DEPOSIT,…|all] --by NAME',
  summary: "set where a merchant's callbacks (webhooks) are sent, and enable them again; default: all kinds",
  run: async (args) => {
    const values = readOptions(args, {
      merchant: TEXT,
      url: TEXT,
      kind: { ...TEXT, default: 'all' },
      by: TEXT,
    });
    const kinds = requireSomeOf(ANNOUNCED_KINDS, values, 'kind');
    const by = requirePerson(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      const url = requireCallbackUrl(values, engine);
      await setCallbackUrl(engine, { by, merchantId, url, kinds });
      print('set');
    });
  },
};

const setFeeCommand: Command = {
  usage:
    '--merchant ID --provider MTN_MOMO_RWA --operation PAYOUT --currency RWF ' +
    '--basis-points 150 [--fixed 10] --by NAME',
  summary: 'set what an operation costs a merchant: a share of the amount and a fixed part',
  run: async (args) => {
    const values = readOptions(args, {
      merchant: TEXT,
      provider: TEXT,
      operation: TEXT,
      currency: TEXT,
      'basis-points': TEXT,
      fixed: { ...TEXT, default: '0' },
      by: TEXT,
    });
    const order = { by: requirePerson(values), ...requirePriced(values), fee: requireFee(values) };
    await withMerchant(values, async (engine, { merchantId }) => {
      await changeFee(engine, { ...order, merchantId });
      print('set');
    });
  },
};

function requireCallbackUrl(values: OptionValues, { environment, outgoingGuard }: Engine): string {
  const url = requireText(values, 'url');
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError('--url must be an address such as https://shop.example/callbacks.');
  }
  if (environment === 'production' && !url.startsWith('https://')) {
    throw new UsageError('In production callbacks go to https addresses only.');
  }
  const { hostname } = new URL(url);
  if (!outgoingGuard.mayBeHost(hostname)) {
    throw new UsageError(
      `Callbacks may not go to ${hostname}: it is not a public address. MALIPO_OUTGOING_ALLOW can allow it.`,
    );
  }
  const port = portOf(new URL(url));
  if (!outgoingGuard.mayUsePort(port)) {
    throw new UsageError(`Callbacks may not go to port ${port}. MALIPO_OUTGOING_PORTS can allow it.`);
  }
  return url;
}

/** What a fee is for. A fee for what a provider does not offer would never be charged, and no one would know. */
function requirePriced(values: OptionValues) {
  const provider = requireText(values, 'provider');
  const operation = requireOneOf(PAYMENT_KINDS, values, 'operation');
  const currency = requireText(values, 'currency');
  const facts = findProvider(provider);
  if (facts === null) throw new UsageError(`There is no provider ${provider}.`);
  if (limitsOf(facts, { currency, operation }) === null) {
    throw new UsageError(`${provider} does not offer ${operation} in ${currency}.`);
  }
  return { provider, operation, currency };
}

function requireFee(values: OptionValues): Fee {
  const basisPoints = requireText(values, 'basis-points');
  if (!/^\d{1,5}$/.test(basisPoints) || Number(basisPoints) > 10_000) {
    throw new UsageError('--basis-points must be a whole number from 0 to 10000; 150 are 1.5 %.');
  }
  const currency = requireText(values, 'currency');
  const text = requireText(values, 'fixed');
  const fixed = parseAmount(text);
  if (fixed === null || decimalsWritten(text) > decimalsOf(currency)) {
    throw new UsageError(`--fixed must be an amount with at most ${decimalsOf(currency)} decimals.`);
  }
  return { basisPoints: Number(basisPoints), fixed };
}

export const merchantSettingCommands: ReadonlyMap<string, Command> = new Map([
  ['operations set', setOperationsCommand],
  ['provider activate', switchCommand('ON', 'allow a merchant to use providers for operations')],
  ['provider deactivate', switchCommand('OFF', 'no longer allow a merchant to use providers for operations')],
  ['callback-url set', setCallbackUrlCommand],
  ['fee set', setFeeCommand],
]);
