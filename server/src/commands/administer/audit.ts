// The audit log, for people.
import { readAuditLog } from '../../core/audit.ts';
import type { AuditEntry } from '../../store/audit.ts';
import { gatewayCommand, print, row } from '../command.ts';

export const auditCommands = {
  'audit list': gatewayCommand({
    usage: '[--merchant ID] [--limit 50]',
    summary: 'list manual actions and who took them, the newest last',
    read: (options) => ({ merchantId: options.uuidOrNull('merchant'), countMax: options.count('limit', 50) }),
    run: async ({ engine }, order) => {
      const entries = await readAuditLog(engine, order);
      for (const entry of entries.toReversed()) print(renderEntry(entry));
    },
  }),
};

function renderEntry({ at, actor, act, merchantId, subject, detail, reason }: AuditEntry): string {
  const why = reason === undefined ? [] : [reason];
  return row(at, actor, act, merchantId, subject, JSON.stringify(detail), ...why);
}
