// Merchants' money, moved manually and looked at: top-ups, settlements, adjustments, wallets, the trial balance.
import {
  adjustWallet,
  isWalletPlace,
  settleWallet,
  topUpWallets,
  type WalletAnswer,
  type WalletOrder,
} from '../../core/ledger/administer-wallets.ts';
import { askedByCommand } from '../../core/approvals/request.ts';
import type { Engine } from '../../core/engine.ts';
import { describeUse } from '../../core/ledger/money-references.ts';
import { referenceOf, requestMoney } from '../../core/ledger/request-money-movement.ts';
import type { MoneyOrderType } from '../../domain/ledger/money-movement.ts';
import { REFERENCE_FORM } from '../../domain/ledger/money-reference.ts';
import { parseAmount, renderAmount, type Amount } from '../../domain/money.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../../store/ledger/ledger.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import {
  print,
  readOptions,
  refuse,
  REQUESTED,
  requirePerson,
  requireReason,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  withMerchant,
  type Command,
  type OptionValues,
} from '../command.ts';

const PLACE = '--merchant ID --country RWA --currency RWF [--provider MTN_MOMO_RWA]';
const BANK_REFERENCE = '--reference FT12345';
const PLACE_OPTIONS = {
  merchant: TEXT,
  country: TEXT,
  currency: TEXT,
  provider: TEXT,
  amount: TEXT,
  by: TEXT,
};

const topUpCommand: Command = {
  usage: `${PLACE} --amount 1000 ${BANK_REFERENCE} --by NAME`,
  summary:
    'add money that a merchant brought in to a wallet, once for each bank reference; in production after ' +
    'approval',
  run: async (args) => {
    const values = readOptions(args, { ...PLACE_OPTIONS, reference: TEXT });
    const order = requireOrder(values);
    await withMerchant(values, async (engine, merchant) => {
      const reference = requireReference(engine, values, 'TOP_UP');
      const wanted = { ...order, ...requireWallet(values, merchant), reference };
      if (await isOnlyRequested(engine, { ...wanted, type: 'TOP_UP' })) return;
      tell(await topUpWallets(engine, [wanted]));
    });
  },
};

const settleCommand: Command = {
  usage: `${PLACE} --amount 1000 ${BANK_REFERENCE} --by NAME`,
  summary:
    "take what was paid to a merchant's bank from a wallet, once for each bank reference; in production " +
    'after approval',
  run: async (args) => {
    const values = readOptions(args, { ...PLACE_OPTIONS, reference: TEXT });
    const order = requireOrder(values);
    await withMerchant(values, async (engine, merchant) => {
      const reference = requireReference(engine, values, 'SETTLEMENT');
      const wanted = { ...order, ...requireWallet(values, merchant), reference };
      if (await isOnlyRequested(engine, { ...wanted, type: 'SETTLEMENT' })) return;
      tell(await settleWallet(engine, wanted));
    });
  },
};

const adjustCommand: Command = {
  usage: `${PLACE} --amount 1000 --reason TEXT --by NAME`,
  summary: 'correct a wallet; --amount=-1000 takes from it; in production after approval',
  run: async (args) => {
    const values = readOptions(args, { ...PLACE_OPTIONS, reason: TEXT });
    const isTaken = requireText(values, 'amount').startsWith('-');
    const amount = requireAmount(requireText(values, 'amount').slice(isTaken ? 1 : 0));
    const order = {
      by: requirePerson(values),
      amount: isTaken ? -amount : amount,
      reason: requireReason(values),
    };
    await withMerchant(values, async (engine, merchant) => {
      const wanted = { ...order, ...requireWallet(values, merchant), reference: null };
      if (await isOnlyRequested(engine, { ...wanted, type: 'ADJUSTMENT' })) return;
      tell(await adjustWallet(engine, wanted));
    });
  },
};

const walletsCommand: Command = {
  usage: '--merchant ID',
  summary: "list a merchant's wallets: posted, held",
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT });
    await withMerchant(values, async ({ store }, { merchantId }) => {
      for (const wallet of await listWallets(store.database, merchantId)) {
        const { country, currency, provider, posted, held } = wallet;
        const place = [country, currency, provider].filter((part) => part !== '').join(' ');
        print(`${place}\t${renderAmount(posted)}\t${renderAmount(held)}`);
      }
    });
  },
};

const trialBalanceCommand: Command = {
  usage: '',
  summary: 'show the sum of every account and of each currency, which must be zero; ends with code 1 if not',
  run: async (args) => {
    readOptions(args, {});
    await withGateway(async ({ engine }) => {
      const { database } = engine.store;
      const totals = new Map<string, Amount>();
      for (const { currency, country, type, provider, balance } of await listTrialBalance(database)) {
        totals.set(currency, (totals.get(currency) ?? 0n) + balance);
        print([currency, country, type, provider, renderAmount(balance)].join('\t'));
      }
      for (const [currency, total] of totals) print([currency, 'TOTAL', renderAmount(total)].join('\t'));
      const wrong = [...totals].filter(([, total]) => total !== 0n).map(([currency]) => currency);
      if (wrong.length > 0) refuse(`The books do not balance in ${wrong.join(', ')}.`);
      for (const accountId of await listUnbalancedWallets(database)) {
        refuse(`The balance of wallet ${accountId} is not the sum of its transfers.`);
      }
    });
  },
};

/** In production nothing moves before people approve it in the dashboard. */
async function isOnlyRequested(
  engine: Engine,
  order: WalletOrder & {
    readonly type: MoneyOrderType;
    readonly reference: string | null;
    readonly reason?: string;
  },
): Promise<boolean> {
  const { actor, secondPerson } = askedByCommand(engine, order.by);
  if (secondPerson === 'OPTIONAL') return false;
  const { walletProvider = '', reason = null } = order;
  const answer = await requestMoney(engine, { ...order, actor, walletProvider, reason });
  if (answer.type === 'REQUESTED') print(REQUESTED);
  else if ('used' in answer) tell(answer);
  // Wallet and reference were looked at before.
  else throw new Error(answer.type);
  return true;
}

/** Required where money is real. */
function requireReference(engine: Engine, values: OptionValues, type: MoneyOrderType): string | null {
  const text = values['reference'];
  const read = referenceOf(engine, { type, reference: typeof text === 'string' ? text : null });
  if (read.type === 'READ') return read.reference;
  if (read.type === 'REFERENCE_MISSING') throw new UsageError("--reference is missing: it is the bank's.");
  throw new UsageError(`--reference ${REFERENCE_FORM}.`);
}

function tell(answer: WalletAnswer): void {
  switch (answer.type) {
    case 'DONE':
      print('done');
      return;
    case 'SHORT':
      refuse(`Nothing was moved: the wallet has ${renderAmount(answer.available)} available.`);
      return;
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
      print(describeUse(answer));
      return;
    case 'REFERENCE_TAKEN':
      refuse(describeUse(answer));
  }
}

function requireOrder(values: OptionValues): Pick<WalletOrder, 'by' | 'amount'> {
  return { by: requirePerson(values), amount: requireAmount(requireText(values, 'amount')) };
}

function requireAmount(text: string): Amount {
  const amount = parseAmount(text);
  if (amount !== null && amount !== 0n) return amount;
  throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
}

function requireWallet(
  values: OptionValues,
  merchant: Merchant,
): Pick<WalletOrder, 'merchantId' | 'country' | 'currency' | 'walletProvider'> {
  const { merchantId, walletPerProvider } = merchant;
  const [country, currency] = [requireText(values, 'country'), requireText(values, 'currency')];
  if (!walletPerProvider && values['provider'] !== undefined) {
    throw new UsageError('This merchant keeps one wallet for all providers: leave --provider out.');
  }
  const walletProvider = walletPerProvider ? requireText(values, 'provider') : '';
  const place = { country, currency, walletProvider };
  if (isWalletPlace(merchant, place)) return { merchantId, ...place };
  const who = walletProvider === '' ? 'No provider' : `No provider ${walletProvider}`;
  throw new UsageError(`${who} in ${country} takes ${currency}.`);
}

export const walletCommands: ReadonlyMap<string, Command> = new Map([
  ['wallet top-up', topUpCommand],
  ['wallet settle', settleCommand],
  ['wallet adjust', adjustCommand],
  ['wallet list', walletsCommand],
  ['trial-balance show', trialBalanceCommand],
]);
