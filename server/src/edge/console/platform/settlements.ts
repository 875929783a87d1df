// What merchants want to have paid to their banks: one of the platform's people records that the bank has paid it, or
// rejects it, and another approves.
import type { FastifyInstance } from 'fastify';
import { describeRefusal, factsOfRefusal } from '../../../core/ledger/money-references.ts';
import { describeStops, factsOfStopped } from '../../../core/ledger/settlement-stops.ts';
import {
  requestSettlementDecision,
  type SettlementDecisionAnswer,
} from '../../../core/settlements/decide-settlement.ts';
import {
  readSettlements,
  revealSettlementAccount,
  type SettlementView,
} from '../../../core/settlements/read-settlements.ts';
import { renderAmount } from '../../../domain/money.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { settlementCalls } from '../../../wire/console/settlement.ts';
import { show } from '../../../wire/console/show.ts';
import { describeApproval } from '../approvals.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { renderSettlement } from '../merchant/settlements.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, maySeeWords, type ConsoleParts, type SignedInUser } from '../route.ts';
import { teamName } from '../sign-in/me.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const MOVE = { for: 'HOST', permission: 'money:move', isDangerous: true } as const;
const REVEAL = { for: 'HOST', permission: 'money:move', reveals: true } as const;

const url = '/host/settlements';
const one = `${url}/:settlementId`;

export function registerSettlements(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-settlements');
  const { engine } = parts;
  route('GET', url, READ, settlementCalls.listSettlements, {
    summary: 'List settlements that wait, the oldest first, or decided ones, the newest first',
    handle: async ({ query, user }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const found = await readSettlements(engine, {
        of: query.status === 'REQUESTED' ? 'OPEN' : 'DECIDED',
        after: placeAfter(page),
        countMax: page.countMax + 1,
      });
      const shown = await Promise.all(found.map((settlement) => describe(parts, user, settlement)));
      return renderPage(shown, page, {
        show: (row) => row,
        cursorOf: (row) => [row.decidedAt ?? row.requestedAt, row.settlementId],
      });
    },
  });
  route('POST', `${one}/account`, REVEAL, settlementCalls.revealSettlementAccount, {
    summary: 'The bank account in full; asking is recorded',
    handle: async ({ path, user: { by } }) => {
      const account = await revealSettlementAccount(engine, { ...path, by });
      if (account === null) throw new ConsoleFailure('NOT_FOUND');
      return account;
    },
  });
  route('POST', `${one}/paid`, MOVE, settlementCalls.requestSettlementPaid, {
    summary: 'Request that a settlement is recorded as paid; another person approves',
    handle: async ({ path, body, user: { personId, by } }) => {
      const order = { ...path, ...body, actor: { personId, by }, decision: 'PAID' } as const;
      return answerDecision(await requestSettlementDecision(engine, order));
    },
  });
  route('POST', `${one}/reject`, MOVE, settlementCalls.requestSettlementRejection, {
    summary: 'Request that a settlement is rejected; another person approves',
    handle: async ({ path, body, user: { personId, by } }) => {
      const order = { ...path, ...body, actor: { personId, by }, decision: 'REJECTED' } as const;
      return answerDecision(await requestSettlementDecision(engine, order));
    },
  });
}

async function describe(parts: ConsoleParts, user: SignedInUser, settlement: SettlementView) {
  const { merchantId, approval } = settlement;
  const { reason, ...shown } = renderSettlement(settlement);
  const isPending = approval?.status === 'PENDING';
  return {
    ...show(settlement, 'merchantId'),
    merchant: await teamName(parts, merchantId),
    ...shown,
    ...describeStanding(settlement),
    reason: maySeeWords(user) ? reason : null,
    approval: isPending ? await describeApproval(parts, user, approval) : null,
  };
}

function describeStanding({ standing }: SettlementView) {
  if (standing === null) return { stops: [], wallet: null };
  const { available, owed, unheld } = standing.funds;
  const wallet = {
    available: renderAmount(available),
    owed: renderAmount(owed),
    unheld: renderAmount(unheld),
  };
  return { stops: [...standing.stops], wallet };
}

function answerDecision(answer: SettlementDecisionAnswer) {
  switch (answer.type) {
    case 'REQUESTED':
      return { approvalId: answer.approvalId };
    case 'NOT_FOUND':
      throw new ConsoleFailure('NOT_FOUND');
    case 'DECIDED_BEFORE':
      throw failureBecause('CONFLICT', 'SETTLEMENT_DECIDED', { status: answer.status });
    case 'REQUESTED_BEFORE':
      throw failureBecause('CONFLICT', 'SETTLEMENT_DECISION_REQUESTED');
    case 'REFERENCE_UNREADABLE':
      throw failureBecause('INVALID_INPUT', 'REFERENCE_INVALID');
    case 'SETTLEMENT_STOPPED':
      throw failureBecause('CONFLICT', answer.type, factsOfStopped(answer), describeStops(answer));
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
    case 'CELL_SILENT':
      throw failureBecause('CONFLICT', answer.type, factsOfRefusal(answer), describeRefusal(answer));
  }
}
