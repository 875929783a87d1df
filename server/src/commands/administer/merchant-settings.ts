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
import { merchantCommand, print, type Command } from '../command.ts';
import { UsageError, type Options } from '../options.ts';

export const merchantSettingCommands = {
  'operations set': settingCommand({
    usage: `--merchant ID --operations ${OPERATIONS.join(',')}|all --by NAME`,
    summary: 'set the operations that a merchant may start; replaces the earlier list',
    read: (options) => ({ operations: options.someOf('operations', OPERATIONS), by: options.person() }),
    change: changeOperations,
  }),
  'provider activate': switchCommand('ON', 'allow a merchant to use providers for operations'),
  'provider deactivate': switchCommand('OFF', 'no longer allow a merchant to use providers for operations'),
  'callback-url set': settingCommand({
    usage: '--merchant ID --url URL [--kind DEPOSIT,…|all] --by NAME',
    summary:
      "set where a merchant's callbacks (webhooks) are sent, and enable them again; default: all kinds",
    read: (options) => ({
      kinds: options.someOf('kind', ANNOUNCED_KINDS, 'all'),
      by: options.person(),
      url: requireAddress(options),
    }),
    change: async (engine, order) => {
      requireAllowed(order.url, engine);
      await setCallbackUrl(engine, order);
    },
  }),
  'fee set': settingCommand({
    usage:
      '--merchant ID --provider MTN_MOMO_RWA --operation PAYOUT --currency RWF ' +
      '--basis-points 150 [--fixed 10] --by NAME',
    summary: 'set what an operation costs a merchant: a share of the amount and a fixed part',
    read: (options) => ({ by: options.person(), ...requirePriced(options), fee: requireFee(options) }),
    change: changeFee,
  }),
};

/** Sets something, and says so. */
function settingCommand<Order extends object>({
  change,
  ...described
}: {
  readonly usage: string;
  readonly summary: string;
  readonly read: (options: Options) => Order;
  readonly change: (engine: Engine, order: Order & { readonly merchantId: string }) => Promise<unknown>;
}): Command {
  return merchantCommand({
    ...described,
    run: async (engine, order) => {
      await change(engine, order);
      print('set');
    },
  });
}

function switchCommand(to: 'ON' | 'OFF', summary: string): Command {
  return settingCommand({
    usage: '--merchant ID --provider MTN_MOMO_RWA,…|all --operation DEPOSIT,…|all --by NAME',
    summary,
    read: (options) => {
      const known = listProviders().map(({ code }) => code);
      const providers = options.someOf('provider', known);
      return { providers, operations: options.someOf('operation', PAYMENT_KINDS), by: options.person(), to };
    },
    change: switchProviders,
  });
}

function requireAddress(options: Options): string {
  const url = options.text('url');
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new UsageError('--url must be an address such as https://shop.example/callbacks.');
}

function requireAllowed(url: string, { environment, outgoingGuard }: Engine): void {
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
}

/** What a fee is for. A fee for what a provider does not offer would never be charged, and no one would know. */
function requirePriced(options: Options) {
  const provider = options.text('provider');
  const operation = options.oneOf('operation', PAYMENT_KINDS);
  const currency = options.text('currency');
  const facts = findProvider(provider);
  if (facts === null) throw new UsageError(`There is no provider ${provider}.`);
  if (limitsOf(facts, { currency, operation }) === null) {
    throw new UsageError(`${provider} does not offer ${operation} in ${currency}.`);
  }
  return { provider, operation, currency };
}

function requireFee(options: Options): Fee {
  const basisPoints = options.text('basis-points');
  if (!/^\d{1,5}$/.test(basisPoints) || Number(basisPoints) > 10_000) {
    throw new UsageError('--basis-points must be a whole number from 0 to 10000; 150 are 1.5 %.');
  }
  const currency = options.text('currency');
  const text = options.text('fixed', '0');
  const fixed = parseAmount(text);
  if (fixed === null || decimalsWritten(text) > decimalsOf(currency)) {
    throw new UsageError(`--fixed must be an amount with at most ${decimalsOf(currency)} decimals.`);
  }
  return { basisPoints: Number(basisPoints), fixed };
}
