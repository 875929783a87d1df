// What a command of `malipo-server` is, and how one that administers the gateway runs.
import { readConfig } from '../config.ts';
import type { Engine } from '../core/engine.ts';
import type { Merchant } from '../store/merchants/merchants.ts';
import { readOptions, UsageError, type Options } from './options.ts';
import { openGateway, type Gateway } from './serve/compose.ts';

export type Command = {
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[]) => Promise<void>;
};

type Described<Order> = {
  readonly usage: string;
  readonly summary: string;
  /** What is asked for. It is read before the gateway is opened. */
  readonly read: (options: Options) => Order | Promise<Order>;
};

/** Opens the gateway, does one thing, closes it again. */
export function gatewayCommand<Order>({
  usage,
  summary,
  read,
  run,
}: Described<Order> & {
  readonly run: (gateway: Gateway, order: Order) => Promise<void>;
}): Command {
  return {
    usage,
    summary,
    run: async (args) => {
      const order = await read(readOptions(usage, args));
      await withGateway((gateway) => run(gateway, order));
    },
  };
}

export async function withGateway(work: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await openGateway({ ...readConfig(), logLevel: 'warn' }, { role: 'admin', logTo: 2 });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** About the merchant that --merchant names. */
export function merchantCommand<Order extends object>({
  read,
  run,
  ...described
}: Described<Order> & {
  readonly run: (
    engine: Engine,
    order: Order & Pick<Merchant, 'merchantId'>,
    merchant: Merchant,
  ) => Promise<void>;
}): Command {
  return gatewayCommand({
    ...described,
    read: async (options) => ({ ...(await read(options)), merchantId: options.uuid('merchant') }),
    run: async ({ engine }, order) => {
      const merchant = await engine.directory.merchant(order.merchantId);
      if (merchant === null) throw new UsageError(`There is no merchant ${order.merchantId}.`);
      await run(engine, order, merchant);
    },
  });
}

/** For a command that needs to know nothing more. */
export const nothing = (): object => ({});

/** In production a command only creates requests: approving needs a person who is signed in. */
export function refuseApprovalHere({ environment }: Pick<Engine, 'environment'>): void {
  if (environment !== 'production') return;
  throw new UsageError('In production this is approved in the dashboard, by people who are signed in.');
}

/** What a command says about a request that it has created. */
export const REQUESTED = 'requested; two people must approve it in the dashboard';
