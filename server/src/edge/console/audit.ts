// The audit log: of everything for the host's people, of its own for a merchant's.
import type { FastifyInstance } from 'fastify';
import { readAuditPage, type NumberedEntry } from '../../core/audit.ts';
import type { AuditFilter } from '../../store/audit.ts';
import { listAuditShape, listMerchantAuditShape } from '../../wire/console/audit.ts';
import { renderPage } from '../../wire/console/page.ts';
import { teamName } from './me.ts';
import { requirePage } from './page.ts';
import { consoleRoute, permissionsAt, type ConsoleParts, type Visitor } from './route.ts';

type PageQuery = { readonly limit?: string | undefined; readonly cursor?: string | undefined };

export function registerAudit(app: FastifyInstance, parts: ConsoleParts): void {
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/audit',
    access: { for: 'HOST', permission: 'host:read' },
    operationId: 'listAudit',
    tag: 'host-audit',
    summary: 'Who did what by hand, the newest first',
    shape: listAuditShape,
    handle: async ({ query, visitor }) => {
      const { merchantId = null, actor = null, act = null } = query;
      return answerPage(parts, visitor, query, { merchantId, actor, act });
    },
  });
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/merchants/:merchantId/audit',
    access: { for: 'MERCHANT', permission: 'audit:read' },
    operationId: 'listMerchantAudit',
    tag: 'audit',
    summary: 'Who did what by hand at a merchant, the newest first',
    shape: listMerchantAuditShape,
    handle: async ({ path: { merchantId }, query, visitor }) => {
      const { actor = null, act = null } = query;
      return answerPage(parts, visitor, query, { merchantId, actor, act });
    },
  });
}

async function answerPage(parts: ConsoleParts, visitor: Visitor, query: PageQuery, filter: AuditFilter) {
  const page = requirePage(query, ['number']);
  const before = page.after === null ? null : Number(page.after[0]);
  const entries = await readAuditPage(parts.engine, { ...filter, before, countMax: page.countMax + 1 });
  const shown = await Promise.all(entries.map((entry) => describeEntry(parts, visitor, entry)));
  return renderPage(shown, page, {
    show: ({ entry }) => entry,
    cursorOf: ({ entryNo }) => [String(entryNo)],
  });
}

async function describeEntry(parts: ConsoleParts, visitor: Visitor, numbered: NumberedEntry) {
  const { entryNo, entry } = numbered;
  const { at, actor, act, merchantId, subject, detail, reason = null } = entry;
  const mayRead = merchantId !== null && permissionsAt(visitor, merchantId).includes('payments:reveal');
  return {
    entryNo,
    entry: {
      at: at.toISOString(),
      actor,
      act,
      merchantId,
      merchant: merchantId === null ? null : await teamName(parts, merchantId),
      subject,
      detail,
      reason: mayRead ? reason : null,
    },
  };
}
