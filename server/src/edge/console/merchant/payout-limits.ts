// Up to how much payouts need no second person. Whoever would raise it needs one, too.
import type { FastifyInstance } from 'fastify';
import {
  approveLimit,
  changeLimit,
  listLimits,
  type LimitAnswer,
} from '../../../core/payout-batches/payout-limits.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import {
  approveLimitShape,
  changeLimitShape,
  listLimitsShape,
  renderLimits,
} from '../../../wire/console/merchant/payout-limit.ts';
import { ConsoleFailure, NOT_INDEPENDENT } from '../failure.ts';
import { consoleRoute, type ConsoleParts, type Visitor } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;

export function registerPayoutLimits(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  const url = '/merchants/:merchantId/payout-limits';
  const tag = 'payouts';
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: READ,
    operationId: 'listPayoutLimits',
    tag,
    summary: 'Up to how much in a day payouts need no second person',
    shape: listLimitsShape,
    handle: async ({ path, visitor }) => {
      const own = await listLimits(engine, path.merchantId);
      return { limits: renderLimits(own, parts.payoutApprovalAbove, visitor) };
    },
  });
  consoleRoute(app, parts, {
    method: 'PUT',
    url: `${url}/:currency`,
    access: WRITE,
    operationId: 'changePayoutLimit',
    tag,
    summary: 'Lower a limit, or propose a higher one',
    shape: changeLimitShape,
    handle: async ({ path, body, visitor }) => {
      const outcome = await changeLimit(engine, { ...path, ...limitOf(body), actor: actorOf(visitor) });
      return { outcome: outcome === 'PROPOSED' ? outcome : 'SET' } as const;
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:currency/approve`,
    access: WRITE,
    operationId: 'approvePayoutLimit',
    tag,
    summary: 'Approve a higher limit, as a second person',
    shape: approveLimitShape,
    handle: async ({ path, body, visitor }) => {
      refuse(await approveLimit(engine, { ...path, ...limitOf(body), actor: actorOf(visitor) }));
      return { outcome: 'RAISED' } as const;
    },
  });
}

function refuse(answer: LimitAnswer): void {
  if (answer === 'NOTHING_PROPOSED') throw new ConsoleFailure('CONFLICT', 'Nobody proposes this limit now.');
  if (answer === 'NOT_INDEPENDENT') throw new ConsoleFailure('CONFLICT', NOT_INDEPENDENT);
  if (answer === 'SAME_PERSON') {
    throw new ConsoleFailure('CONFLICT', 'You proposed this limit yourself. Another person must approve it.');
  }
}

function limitOf({ amount }: { readonly amount: string }): { readonly amount: Amount } {
  return { amount: parseAmount(amount) ?? 0n };
}

function actorOf({ personId, by }: Visitor) {
  return { personId, by };
}
