// Merchants: making them, suspending and resuming them, and everything that is set for one.
import { askedByCommand } from '../../core/approvals/request.ts';
import { createMerchant } from '../../core/merchants/administer-merchants.ts';
import { resumeMerchant, suspendMerchant } from '../../core/merchants/suspension.ts';
import { cancelUnsent, cancelUnsentPayment } from '../../core/payout-batches/cancel-unsent.ts';
import { renderAmount } from '../../domain/money.ts';
import { OPERATIONS, PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { findMigrationLock } from '../../store/cells/migration-locks.ts';
import { listCallbackUrls, type Merchant } from '../../store/merchants/merchants.ts';
import { gatewayCommand, merchantCommand, nothing, REQUESTED } from '../command.ts';
import { print, refuse, row } from '../output.ts';

export const merchantCommands = {
  'merchant create': gatewayCommand({
    usage: '--name NAME [--wallet-per-provider] --by NAME',
    summary: 'create a merchant with every provider active',
    read: (options) => ({
      by: options.person(),
      companyName: options.text('name'),
      walletPerProvider: options.isGiven('wallet-per-provider'),
      operations: OPERATIONS,
    }),
    run: async ({ engine }, order) => print(await createMerchant(engine, order)),
  }),
  'merchant suspend': merchantCommand({
    usage: '--merchant ID --by NAME',
    summary: "stop a merchant's payments and tokens",
    read: (options) => ({ by: options.person() }),
    run: async (engine, { by, merchantId }) => {
      const wasServed = await suspendMerchant(engine, { actor: { personId: null, by }, merchantId });
      print(wasServed ? 'suspended' : 'already suspended');
    },
  }),
  'merchant resume': merchantCommand({
    usage: '--merchant ID --by NAME',
    summary: 'resume a suspended merchant, after approval',
    read: (options) => ({ by: options.person() }),
    run: async (engine, { by, merchantId }) => {
      const outcome = await resumeMerchant(engine, { merchantId, ...askedByCommand(engine, by) });
      print(outcome === null ? 'not suspended' : { DONE: 'resumed', REQUESTED }[outcome]);
    },
  }),
  'payment cancel-unsent': merchantCommand({
    usage: `--merchant ID [--kind ${PAYMENT_KINDS.join('|')} --payment ID] --reason TEXT --by NAME`,
    summary: "cancel a merchant's payments that were not sent, or one of them",
    read: (options) => ({
      by: options.person(),
      reason: options.text('reason'),
      payment:
        options.isGiven('payment') || options.isGiven('kind')
          ? { kind: options.oneOf('kind', PAYMENT_KINDS), paymentId: options.uuid('payment') }
          : null,
    }),
    run: async (engine, { payment, ...order }) => {
      if (payment === null) return print(`cancelled ${await cancelUnsent(engine, order)} payments`);
      const key = { ...payment, merchantId: order.merchantId };
      if (await cancelUnsentPayment(engine, { ...order, key })) print('cancelled');
      else refuse('There is no such payment that was not sent.');
    },
  }),
  'merchant show': merchantCommand({
    usage: '--merchant ID',
    summary: 'show the settings of a merchant',
    read: nothing,
    run: async ({ store: { database }, home }, { merchantId }, merchant) => {
      const callbackUrls = await listCallbackUrls(database, merchantId);
      const lock = await findMigrationLock(database, merchantId);
      const moving = lock === null ? '' : `, ${MOVING[lock.state]} ${lock.otherCell}`;
      print(row('cell', `${home}${moving}`));
      for (const line of linesOf(merchant, callbackUrls)) print(line);
    },
  }),
};

const MOVING = {
  COPYING: 'being copied to',
  LEAVING: 'switching over to',
  AWAY: 'has moved to',
  ARRIVING: 'being copied from',
} as const;

function linesOf(merchant: Merchant, callbackUrls: ReadonlyMap<string, string>): readonly string[] {
  return [
    row('merchant', merchant.merchantId),
    row('company', merchant.companyName),
    row('home', merchant.home),
    row('status', merchant.isSuspended ? 'SUSPENDED' : 'ACTIVE'),
    row('operations', merchant.operations.join(' ')),
    row(
      'wallets',
      merchant.walletPerProvider ? 'one for each provider' : 'one for each country and currency',
    ),
    ...providerLines(merchant),
    ...[...merchant.fees].map(([priced, { basisPoints, fixed }]) =>
      row('fee', priced, `${basisPoints} basis points + ${renderAmount(fixed)}`),
    ),
    ...[...callbackUrls].map(([kind, url]) => row('callback', kind, url)),
  ];
}

/** One line for each provider, with the operations it is active for. */
function providerLines({ activeProviders }: Merchant): readonly string[] {
  const pairs = [...activeProviders].toSorted().map((pair) => pair.split(' '));
  const byProvider = Map.groupBy(pairs, ([provider = '']) => provider);
  return [...byProvider].map(([provider, active]) =>
    row('provider', provider, active.map(([, operation]) => operation).join(' ')),
  );
}
