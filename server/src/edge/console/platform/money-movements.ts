// Top-ups, settlements and adjustments: one of the platform's people requests, another approves.
import type { FastifyInstance } from 'fastify';
import { listWalletPlaces } from '../../../core/ledger/administer-wallets.ts';
import { describeRefusal, factsOfRefusal } from '../../../core/ledger/money-references.ts';
import {
  requestMoney,
  type MoneyRequest,
  type MoneyRequestAnswer,
} from '../../../core/ledger/request-money-movement.ts';
import { describeStops, factsOfStopped } from '../../../core/ledger/settlement-stops.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import { moneyMovementCalls } from '../../../wire/console/platform/money-movement.ts';
import { orNone } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const MOVE = { for: 'HOST', permission: 'money:move', isDangerous: true } as const;

const url = '/host/money-requests';

export function registerMoneyRequests(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-money');
  const { engine } = parts;
  route('GET', '/host/merchants/:merchantId/wallet-places', READ, moneyMovementCalls.listWalletPlaces, {
    summary: 'The wallets of a merchant that money can be moved into, whether or not they are there yet',
    handle: async ({ path }) => {
      const merchant = await engine.directory.merchant(path.merchantId);
      if (merchant === null) throw new ConsoleFailure('NOT_FOUND');
      const places = listWalletPlaces(merchant);
      return { rows: places.map((one) => ({ ...one, walletProvider: orNone(one.walletProvider) })) };
    },
  });
  route('POST', url, MOVE, moneyMovementCalls.requestMoney, {
    summary: 'Request that money is moved manually; another person approves',
    handle: async ({ body, user: { personId, by } }) =>
      answerRequest(
        await requestMoney(engine, {
          ...body,
          actor: { personId, by },
          walletProvider: body.walletProvider ?? '',
          reference: body.reference ?? null,
          amount: requireAmount(body),
        }),
        body.currency,
      ),
  });
}

/** Only a correction may take. */
function requireAmount({ type, amount }: Pick<MoneyRequest, 'type'> & { readonly amount: string }): Amount {
  const isTaken = amount.startsWith('-');
  const parsed = parseAmount(isTaken ? amount.slice(1) : amount);
  if (parsed === null || parsed === 0n) throw failureBecause('INVALID_INPUT', 'AMOUNT_ZERO');
  if (isTaken && type !== 'ADJUSTMENT') throw failureBecause('INVALID_INPUT', 'AMOUNT_NEGATIVE');
  return isTaken ? -parsed : parsed;
}

function answerRequest(answered: MoneyRequestAnswer, currency: string) {
  switch (answered.type) {
    case 'REQUESTED':
      return { approvalId: answered.approvalId };
    case 'NO_SUCH_MERCHANT':
      throw new ConsoleFailure('NOT_FOUND');
    case 'TOO_MANY_DECIMALS':
      throw failureBecause('INVALID_INPUT', 'AMOUNT_DECIMALS', { currency });
    case 'REQUEST_ID_TAKEN':
      throw failureBecause('CONFLICT', 'REQUEST_ID_TAKEN');
    case 'NO_SUCH_WALLET':
      throw failureBecause('INVALID_INPUT', 'WALLET_UNUSED');
    case 'REFERENCE_MISSING':
      throw failureBecause('INVALID_INPUT', 'REFERENCE_MISSING');
    case 'REFERENCE_UNREADABLE':
      throw failureBecause('INVALID_INPUT', 'REFERENCE_INVALID');
    case 'NO_REFERENCE_HERE':
      throw failureBecause('INVALID_INPUT', 'REFERENCE_NOT_ALLOWED');
    case 'SETTLEMENT_STOPPED':
      throw failureBecause('CONFLICT', answered.type, factsOfStopped(answered), describeStops(answered));
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
    case 'CELL_SILENT':
      throw failureBecause('CONFLICT', answered.type, factsOfRefusal(answered), describeRefusal(answered));
  }
}
