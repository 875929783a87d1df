// Up to how much payouts need no second approver. To raise it needs one, too.
import type { FastifyInstance } from 'fastify';
import { changeLimit, listLimits } from '../../../core/payout-batches/payout-limits.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import { renderLimits, payoutLimitCalls } from '../../../wire/console/merchant/payout-limit.ts';
import { describeApproval } from '../approvals.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;

export function registerPayoutLimits(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payouts');
  const { engine } = parts;
  const url = '/merchants/:merchantId/payout-limits';
  route('GET', url, READ, payoutLimitCalls.listPayoutLimits, {
    summary: 'List the daily limits for payouts without a second approver',
    handle: async ({ path, user }) => {
      const own = await listLimits(engine, path.merchantId);
      const described = own.map(async (limit) => ({
        ...limit,
        approval: limit.approval === null ? null : await describeApproval(parts, user, limit.approval),
      }));
      return { limits: renderLimits(await Promise.all(described), parts.payoutApprovalAbove) };
    },
  });
  route('PUT', `${url}/:currency`, WRITE, payoutLimitCalls.changePayoutLimit, {
    summary: 'Lower a limit, or request a higher one',
    handle: async ({ path, body, user }) => {
      const actor = { personId: user.personId, by: user.by };
      return { outcome: await changeLimit(engine, { ...path, ...limitOf(body), actor }) };
    },
  });
}

function limitOf({ amount }: { readonly amount: string }): { readonly amount: Amount } {
  return { amount: parseAmount(amount) ?? 0n };
}
