// A merchant's wallets, and what moved them.
import type { FastifyInstance } from 'fastify';
import { listBalances } from '../../../core/ledger/read-balances.ts';
import { readMovements } from '../../../core/ledger/read-movements.ts';
import type { MovementCursor } from '../../../store/ledger/movement-pages.ts';
import { renderPage, type Page } from '../../../wire/console/page.ts';
import {
  listMovementsShape,
  listWalletsShape,
  readWalletName,
  renderMovement,
  renderWallet,
} from '../../../wire/console/merchant/wallet.ts';
import { requirePage } from '../page.ts';
import { consoleRoute, requireMerchant, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'wallets:read' } as const;
const tag = 'wallets';

export function registerWallets(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/merchants/:merchantId/wallets',
    access: READ,
    operationId: 'listWallets',
    tag,
    summary: 'What is in the wallets, and what of it is held',
    shape: listWalletsShape,
    handle: async ({ path }) => {
      const merchant = await requireMerchant(parts, path.merchantId);
      const wallets = await listBalances(engine, merchant, { country: null });
      return { wallets: wallets.map(renderWallet) };
    },
  });
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/merchants/:merchantId/movements',
    access: READ,
    operationId: 'listWalletMovements',
    tag,
    summary: 'What moved a wallet, the newest first',
    shape: listMovementsShape,
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
