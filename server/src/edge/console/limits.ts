// Limits of a merchant: the platform's, which the merchant sees, and stricter ones of its own. To raise or remove one
// takes one of the platform's people besides.
import type { FastifyInstance } from 'fastify';
import { readLimits, type LimitView } from '../../core/limits/read-limits.ts';
import { changeLimit } from '../../core/limits/set-limits.ts';
import { findKeyFault, findLimitFault, type LimitFault } from '../../domain/limits/limit-faults.ts';
import type { LimitKey, LimitMaxima, LimitSetter } from '../../domain/limits/limit.ts';
import { parseAmount } from '../../domain/money.ts';
import { findToken } from '../../store/access/tokens.ts';
import { limitCalls } from '../../wire/console/limit.ts';
import { show, showValue } from '../../wire/console/show.ts';
import { describeApproval } from './approvals.ts';
import { ConsoleFailure, failureBecause } from './failure.ts';
import { consoleRoutes, orderedBy, requireMerchant, type ConsoleParts, type SignedInUser } from './route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;

/** The same routes for the merchant's own limits and for the platform's. */
const FAMILIES = [
  {
    setBy: 'MERCHANT',
    access: { for: 'MERCHANT', permission: 'settings:write', isDangerous: true },
    url: '/merchants/:merchantId/limits',
    calls: { set: limitCalls.setLimit, remove: limitCalls.removeLimit },
  },
  {
    setBy: 'PLATFORM',
    access: { for: 'HOST', permission: 'risk:write', isDangerous: true },
    url: '/host/merchants/:merchantId/limits',
    calls: { set: limitCalls.setPlatformLimit, remove: limitCalls.removePlatformLimit },
  },
] as const;

export function registerLimits(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'limits');
  route('GET', '/merchants/:merchantId/limits', READ, limitCalls.listLimits, {
    summary: 'How many payments and how much money in a period, and how much of it is used',
    handle: async ({ path, user }) => {
      const limits = await readLimits(parts.engine, path.merchantId);
      return { limits: await Promise.all(limits.map((limit) => renderLimit(parts, user, limit))) };
    },
  });
  for (const { setBy, access, url, calls } of FAMILIES) {
    route('PUT', url, access, calls.set, {
      summary: 'Set a limit; a higher one is requested',
      handle: async ({ path, body, user }) =>
        change(parts, user, { ...path, key: keyOf(setBy, body), maxima: maximaOf(body) }),
    });
    route('POST', `${url}/remove`, access, calls.remove, {
      summary: 'Request that a limit is removed',
      handle: async ({ path, body, user }) =>
        change(parts, user, { ...path, key: keyOf(setBy, body), maxima: null }),
    });
  }
}

type Change = {
  readonly merchantId: string;
  readonly key: LimitKey;
  readonly maxima: LimitMaxima | null;
};

async function change(parts: ConsoleParts, user: SignedInUser, wanted: Change) {
  const { merchantId, key, maxima } = wanted;
  await requireMerchant(parts, merchantId);
  const fault = maxima === null ? findKeyFault(key) : findLimitFault({ ...key, ...maxima });
  if (fault !== null) throw failureOf(fault, key);
  await requireToken(parts, wanted);
  const outcome = await changeLimit(parts.engine, { ...wanted, ...orderedBy(parts, user) });
  if (outcome === 'NOT_FOUND') throw new ConsoleFailure('NOT_FOUND');
  return { outcome };
}

/** Of this merchant, or the limit would count nothing. */
async function requireToken({ engine }: ConsoleParts, { merchantId, key, maxima }: Change): Promise<void> {
  if (key.scope !== 'TOKEN' || key.subject === '' || maxima === null) return;
  const token = await findToken(engine.store.database, key.subject);
  if (token?.merchantId !== merchantId) throw failureBecause('INVALID_INPUT', 'TOKEN_UNKNOWN');
}

function failureOf(fault: LimitFault, { subject, currency }: LimitKey): ConsoleFailure {
  switch (fault) {
    case 'NOTHING_LIMITED':
      return failureBecause('INVALID_INPUT', 'LIMIT_NOTHING');
    case 'SUBJECT_NOT_ALLOWED':
      return failureBecause('INVALID_INPUT', 'LIMIT_SUBJECT_NOT_ALLOWED');
    case 'CURRENCY_MISSING':
      return failureBecause('INVALID_INPUT', 'LIMIT_CURRENCY_MISSING');
    case 'PROVIDER_UNKNOWN':
      return failureBecause('INVALID_INPUT', fault, { provider: subject });
    case 'COUNTRY_UNKNOWN':
      return failureBecause('INVALID_INPUT', fault, { country: subject });
    case 'CURRENCY_UNKNOWN':
      return failureBecause('INVALID_INPUT', fault, { currency });
  }
}

function keyOf(setBy: LimitSetter, key: Omit<LimitKey, 'setBy'>): LimitKey {
  const { kind, scope, subject, period, currency } = key;
  return { setBy, kind, scope, subject, period, currency };
}

function maximaOf(body: {
  readonly countMax: number | null;
  readonly amountMax: string | null;
}): LimitMaxima {
  return {
    countMax: body.countMax,
    amountMax: body.amountMax === null ? null : parseAmount(body.amountMax),
  };
}

async function renderLimit(parts: ConsoleParts, user: SignedInUser, limit: LimitView) {
  const { used, windowEndsAt, approval } = limit;
  return {
    ...show(limit, 'setBy', 'kind', 'scope', 'subject', 'period', 'currency', 'countMax', 'amountMax'),
    isDefault: limit.isDefault,
    used: used === null ? null : show(used, 'count', 'amount'),
    startsAgainAt: showValue(windowEndsAt),
    approval: approval === null ? null : await describeApproval(parts, user, approval),
  };
}
