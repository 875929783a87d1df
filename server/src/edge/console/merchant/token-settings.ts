// A merchant's API tokens: scoped, shown once, with an end.
import type { FastifyInstance } from 'fastify';
import { SCOPES, withdrawToken, type Scope } from '../../../core/merchants/administer-merchants.ts';
import { requestToken } from '../../../core/merchants/request-settings.ts';
import type { ProcessTime } from '../../../domain/clock.ts';
import { findToken, listTokens, type ListedToken } from '../../../store/access/tokens.ts';
import { settingsCalls } from '../../../wire/console/merchant/settings.ts';
import { done, momentOf } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, orderedBy, type ConsoleParts } from '../route.ts';

const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;

export function registerTokenSettings(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'settings');
  const { engine } = parts;
  const url = '/merchants/:merchantId/tokens';
  route('GET', url, { for: 'MERCHANT', permission: 'settings:read' }, settingsCalls.readTokens, {
    summary: 'List API tokens and available scopes',
    handle: async ({ path }) => {
      const now = engine.clock.now();
      const tokens = await listTokens(engine.store.database, path.merchantId);
      return { scopes: [...SCOPES], tokens: tokens.map((token) => renderToken(token, now)) };
    },
  });
  route('POST', url, WRITE, settingsCalls.createToken, {
    summary: 'Create an API token, shown once; one that can send money needs a second approver',
    handle: async ({ path, body, user: actor }) => {
      const scopes = body.scopes.map(requireScope);
      const expiresAt = body.expiresAt === null ? null : momentOf(body.expiresAt);
      return requestToken(engine, {
        ...path,
        ...orderedBy(parts, actor),
        name: body.name,
        scopes,
        expiresAt,
      });
    },
  });
  route('DELETE', `${url}/:tokenId`, WRITE, settingsCalls.revokeToken, {
    summary: 'Revoke an API token within ten seconds',
    handle: async ({ path: { merchantId, tokenId }, user: { by } }) => {
      const token = await findToken(engine.store.database, tokenId);
      // Another merchant's token does not exist here.
      if (token?.merchantId !== merchantId.toLowerCase()) throw new ConsoleFailure('NOT_FOUND');
      if (!(await withdrawToken(engine, { by, tokenId }))) {
        throw failureBecause('CONFLICT', 'TOKEN_REVOKED');
      }
      return done;
    },
  });
}

function requireScope(text: string): Scope {
  const scope = SCOPES.find((one) => one === text);
  if (scope === undefined) throw failureBecause('INVALID_INPUT', 'SCOPE_UNKNOWN', { scope: text });
  return scope;
}

function renderToken(token: ListedToken, now: ProcessTime) {
  const { revokedAt, expiresAt } = token;
  const isOver = expiresAt !== null && expiresAt <= now;
  const state: 'REVOKED' | 'EXPIRED' | 'ACTIVE' =
    revokedAt !== null ? 'REVOKED' : isOver ? 'EXPIRED' : 'ACTIVE';
  return { ...show(token, 'tokenId', 'name', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'), state };
}
