// The books, for the host's people to walk through. Nothing here moves anything.
import type { FastifyInstance } from 'fastify';
import { totalsOf } from '../../../core/monitoring/measure-books.ts';
import {
  readAccounts,
  readMeasuredFloats,
  readMovements,
  readSubject,
  readTrialBalance,
  type AccountBalance,
  type NamedMovement,
  type TrialBalance,
} from '../../../core/ledger/read-ledger.ts';
import { differenceOf, unexplainedOf, type Float } from '../../../domain/ledger/float.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { AccountName, MovementCursor } from '../../../store/ledger/ledger-explorer.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { ledgerCalls } from '../../../wire/console/platform/ledger.ts';
import { renderPage, type Page } from '../../../wire/console/page.ts';
import { orNone, show, showValue } from '../../../wire/console/show.ts';
import { ConsoleFailure } from '../failure.ts';
import { teamName } from '../sign-in/me.ts';
import { requirePage } from '../page.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;

export function registerLedger(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-ledger');
  const { engine } = parts;
  route('GET', '/host/accounts', READ, ledgerCalls.listAccounts, {
    summary: 'The accounts of the platform, or those of a merchant, with what they hold',
    handle: async ({ query }) => {
      const accounts = await readAccounts(engine, query.merchantId ?? null);
      return { rows: await Promise.all(accounts.map((account) => describeAccount(parts, account))) };
    },
  });
  route('GET', '/host/accounts/:accountId/movements', READ, ledgerCalls.listAccountMovements, {
    summary: 'What moved on an account, the newest first',
    handle: async ({ path, query }) => {
      const page = requirePage(query, ['time', 'uuid', 'word', 'uuid', 'leg']);
      const order = { ...path, after: movementAfter(page), countMax: page.countMax + 1 };
      const found = await readMovements(engine, order);
      if (found === null) throw new ConsoleFailure('NOT_FOUND');
      const { account, movements } = found;
      const rows = await Promise.all(
        movements.map(async (movement) => ({ movement, shown: await describeMovement(parts, movement) })),
      );
      return {
        account: await describeAccount(parts, account),
        ...renderPage(rows, page, {
          show: ({ shown }) => shown,
          cursorOf: ({ movement }) => cursorOfMovement(movement),
        }),
      };
    },
  });
  route('GET', '/host/transfers/:merchantId/:kind/:subjectId', READ, ledgerCalls.readTransfers, {
    summary: 'Everything that was moved for a payment, a top-up, a settlement or an adjustment',
    handle: async ({ path: { merchantId, kind, subjectId } }) => {
      const subject = {
        merchantId: canonicalIdentifier(merchantId),
        kind,
        id: canonicalIdentifier(subjectId),
      };
      const found = await readSubject(engine, subject);
      if (found === null) throw new ConsoleFailure('NOT_FOUND');
      const rows = await Promise.all(found.legs.map((leg) => describeMovement(parts, leg)));
      return { rows, payment: found.payment === null ? null : renderPayment(found.payment) };
    },
  });
  registerSums(app, parts);
}

function registerSums(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-ledger');
  const { engine } = parts;
  // It reads every transfer: however many people ask at once, that is done once.
  let again: Promise<TrialBalance> | null = null;
  route('GET', '/host/trial-balance', READ, ledgerCalls.readTrialBalance, {
    summary: 'What every kind of account comes to, and each currency, which must be zero',
    handle: async ({ query }) => {
      if (query.again === undefined)
        return renderTrialBalance(await readTrialBalance(engine, { isAgain: false }));
      again ??= readTrialBalance(engine, { isAgain: true }).finally(() => {
        again = null;
      });
      return renderTrialBalance(await again);
    },
  });
  route('GET', '/host/floats', READ, ledgerCalls.readFloats, {
    summary: 'List balances at operators: theirs and ours',
    handle: async () => {
      const measured = await readMeasuredFloats(engine);
      return {
        asOf: showValue(measured?.asOf),
        rows: (measured?.floats ?? []).map((float) => renderFloat(parts, float)),
      };
    },
  });
}

function movementAfter({ after }: Page): MovementCursor | null {
  if (after === null) return null;
  const [createdAt = '', subjectId = '', kind = '', merchantId = '', legNo = ''] = after;
  return { createdAt: new Date(createdAt), subjectId, kind, merchantId, legNo: Number(legNo) };
}

function cursorOfMovement({
  createdAt,
  subjectId,
  kind,
  merchantId,
  legNo,
}: NamedMovement): readonly string[] {
  return [createdAt.toISOString(), subjectId, kind, merchantId, String(legNo)];
}

async function describeName(parts: ConsoleParts, account: AccountName) {
  const { merchantId, provider } = account;
  return {
    ...show(account, 'accountId', 'type', 'merchantId', 'country', 'currency'),
    merchant: merchantId === null ? null : await teamName(parts, merchantId),
    provider: orNone(provider),
  };
}

async function describeAccount(parts: ConsoleParts, account: AccountBalance) {
  return { ...(await describeName(parts, account)), ...show(account, 'balance', 'held') };
}

async function describeMovement(parts: ConsoleParts, movement: NamedMovement) {
  return {
    ...show(movement, 'merchantId', 'kind', 'legNo', 'template', 'state', 'amount', 'createdAt', 'settledAt'),
    subjectId: movement.id,
    debit: await describeName(parts, movement.debit),
    credit: await describeName(parts, movement.credit),
  };
}

function renderPayment(payment: StoredPayment) {
  return show(payment, 'state', 'amount', 'fee', 'currency', 'country', 'provider', 'createdAt', 'finalAt');
}

function renderTrialBalance({ asOf, trialBalance, ...unbalanced }: TrialBalance) {
  const { unbalancedWallets, unbalancedCurrencies } = unbalanced;
  const totals = totalsOf(trialBalance);
  return {
    asOf: showValue(asOf),
    rows: trialBalance.map((account) => ({
      ...show(account, 'type', 'country', 'currency', 'balance'),
      provider: orNone(account.provider),
    })),
    totals: totals.map((one) => show(one, 'currency', 'total')),
    unbalancedWallets: unbalancedWallets.length,
    isSound: unbalancedWallets.length === 0 && unbalancedCurrencies.length === 0,
  };
}

function renderFloat({ monitor }: ConsoleParts, float: Float) {
  const { provider, currency, operator, books } = float;
  const wanted = monitor.floatMinimums.find((one) => one.provider === provider && one.currency === currency);
  const [min, known] = [wanted?.amount ?? null, operator ?? books];
  return {
    ...show(float, 'provider', 'currency', 'operator', 'books'),
    difference: showValue(differenceOf(float)),
    unexplained: showValue(unexplainedOf(float)),
    min: showValue(min),
    isBelowMin: min !== null && known !== null && known < min,
  };
}
