// A merchant's bank accounts, and its requests that money of a wallet is paid there.
import type { FastifyInstance } from 'fastify';
import {
  readBankAccounts,
  requestBankAccount,
  type BankAccountView,
} from '../../../core/settlements/bank-accounts.ts';
import { readSettlements, type SettlementView } from '../../../core/settlements/read-settlements.ts';
import { requestSettlement, type SettlementRefusal } from '../../../core/settlements/request-settlement.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { parseAccountNumber } from '../../../domain/ledger/bank-account.ts';
import { maskAccountNumber } from '../../../domain/masking.ts';
import { parseAmount, renderAmount, type Amount } from '../../../domain/money.ts';
import { listProviders } from '../../../domain/operators/catalogue.ts';
import { readWalletName } from '../../../wire/console/merchant/wallet.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { settlementCalls } from '../../../wire/console/settlement.ts';
import { show } from '../../../wire/console/show.ts';
import { describeApproval } from '../approvals.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, requireMerchant, type ConsoleParts, type SignedInUser } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'wallets:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'payouts:prepare', isDangerous: true } as const;

const HOUR_MS = 3_600_000;

export function registerMerchantSettlements(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'settlements');
  const { engine } = parts;
  const accounts = '/merchants/:merchantId/bank-accounts';
  const settlements = '/merchants/:merchantId/settlements';
  route('GET', accounts, READ, settlementCalls.listBankAccounts, {
    summary: 'List the registered bank accounts, and those that are pending approval',
    handle: async ({ path, user }) => {
      const { merchantId } = await requireMerchant(parts, path.merchantId);
      const found = await readBankAccounts(engine, merchantId);
      const shown = found.map((one) => describeAccount(parts, user, one));
      return {
        accounts: (await Promise.all(shown)).flat(),
        coolingOffHours: engine.bankCoolingOffMs / HOUR_MS,
      };
    },
  });
  route('PUT', `${accounts}/:currency`, WRITE, settlementCalls.requestBankAccount, {
    summary: 'Request that a bank account is registered; another person approves',
    handle: async ({ path: { merchantId, currency }, body, user: { personId, by } }) => {
      if (!isCurrency(currency)) throw failureBecause('INVALID_INPUT', 'CURRENCY_UNKNOWN', { currency });
      const number = parseAccountNumber(body.number);
      if (number === null) throw failureBecause('INVALID_INPUT', 'BANK_ACCOUNT_NUMBER_INVALID');
      const account = { bank: body.bank.trim(), holder: body.holder.trim(), number };
      const order = { actor: { personId, by }, merchantId, currency, account };
      const approvalId = await requestBankAccount(engine, order);
      if (approvalId === null) throw failureBecause('CONFLICT', 'BANK_ACCOUNT_REQUESTED');
      return { approvalId };
    },
  });
  route('GET', settlements, READ, settlementCalls.listMerchantSettlements, {
    summary: 'List requests for settlement, the newest first',
    handle: async ({ path, query }) => {
      const { merchantId } = await requireMerchant(parts, path.merchantId);
      const page = requirePage(query, ['time', 'uuid']);
      const asked = { of: { merchantId }, after: placeAfter(page), countMax: page.countMax + 1 };
      return renderPage(await readSettlements(engine, asked), page, {
        show: renderSettlement,
        cursorOf: ({ requestedAt, settlementId }) => [requestedAt.toISOString(), settlementId],
      });
    },
  });
  route('POST', settlements, WRITE, settlementCalls.requestSettlement, {
    summary: 'Request that money of a wallet is paid to the registered bank account',
    handle: async ({ path: { merchantId }, body, user: { by } }) => {
      const requestId = canonicalIdentifier(body.requestId);
      const wallet = readWalletName(body);
      const order = { by, merchantId, requestId, ...wallet, amount: requireAmount(body) };
      const answer = await requestSettlement(engine, order);
      if (answer.type !== 'REQUESTED') throw refusalOf(answer, wallet);
      return { settlementId: answer.settlementId };
    },
  });
}

function isCurrency(currency: string): boolean {
  return listProviders().some(({ currencies }) => currencies.some((one) => one.currency === currency));
}

function requireAmount({ amount }: { readonly amount: string }): Amount {
  const parsed = parseAmount(amount) ?? 0n;
  if (parsed === 0n) throw failureBecause('INVALID_INPUT', 'AMOUNT_ZERO');
  return parsed;
}

function refusalOf(refusal: SettlementRefusal, { currency }: { readonly currency: string }): ConsoleFailure {
  switch (refusal.type) {
    case 'IDENTIFIER_TAKEN':
      return failureBecause('CONFLICT', 'SETTLEMENT_IDENTIFIER_TAKEN');
    case 'NO_SUCH_WALLET':
      return new ConsoleFailure('NOT_FOUND');
    case 'SUSPENDED':
      return failureBecause('CONFLICT', 'SETTLEMENT_SUSPENDED');
    case 'FROZEN':
      return failureBecause('CONFLICT', 'SETTLEMENT_FROZEN');
    case 'RECOVERING':
      return failureBecause('CONFLICT', 'SETTLEMENT_RECOVERING');
    case 'NO_BANK_ACCOUNT':
      return failureBecause('CONFLICT', 'BANK_ACCOUNT_MISSING', { currency });
    case 'COOLING_OFF':
      return failureBecause('CONFLICT', 'BANK_ACCOUNT_COOLING_OFF', {
        usableFrom: refusal.usableFrom.toISOString(),
      });
    case 'TOO_MANY_DECIMALS':
      return failureBecause('INVALID_INPUT', 'AMOUNT_DECIMALS', { currency });
    case 'WALLET_OWES':
      return failureBecause('CONFLICT', 'SETTLEMENT_WALLET_OWES');
    case 'SHORT':
      return failureBecause('CONFLICT', 'SETTLEMENT_SHORT', {
        available: renderAmount(refusal.available),
        currency,
      });
  }
}

async function describeAccount(parts: ConsoleParts, user: SignedInUser, found: BankAccountView) {
  const { status, account, approval } = found;
  // What was requested and not approved is withdrawn by a move of the merchant, for example.
  if ((status === 'REQUESTED' && approval === null) || (status !== 'REQUESTED' && status !== 'CURRENT'))
    return [];
  return [
    {
      ...show(found, 'currency', 'usableFrom'),
      status,
      bank: account.bank,
      holder: account.holder,
      number: maskAccountNumber(account.number),
      approval: approval === null ? null : await describeApproval(parts, user, approval),
    },
  ];
}

/** The decision's facts count once two people made it. */
export function renderSettlement(settlement: SettlementView) {
  const { account, approval } = settlement;
  const decided = approval?.status === 'APPROVED' ? approval : null;
  return {
    ...show(settlement, 'settlementId', 'country', 'currency', 'provider', 'amount', 'status', 'requestedBy'),
    ...show(settlement, 'requestedAt', 'decidedAt'),
    bank: account.bank,
    number: maskAccountNumber(account.number),
    reference: decided?.request.reference ?? null,
    reason: decided?.reason ?? null,
  };
}
