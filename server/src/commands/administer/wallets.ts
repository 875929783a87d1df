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
import { describeRefusal } from '../../core/ledger/money-references.ts';
import { describeStops } from '../../core/ledger/settlement-stops.ts';
import { readTrialBalance } from '../../core/ledger/read-ledger.ts';
import { referenceOf, requestMoney } from '../../core/ledger/request-money-movement.ts';
import { totalsOf } from '../../core/monitoring/measure-books.ts';
import type { Amount } from '../../domain/money.ts';
import type { MoneyMovementType } from '../../domain/ledger/money-movement.ts';
import { REFERENCE_FORM } from '../../domain/ledger/money-reference.ts';
import { listWallets } from '../../store/ledger/ledger.ts';
import { IDENTIFIER_PATTERN } from '../../domain/identifier.ts';
import { decimalsOf, fitsDecimals } from '../../domain/ledger/decimals.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { gatewayCommand, merchantCommand, nothing, REQUESTED } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { IF_PAID } from './settlements/commands.ts';
import { UsageError, type Options } from '../options.ts';
import { renderMoney } from '../terminal/money.ts';

const WALLET = '--merchant ID --country RWA --currency RWF [--provider MTN_MOMO_RWA]';
const WITH_BANK = `${WALLET} --amount 1000 [--reference FT12345] [--request-id UUID]`;

export const walletCommands = {
  'wallet top-up': merchantCommand({
    usage: `${WITH_BANK} --by NAME`,
    summary: 'add money that a merchant brought in, once for each reference, after approval',
    read: readWithBank,
    run: (engine, order, merchant) =>
      moveWithBank(engine, order, {
        merchant,
        type: 'TOP_UP',
        move: (wanted) => topUpWallets(engine, [wanted]),
      }),
  }),
  'wallet settle': merchantCommand({
    usage: `${WITH_BANK} [--bank-has-paid] --by NAME`,
    summary: "deduct what was paid to a merchant's bank, once for each reference, after approval",
    read: (options) => ({ ...readWithBank(options), bankHasPaid: options.isGiven('bank-has-paid') }),
    run: (engine, order, merchant) =>
      moveWithBank(engine, order, {
        merchant,
        type: 'SETTLEMENT',
        move: (wanted) => settleWallet(engine, wanted),
      }),
  }),
  'wallet adjust': merchantCommand({
    usage: `${WALLET} --amount 1000 --reason TEXT [--request-id UUID] --by NAME`,
    summary: 'correct a wallet, after approval; --amount=-1000 deducts',
    read: (options) => ({
      ...readWallet(options),
      amount: options.amount({ mayBeTaken: true }),
      by: options.person(),
      reason: options.reason(),
      requestId: readRequestId(options),
    }),
    run: async (engine, { wallet, ...order }, merchant) => {
      const wanted = { ...order, ...requireWallet(wallet, merchant), reference: null };
      if (await isOnlyRequested(engine, { ...wanted, type: 'ADJUSTMENT' })) return;
      report(await adjustWallet(engine, wanted), wanted);
    },
  }),
  'wallet list': merchantCommand({
    usage: '--merchant ID',
    summary: 'list wallets: posted, reserved',
    read: nothing,
    run: async ({ store }, { merchantId }) => {
      for (const wallet of await listWallets(store.database, merchantId)) {
        const { country, currency, provider, posted, held } = wallet;
        const name = [country, currency, provider].filter((part) => part !== '').join(' ');
        print(row(name, renderMoney(posted, wallet), renderMoney(held, wallet)));
      }
    },
  }),
  'trial-balance show': gatewayCommand({
    usage: '[--again]',
    summary: 'show the balance of every account; exit code 1 if a currency is not zero',
    read: (options) => ({ isAgain: options.isGiven('again') }),
    run: async ({ engine }, { isAgain }) => {
      const books = await readTrialBalance(engine, { isAgain });
      for (const { currency, country, type, provider, balance } of books.trialBalance) {
        print(row(currency, country, type, provider, renderMoney(balance, { country, currency, provider })));
      }
      for (const { currency, total } of totalsOf(books.trialBalance)) {
        print(row(currency, 'TOTAL', renderMoney(total, { currency })));
      }
      const wrong = books.unbalancedCurrencies;
      if (wrong.length > 0) refuse(`The books do not balance in ${wrong.join(', ')}.`);
      for (const accountId of books.unbalancedWallets) {
        refuse(`The balance of wallet ${accountId} is not the sum of its transfers.`);
      }
    },
  }),
};

type NamedWallet = { readonly country: string; readonly currency: string; readonly provider: string | null };

function readWallet(options: Options): { readonly wallet: NamedWallet } {
  const [country, currency] = [options.text('country'), options.text('currency')];
  return { wallet: { country, currency, provider: options.textOrNull('provider') } };
}

function readWithBank(options: Options) {
  const [by, amount, reference] = [options.person(), options.amount(), options.textOrNull('reference')];
  return { ...readWallet(options), by, amount, reference, requestId: readRequestId(options) };
}

/** The same command once more, with the same identifier, is the same request. */
function readRequestId(options: Options): string | undefined {
  const requestId = options.textOrNull('request-id');
  if (requestId === null) return undefined;
  if (new RegExp(IDENTIFIER_PATTERN).test(requestId)) return requestId;
  throw new UsageError('--request-id must be a UUID of version 4.');
}

type BankOrder = WalletOrder & { readonly reference: string | null };

async function moveWithBank(
  engine: Engine,
  { wallet, ...order }: ReturnType<typeof readWithBank> & { readonly bankHasPaid?: boolean },
  {
    merchant,
    type,
    move,
  }: {
    readonly merchant: Merchant;
    readonly type: MoneyMovementType;
    readonly move: (order: BankOrder) => Promise<WalletAnswer>;
  },
): Promise<void> {
  const reference = requireReference(engine, { type, reference: order.reference });
  const wanted = { ...order, ...requireWallet(wallet, merchant), reference };
  if (await isOnlyRequested(engine, { ...wanted, type })) return;
  report(await move(wanted), wanted);
}

/** In production nothing moves before people approve it in the dashboard. */
async function isOnlyRequested(
  engine: Engine,
  order: BankOrder & {
    readonly type: MoneyMovementType;
    readonly reason?: string;
    readonly requestId?: string | undefined;
  },
): Promise<boolean> {
  if (!fitsDecimals(order.amount, decimalsOf({ ...order, provider: order.walletProvider ?? '' })))
    throw new UsageError(`--amount has too many decimals for ${order.currency}.`);
  const { actor, secondApprover } = askedByCommand(engine, order.by);
  if (secondApprover === 'OPTIONAL') return false;
  const { walletProvider = '', reason = null } = order;
  const answer = await requestMoney(engine, { ...order, actor, walletProvider, reason });
  if (answer.type === 'REQUESTED') print(REQUESTED);
  else if (answer.type === 'REQUEST_ID_TAKEN')
    refuse('Another request was made under this --request-id. Nothing was requested.');
  else if ('used' in answer || answer.type === 'CELL_SILENT' || answer.type === 'SETTLEMENT_STOPPED')
    report(answer, order);
  // Wallet and reference were looked at before.
  else throw new Error(answer.type);
  return true;
}

/** Required where money is real. */
function requireReference(engine: Engine, given: Parameters<typeof referenceOf>[1]): string | null {
  const read = referenceOf(engine, given);
  if (read.type === 'READ') return read.reference;
  if (read.type === 'REFERENCE_MISSING') throw new UsageError("Missing: --reference, the bank's reference.");
  throw new UsageError(`--reference ${REFERENCE_FORM}.`);
}

function report(
  answer: WalletAnswer,
  { country, currency, walletProvider = '' }: Pick<WalletOrder, 'country' | 'currency' | 'walletProvider'>,
): void {
  const available = (amount: Amount) => renderMoney(amount, { country, currency, provider: walletProvider });
  switch (answer.type) {
    case 'DONE':
      return print('done');
    case 'SHORT':
      return refuse(
        `Nothing was moved. The wallet has ${available(answer.available)} ${currency} available.`,
      );
    case 'SETTLEMENT_STOPPED':
      return refuse(`${describeStops(answer)} Nothing was moved. ${IF_PAID}`);
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
      return print(describeRefusal(answer));
    case 'REFERENCE_TAKEN':
    case 'CELL_SILENT':
      return refuse(describeRefusal(answer));
  }
}

function requireWallet(
  { country, currency, provider }: NamedWallet,
  merchant: Merchant,
): Pick<WalletOrder, 'merchantId' | 'country' | 'currency' | 'walletProvider'> {
  const { merchantId, walletPerProvider } = merchant;
  if (!walletPerProvider && provider !== null) {
    throw new UsageError('This merchant has one wallet for all providers: leave out --provider.');
  }
  if (walletPerProvider && !provider) {
    throw new UsageError('Missing: --provider. This merchant has one wallet for each provider.');
  }
  const walletProvider = provider ?? '';
  const place = { country, currency, walletProvider };
  if (isWalletPlace(merchant, place)) return { merchantId, ...place };
  const who = walletProvider === '' ? 'No provider' : `No provider ${walletProvider}`;
  throw new UsageError(`${who} in ${country} supports ${currency}.`);
}
