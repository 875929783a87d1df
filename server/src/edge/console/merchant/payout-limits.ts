// Up to how much payouts need no second approver. To raise it needs one, too.
import type { FastifyInstance } from 'fastify';
import { changeLimit, listLimits } from '../../../core/payout-batches/payout-limits.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import {
  changeLimitShape,
  listLimitsShape,
  renderLimits,
} from '../../../wire/console/merchant/payout-limit.ts';
import { describeApproval } from '../approvals.ts';
import { consoleRoute, type ConsoleParts } from '../route.ts';

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
    summary: 'Up to how much in a day payouts need no second approver',
    shape: listLimitsShape,
    handle: async ({ path, user }) => {
      const own = await listLimits(engine, path.merchantId);
      const described = own.map(async (limit) => ({
        ...limit,
        approval: limit.approval === null ? null : await describeApproval(parts, user, limit.approval),
      }));
      return { limits: renderLimits(await Promise.all(described), parts.payoutApprovalAbove) };
    },
  });
  consoleRoute(app, parts, {
    method: 'PUT',
    url: `${url}/:currency`,
    access: WRITE,
    operationId: 'changePayoutLimit',
    tag,
    summary: 'Lower a limit, or request a higher one',
    shape: changeLimitShape,
    handle: async ({ path, body, user }) => {
      const actor = { personId: user.personId, by: user.by };
      return { outcome: await changeLimit(engine, { ...path, ...limitOf(body), actor }) };
    },
  });
}

function limitOf({ amount }: { readonly amount: string }): { readonly amount: Amount } {
  return { amount: parseAmount(amount) ?? 0n };
}
