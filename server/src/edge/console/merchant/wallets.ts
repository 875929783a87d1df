// A merchant's wallets and their movements.
import type { FastifyInstance } from 'fastify';
import { listBalances, type Balance } from '../../../core/ledger/read-balances.ts';
import { readMovements, type ShownMovement } from '../../../core/ledger/read-movements.ts';
import { changeWalletAlert } from '../../../core/ledger/set-wallet-alert.ts';
import { decimalsOf, fitsDecimals } from '../../../domain/ledger/decimals.ts';
import { parseAmount, parseSigned, renderAmount, type Amount } from '../../../domain/money.ts';
import type { StatementWallet } from '../../../domain/wallet-statement.ts';
import { listWalletAlerts } from '../../../store/ledger/wallet-alerts.ts';
import type { MovementCursor } from '../../../store/ledger/movement-pages.ts';
import { renderPage, type Page } from '../../../wire/console/page.ts';
import { readWalletName, walletCalls } from '../../../wire/console/merchant/wallet.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { requirePage } from '../page.ts';
import { consoleRoutes, requireMerchant, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'wallets:read' } as const;
/** Those who prepare payouts are mailed, because payouts fail without money. */
const SET_ALERT = { for: 'MERCHANT', permission: 'payouts:prepare' } as const;

export function registerWallets(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'wallets');
  const { engine } = parts;
  route('GET', '/merchants/:merchantId/wallets', READ, walletCalls.listWallets, {
    summary: 'List wallets with balances and reserved money',
    handle: async ({ path }) => {
      const merchant = await requireMerchant(parts, path.merchantId);
      const wallets = await listBalances(engine, merchant, { country: null });
      const alerts = await listWalletAlerts(engine.store.database, path.merchantId);
      const below = new Map(alerts.map((alert) => [walletText(alert), renderAmount(alert.below)]));
      return {
        wallets: wallets.map((one) => ({
          ...renderWallet(one),
          alertBelow: below.get(walletText(one)) ?? null,
        })),
      };
    },
  });
  route('PUT', '/merchants/:merchantId/wallet-alerts', SET_ALERT, walletCalls.setWalletAlert, {
    summary: 'Set the balance below which people are mailed',
    handle: async ({ path, body, user: { by } }) => {
      const wallet = readWalletName(body);
      const wallets = await listBalances(engine, await requireMerchant(parts, path.merchantId), {
        country: null,
      });
      if (!wallets.some((one) => walletText(one) === walletText(wallet)))
        throw new ConsoleFailure('NOT_FOUND');
      const below = body.below === null ? null : readThreshold(body.below, wallet);
      await changeWalletAlert(engine, { ...path, ...wallet, below, by });
      return done;
    },
  });
  route('GET', '/merchants/:merchantId/movements', READ, walletCalls.listWalletMovements, {
    summary: 'List movements of a wallet, the newest first',
    handle: async ({ path, query }) => {
      const { merchantId } = await requireMerchant(parts, path.merchantId);
      const page = requirePage(query, ['time', 'word', 'uuid', 'leg', 'amount']);
      const movements = await readMovements(engine, {
        merchantId,
        wallet: readWalletName(query),
        before: placeBefore(page),
        countMax: page.countMax + 1,
      });
      return renderPage(movements, page, { show: renderMovement, cursorOf });
    },
  });
}

function readThreshold(text: string, wallet: StatementWallet): Amount {
  const below = parseAmount(text) ?? 0n;
  if (below > 0n && fitsDecimals(below, decimalsOf(wallet))) return below;
  throw failureBecause('INVALID_INPUT', 'INVALID_PARAMETER', { parameter: 'below' });
}

function walletText({ country, currency, provider }: StatementWallet): string {
  return `${country} ${currency} ${provider}`;
}

function cursorOf({
  at,
  subjectKind,
  subjectId,
  postingNo,
  settledBefore,
}: ShownMovement): readonly string[] {
  const balance = settledBefore === null ? '-' : renderAmount(settledBefore);
  return [at.toISOString(), subjectKind, subjectId, String(postingNo), balance];
}

function placeBefore({ after }: Page): MovementCursor | null {
  if (after === null) return null;
  const [at = '', subjectKind = '', subjectId = '', postingNo = '', balance = ''] = after;
  const settledBefore = balance === '-' ? null : parseSigned(balance);
  return { at: new Date(at), subjectKind, subjectId, postingNo: Number(postingNo), settledBefore };
}

export function renderWallet(wallet: Balance) {
  return show(wallet, 'country', 'currency', 'provider', 'available', 'held');
}

function renderMovement(movement: ShownMovement) {
  const { subjectId, payment } = movement;
  return {
    ...show(movement, 'at', 'type', 'amount', 'fee', 'net', 'balance'),
    id: payment?.paymentId ?? subjectId,
    payment: payment === null ? null : show(payment, 'kind', 'paymentId', 'state', 'provider'),
  };
}
