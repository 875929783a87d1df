// The audit log of everything, for the host's people: by merchant, by person, by act.
import type { FastifyInstance } from 'fastify';
import { readAuditLog, type ReadAuditEntry } from '../../../core/audit.ts';
import { platformAuditCalls } from '../../../wire/console/platform/platform-audit.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { renderAuditEntry } from '../merchant/audit.ts';
import { teamName } from '../sign-in/me.ts';
import { requirePage } from '../page.ts';
import { consoleRoutes, maySeeWords, type ConsoleParts } from '../route.ts';

export function registerHostAudit(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-audit');
  route('GET', '/host/audit', { for: 'HOST', permission: 'host:read' }, platformAuditCalls.listHostAudit, {
    summary: 'List manual actions and who took them, the newest first',
    handle: async ({ query, user }) => {
      const page = requirePage(query, ['number']);
      const { merchantId = null, actor = null, act = null } = query;
      const entries = await readAuditLog(parts.engine, {
        merchantId,
        actor,
        act,
        beforeNo: page.after?.[0] ?? null,
        countMax: page.countMax + 1,
      });
      const rows = await Promise.all(entries.map((entry) => describeEntry(parts, entry, maySeeWords(user))));
      return renderPage(rows, page, { show: ({ shown }) => shown, cursorOf: ({ entryNo }) => [entryNo] });
    },
  });
}

async function describeEntry(parts: ConsoleParts, entry: ReadAuditEntry, isOpenToThem: boolean) {
  const { entryNo, merchantId, reason = null } = entry;
  const shown = {
    ...renderAuditEntry(entry),
    merchantId,
    merchant: merchantId === null ? null : await teamName(parts, merchantId),
    reason: isOpenToThem ? reason : null,
  };
  return { entryNo, shown };
}
