// A merchant's wallets and their movements.
import type { FastifyInstance } from 'fastify';
import { listBalances, type Balance } from '../../../core/ledger/read-balances.ts';
import { readMovements, type ShownMovement } from '../../../core/ledger/read-movements.ts';
import type { MovementCursor } from '../../../store/ledger/movement-pages.ts';
import { renderPage, type Page } from '../../../wire/console/page.ts';
import { readWalletName, walletCalls } from '../../../wire/console/merchant/wallet.ts';
import { show } from '../../../wire/console/show.ts';
import { requirePage } from '../page.ts';
import { consoleRoutes, requireMerchant, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'wallets:read' } as const;

export function registerWallets(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'wallets');
  const { engine } = parts;
  route('GET', '/merchants/:merchantId/wallets', READ, walletCalls.listWallets, {
    summary: 'What is in the wallets, and what of it is held',
    handle: async ({ path }) => {
      const merchant = await requireMerchant(parts, path.merchantId);
      const wallets = await listBalances(engine, merchant, { country: null });
      return { wallets: wallets.map(renderWallet) };
    },
  });
  route('GET', '/merchants/:merchantId/movements', READ, walletCalls.listWalletMovements, {
    summary: 'What moved a wallet, the newest first',
    handle: async ({ path, query }) => {
      const { merchantId } = await requireMerchant(parts, path.merchantId);
      const page = requirePage(query, ['time', 'word', 'uuid', 'leg']);
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

function cursorOf({ at, subjectKind, subjectId, postingNo }: MovementCursor): readonly string[] {
  return [at.toISOString(), subjectKind, subjectId, String(postingNo)];
}

function placeBefore({ after }: Page): MovementCursor | null {
  if (after === null) return null;
  const [at = '', subjectKind = '', subjectId = '', postingNo = ''] = after;
  return { at: new Date(at), subjectKind, subjectId, postingNo: Number(postingNo) };
}

export function renderWallet(wallet: Balance) {
  return show(wallet, 'country', 'currency', 'provider', 'available', 'held');
}

function renderMovement(movement: ShownMovement) {
  const { subjectId, payment } = movement;
  return {
    ...show(movement, 'at', 'type', 'amount', 'fee', 'net'),
    id: payment?.paymentId ?? subjectId,
    payment: payment === null ? null : show(payment, 'kind', 'paymentId', 'state', 'provider'),
  };
}
