// What was done manually at a merchant, by its own people and by the host's.
import type { FastifyInstance } from 'fastify';
import { readAuditLog, type ReadAuditEntry } from '../../../core/audit.ts';
import { auditCalls } from '../../../wire/console/merchant/audit.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { requirePage } from '../page.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

export function registerAudit(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'audit');
  route(
    'GET',
    '/merchants/:merchantId/audit',
    { for: 'MERCHANT', permission: 'audit:read' },
    auditCalls.listAudit,
    {
      summary: 'List manual actions, the newest first',
      handle: async ({ path, query }) => {
        const page = requirePage(query, ['number']);
        const beforeNo = page.after?.[0] ?? null;
        const entries = await readAuditLog(parts.engine, { ...path, beforeNo, countMax: page.countMax + 1 });
        return renderPage(entries, page, { show: renderAuditEntry, cursorOf: ({ entryNo }) => [entryNo] });
      },
    },
  );
}

export function renderAuditEntry({ id, at, actor, act, subject, detail }: ReadAuditEntry) {
  return {
    entryId: id,
    at: at.toISOString(),
    actor,
    act,
    subject,
    detail: Object.entries(detail)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => ({ name, value: renderValue(value) })),
  };
}

function renderValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(renderValue).join(', ');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
