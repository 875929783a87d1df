// Merchants: making them, suspending and resuming them, and everything that is set for one.
import {
  createMerchant,
  resumeMerchant,
  suspendMerchant,
} from '../../core/merchants/administer-merchants.ts';
import { cancelUnsent } from '../../core/payout-batches/cancel-unsent.ts';
import { renderAmount } from '../../domain/money.ts';
import { OPERATIONS } from '../../domain/payments/payment.ts';
import { findMigrationLock } from '../../store/cells/migration-locks.ts';
import { listCallbackUrls, type Merchant } from '../../store/merchants/merchants.ts';
import {
  print,
  readOptions,
  requirePerson,
  requireText,
  TEXT,
  withGateway,
  withMerchant,
  type Command,
} from '../command.ts';

const createMerchantCommand: Command = {
  usage: '--name NAME [--wallet-per-provider] --by NAME',
  summary: 'create a merchant with every provider active; prints its id',
  run: async (args) => {
    const values = readOptions(args, { name: TEXT, 'wallet-per-provider': { type: 'boolean' }, by: TEXT });
    const order = {
      by: requirePerson(values),
      companyName: requireText(values, 'name'),
      walletPerProvider: values['wallet-per-provider'] === true,
      operations: OPERATIONS,
    };
    await withGateway(async ({ engine }) => print(await createMerchant(engine, order)));
  },
};

const suspendMerchantCommand: Command = {
  usage: '--merchant ID --by NAME',
  summary:
    'suspend a merchant: none of its payments is claimed from now on, and its tokens are rejected within ' +
    'ten seconds',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, by: TEXT });
    const by = requirePerson(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      const hasChanged = await suspendMerchant(engine, { by, merchantId });
      print(hasChanged ? 'suspended' : 'it was suspended before');
    });
  },
};

const resumeMerchantCommand: Command = {
  usage: '--merchant ID --by NAME',
  summary: 'resume a suspended merchant: its payments and tokens work again',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, by: TEXT });
    const by = requirePerson(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      print((await resumeMerchant(engine, { by, merchantId })) ? 'resumed' : 'it was not suspended');
    });
  },
};

const cancelUnsentCommand: Command = {
  usage: '--merchant ID --reason TEXT --by NAME',
  summary:
    'cancel the payments of a merchant that were not sent to an operator; suspend the merchant first, or ' +
    'more may come',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, reason: TEXT, by: TEXT });
    const order = { by: requirePerson(values), reason: requireText(values, 'reason') };
    await withMerchant(values, async (engine, { merchantId }) => {
      print(`cancelled ${await cancelUnsent(engine, { ...order, merchantId })} payments`);
    });
  },
};

const showMerchantCommand: Command = {
  usage: '--merchant ID',
  summary: 'show the settings of a merchant: operations, providers, fees, callback URLs',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT });
    await withMerchant(values, async (engine, merchant) => {
      const callbackUrls = await listCallbackUrls(engine.store.database, merchant.merchantId);
      const migrationLock = await findMigrationLock(engine.store.database, merchant.merchantId);
      const moving =
        migrationLock === null ? '' : `, ${MOVING[migrationLock.state]} ${migrationLock.otherCell}`;
      print(`cell\t${engine.home}${moving}`);
      for (const [name, value] of linesOf(merchant, callbackUrls)) print(`${name}\t${value}`);
    });
  },
};

const MOVING = {
  COPYING: 'being copied to',
  LEAVING: 'just leaving for',
  AWAY: 'has moved to',
  ARRIVING: 'being copied from',
} as const;

function linesOf(
  merchant: Merchant,
  callbackUrls: ReadonlyMap<string, string>,
): readonly (readonly [name: string, value: string])[] {
  return [
    ['merchant', merchant.merchantId],
    ['company', merchant.companyName],
    ['home', merchant.home],
    ['status', merchant.isSuspended ? 'SUSPENDED' : 'ACTIVE'],
    ['operations', merchant.operations.join(' ')],
    ['wallets', merchant.walletPerProvider ? 'one for each provider' : 'one for each country and currency'],
    ...providerLines(merchant),
    ...[...merchant.fees].map(([place, fee]) => {
      const price = `${fee.basisPoints} basis points + ${renderAmount(fee.fixed)}`;
      return ['fee', `${place}\t${price}`] as const;
    }),
    ...[...callbackUrls].map(([kind, url]) => ['callback', `${kind}\t${url}`] as const),
  ];
}

/** One line for each provider, with the operations it is active for. */
function providerLines({ activeProviders }: Merchant): readonly (readonly ['provider', string])[] {
  const pairs = [...activeProviders].toSorted().map((pair) => pair.split(' '));
  const byProvider = Map.groupBy(pairs, ([provider = '']) => provider);
  return [...byProvider].map(([provider, active]) => {
    const operations = active.map(([, operation]) => operation).join(' ');
    return ['provider', `${provider}\t${operations}`];
  });
}

export const merchantCommands: ReadonlyMap<string, Command> = new Map([
  ['merchant create', createMerchantCommand],
  ['merchant suspend', suspendMerchantCommand],
  ['merchant resume', resumeMerchantCommand],
  ['payment cancel-unsent', cancelUnsentCommand],
  ['merchant show', showMerchantCommand],
]);
