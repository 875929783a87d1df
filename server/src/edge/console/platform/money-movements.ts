// Top-ups, settlements and adjustments: one of the host's people asks, another decides.
import type { FastifyInstance } from 'fastify';
import { listWalletPlaces } from '../../../core/ledger/administer-wallets.ts';
import { describeUse } from '../../../core/ledger/money-references.ts';
import {
  approveMoney,
  readMoneyOrders,
  rejectMoney,
  requestMoney,
  withdrawMoney,
  type MoneyAnswer,
  type MoneyRequest,
  type MoneyRequestAnswer,
} from '../../../core/ledger/request-money-movement.ts';
import { parseAmount, renderAmount, type Amount } from '../../../domain/money.ts';
import { REFERENCE_FORM } from '../../../domain/ledger/money-reference.ts';
import type { MoneyOrder } from '../../../store/ledger/money-movement-requests.ts';
import {
  approveMoneyShape,
  listMoneyOrdersShape,
  listWalletPlacesShape,
  rejectMoneyShape,
  requestMoneyShape,
  withdrawMoneyShape,
} from '../../../wire/console/platform/money-movement.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { done } from '../../../wire/console/shape.ts';
import { ConsoleFailure, NOT_INDEPENDENT } from '../failure.ts';
import { teamName } from '../sign-in/me.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoute, maySeeWords, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const MOVE = { for: 'HOST', permission: 'money:move', isDangerous: true } as const;
const APPROVE = { for: 'HOST', permission: 'money:approve', isDangerous: true } as const;

const url = '/host/money-orders';
const tag = 'host-money';

export function registerMoneyOrders(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: READ,
    operationId: 'listMoneyOrders',
    tag,
    summary: 'Money that waits for a second person, or what became of it',
    shape: listMoneyOrdersShape,
    handle: async ({ query, visitor }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const place = placeAfter(page);
      const orders = await readMoneyOrders(engine, {
        isOpen: query.status === 'OPEN',
        after: place === null ? null : { at: place.at, orderId: place.id },
        countMax: page.countMax + 1,
      });
      const shown = await Promise.all(
        orders.map((order) => describeOrder(parts, order, maySeeWords(visitor))),
      );
      return renderPage(shown, page, {
        show: (order) => order,
        cursorOf: (order) => [order.decision?.at ?? order.requestedAt, order.orderId],
      });
    },
  });
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/merchants/:merchantId/wallet-places',
    access: READ,
    operationId: 'listWalletPlaces',
    tag,
    summary: 'The wallets of a merchant that money can be moved into, whether or not they are there yet',
    shape: listWalletPlacesShape,
    handle: async ({ path }) => {
      const merchant = await engine.directory.merchant(path.merchantId);
      if (merchant === null) throw new ConsoleFailure('NOT_FOUND');
      const rows = listWalletPlaces(merchant).map(({ walletProvider, ...place }) => ({
        ...place,
        walletProvider: walletProvider === '' ? null : walletProvider,
      }));
      return { rows };
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url,
    access: MOVE,
    operationId: 'requestMoney',
    tag,
    summary: 'Ask to have money moved by hand',
    shape: requestMoneyShape,
    handle: async ({ body, visitor: { by } }) =>
      answerRequest(
        await requestMoney(engine, {
          ...body,
          by,
          walletProvider: body.walletProvider ?? '',
          reference: body.reference ?? null,
          amount: requireAmount(body),
        }),
      ),
  });
  registerDecisions(app, parts);
}

function registerDecisions(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:orderId/approve`,
    access: APPROVE,
    operationId: 'approveMoney',
    tag,
    summary: 'Move what somebody else asked for',
    shape: approveMoneyShape,
    handle: async ({ path, visitor: { by } }) => answer(await approveMoney(engine, { ...path, by })),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:orderId/reject`,
    access: APPROVE,
    operationId: 'rejectMoney',
    tag,
    summary: 'Refuse what somebody else asked for, and say why',
    shape: rejectMoneyShape,
    handle: async ({ path, body, visitor: { by } }) =>
      answer(await rejectMoney(engine, { ...path, ...body, by })),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:orderId/withdraw`,
    access: MOVE,
    operationId: 'withdrawMoney',
    tag,
    summary: 'Take back what you asked for',
    shape: withdrawMoneyShape,
    handle: async ({ path, visitor: { by } }) => answer(await withdrawMoney(engine, { ...path, by })),
  });
}

/** Only a correction may take. */
function requireAmount({ type, amount }: Pick<MoneyRequest, 'type'> & { readonly amount: string }): Amount {
  const isTaken = amount.startsWith('-');
  const parsed = parseAmount(isTaken ? amount.slice(1) : amount);
  if (parsed === null || parsed === 0n) throw new ConsoleFailure('INVALID_INPUT', 'amount: must not be 0.');
  if (isTaken && type !== 'ADJUSTMENT') {
    throw new ConsoleFailure('INVALID_INPUT', 'amount: only an adjustment can be below zero.');
  }
  return isTaken ? -parsed : parsed;
}

function answerRequest(answered: MoneyRequestAnswer) {
  switch (answered.type) {
    case 'REQUESTED':
      return { orderId: answered.orderId };
    case 'NO_SUCH_MERCHANT':
      throw new ConsoleFailure('NOT_FOUND', 'There is no such merchant.');
    case 'NO_SUCH_WALLET':
      throw new ConsoleFailure('INVALID_INPUT', 'No payment of this merchant would use such a wallet.');
    case 'REFERENCE_MISSING':
      throw new ConsoleFailure('INVALID_INPUT', 'reference: the bank’s reference is missing.');
    case 'REFERENCE_UNREADABLE':
      throw new ConsoleFailure('INVALID_INPUT', `reference: ${REFERENCE_FORM}.`);
    case 'NO_REFERENCE_HERE':
      throw new ConsoleFailure('INVALID_INPUT', 'reference: an adjustment has none.');
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
      throw new ConsoleFailure('CONFLICT', describeUse(answered));
  }
}

function answer(answered: MoneyAnswer) {
  switch (answered.type) {
    case 'DONE':
      return done;
    case 'NO_SUCH_ORDER':
      throw new ConsoleFailure('NOT_FOUND');
    case 'DECIDED_BEFORE':
      throw new ConsoleFailure('CONFLICT', `This is ${answered.decision} already.`);
    case 'NOT_INDEPENDENT':
      throw new ConsoleFailure('CONFLICT', NOT_INDEPENDENT);
    case 'SAME_PERSON':
      throw new ConsoleFailure('CONFLICT', 'You asked for this yourself: another person decides.');
    case 'NOT_THEIRS':
      throw new ConsoleFailure('CONFLICT', 'Only who asked for this can take it back; reject it instead.');
    case 'SHORT': {
      const available = renderAmount(answered.available);
      throw new ConsoleFailure('CONFLICT', `The wallet has only ${available} available: nothing was moved.`);
    }
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
      throw new ConsoleFailure('CONFLICT', describeUse(answered));
  }
}

async function describeOrder(parts: ConsoleParts, order: MoneyOrder, isOpenToThem: boolean) {
  const { decision, requestedAt, amount, walletProvider, reason, ...rest } = order;
  return {
    ...rest,
    merchant: await teamName(parts, order.merchantId),
    walletProvider: walletProvider === '' ? null : walletProvider,
    amount: renderAmount(amount),
    reason: isOpenToThem ? reason : null,
    requestedAt: requestedAt.toISOString(),
    decision:
      decision === null
        ? null
        : { ...decision, at: decision.at.toISOString(), reason: isOpenToThem ? decision.reason : null },
  };
}
