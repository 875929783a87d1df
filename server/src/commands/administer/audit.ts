// The audit log, for people.
import { readAuditLog } from '../../core/audit.ts';
import type { AuditEntry } from '../../store/audit.ts';
import { print, readOptions, requireCount, requireUuid, TEXT, withGateway } from '../command.ts';
import type { Command } from '../command.ts';

const auditCommand: Command = {
  usage: '[--merchant ID] [--limit 50]',
  summary: 'list manual actions and who took them, the newest last',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, limit: { ...TEXT, default: '50' } });
    const merchantId = values['merchant'] === undefined ? null : requireUuid(values, 'merchant');
    const countMax = requireCount(values, 'limit');
    await withGateway(async ({ engine }) => {
      const entries = await readAuditLog(engine, { merchantId, countMax });
      for (const entry of entries.toReversed()) print(renderEntry(entry));
    });
  },
};

function renderEntry({ at, actor, act, merchantId, subject, detail, reason }: AuditEntry): string {
  const facts = [at.toISOString(), actor, act, merchantId ?? '-', subject, JSON.stringify(detail)];
  return [...facts, ...(reason === undefined ? [] : [reason])].join('\t');
}

export const auditCommands: ReadonlyMap<string, Command> = new Map([['audit list', auditCommand]]);
