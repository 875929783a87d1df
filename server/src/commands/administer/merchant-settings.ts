// What is set for a merchant: operations, providers, callback addresses, fees, the look of its pages, its region.
import { portOf } from '../../callbacks/outgoing-guard.ts';
import {
  changeFee,
  changeOperations,
  setCallbackUrl,
  switchProviders,
} from '../../core/merchants/administer-merchants.ts';
import { changePageBrand, type PageBrandOrder } from '../../core/merchants/page-brand.ts';
import {
  changeRegionalSettings,
  isKnownCurrency,
  type RegionalOrder,
} from '../../core/merchants/regional-settings.ts';
import type { Engine } from '../../core/engine.ts';
import { walletPlaceOf } from '../../core/payments/admit.ts';
import { findProvider, limitsOf, listProviders } from '../../domain/operators/catalogue.ts';
import { decimalsOf, fitsDecimals } from '../../domain/ledger/decimals.ts';
import type { Fee } from '../../domain/ledger/fees.ts';
import { parseAmount } from '../../domain/money.ts';
import { ANNOUNCED_KINDS, OPERATIONS, PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { parseBrandColour, readBrandMark } from '../../edge/pages/look/brand.ts';
import { merchantCommand, type Command } from '../command.ts';
import { print } from '../output.ts';
import { UsageError, type Options } from '../options.ts';

export const merchantSettingCommands = {
  'operations set': settingCommand({
    usage: `--merchant ID --operations ${OPERATIONS.join(',')}|all --by NAME`,
    summary: 'set the operations that a merchant may use',
    read: (options) => ({ operations: options.someOf('operations', OPERATIONS), by: options.person() }),
    change: changeOperations,
  }),
  'provider activate': switchCommand('ON', 'allow a merchant to use providers for operations'),
  'provider deactivate': switchCommand('OFF', 'stop a merchant from using providers for operations'),
  'callback-url set': settingCommand({
    usage: '--merchant ID --url URL [--kind DEPOSIT,…|all] --by NAME',
    summary: 'set where callbacks (webhooks) are sent, and enable them; default: all kinds',
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
    summary: 'set the fee of an operation for a merchant',
    read: (options) => ({ by: options.person(), ...requirePriced(options), fee: requireFee(options) }),
    change: async (engine, order) => {
      await requireFixedPart(engine, order);
      await changeFee(engine, order);
    },
  }),
  'page-brand set': settingCommand({
    usage: '--merchant ID [--colour HEX|none] [--logo FILE|none] --by NAME',
    summary: "set colour and logo of a merchant's pages",
    read: (options) => ({ by: options.person(), ...requireBrand(options) }),
    change: changePageBrand,
  }),
  'regional-settings set': settingCommand({
    usage: '--merchant ID [--time-zone Africa/Kigali] [--home-currency RWF|none] --by NAME',
    summary: "set time zone and currency of a merchant's dashboard",
    read: (options) => ({ by: options.person(), ...requireRegion(options) }),
    change: changeRegionalSettings,
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
  throw new UsageError('--url must be a URL such as https://shop.example/callbacks.');
}

function requireAllowed(url: string, { environment, outgoingGuard }: Engine): void {
  if (environment === 'production' && !url.startsWith('https://')) {
    throw new UsageError('In production the callback URL must be https.');
  }
  const { hostname } = new URL(url);
  if (!outgoingGuard.mayBeHost(hostname)) {
    throw new UsageError(
      `Callbacks cannot be sent to ${hostname}: it is not a public address. MALIPO_OUTGOING_ALLOW can allow it.`,
    );
  }
  const port = portOf(new URL(url));
  if (!outgoingGuard.mayUsePort(port)) {
    throw new UsageError(`Callbacks cannot be sent to port ${port}. MALIPO_OUTGOING_PORTS can allow it.`);
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

function requireBrand(options: Options): Pick<PageBrandOrder, 'colour' | 'logo'> {
  const colour = options.textOrNull('colour');
  const logo = options.textOrNull('logo');
  if (colour === null && logo === null) throw new UsageError('Give --colour, --logo or both.');
  return {
    ...(colour !== null && { colour: colour === 'none' ? null : requireColour(colour) }),
    ...(logo !== null && { logo: logo === 'none' ? null : requireLogo(logo) }),
  };
}

function requireColour(text: string): string {
  const colour = parseBrandColour(text);
  if (typeof colour === 'string') return colour;
  throw new UsageError(`--colour ${colour.problem}.`);
}

function requireLogo(path: string): Buffer {
  const mark = readBrandMark(path);
  if ('problem' in mark) throw new UsageError(`--logo ${mark.problem}.`);
  return mark.bytes;
}

function requireRegion(options: Options): Pick<RegionalOrder, 'timeZone' | 'homeCurrency'> {
  const timeZone = options.textOrNull('time-zone');
  const currency = options.textOrNull('home-currency');
  if (timeZone === null && currency === null) {
    throw new UsageError('Give --time-zone, --home-currency or both.');
  }
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw new UsageError(`There is no time zone ${timeZone}. Use its IANA name, such as Africa/Kigali.`);
  }
  if (currency !== null && currency !== 'none' && !isKnownCurrency(currency)) {
    throw new UsageError(`No provider has the currency ${currency}.`);
  }
  return {
    ...(timeZone !== null && { timeZone }),
    ...(currency !== null && { homeCurrency: currency === 'none' ? null : currency }),
  };
}

function requireFee(options: Options): Fee {
  const basisPoints = options.text('basis-points');
  if (!/^\d{1,5}$/.test(basisPoints) || Number(basisPoints) > 10_000) {
    throw new UsageError('--basis-points must be a whole number from 0 to 10000; 150 is 1.5 %.');
  }
  const fixed = parseAmount(options.text('fixed', '0'));
  if (fixed === null) throw new UsageError('--fixed must be an amount.');
  return { basisPoints: Number(basisPoints), fixed };
}

/** A fee is charged in whole units of the wallet that pays it. */
async function requireFixedPart(
  { directory }: Pick<Engine, 'directory'>,
  { merchantId, fee, ...priced }: Parameters<typeof changeFee>[1],
): Promise<void> {
  const merchant = await directory.merchant(merchantId);
  const decimals = decimalsOf(merchant === null ? priced : walletPlaceOf(merchant, priced));
  if (fitsDecimals(fee.fixed, decimals)) return;
  throw new UsageError(`--fixed must be an amount with at most ${decimals} decimals.`);
}
