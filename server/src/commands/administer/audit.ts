// The audit log and its hash chain, for people and for programs that collect logs.
import { once } from 'node:events';
import { readAuditLog } from '../../core/audit.ts';
import { BrokenChain, followChain } from '../../core/audit-chain/follow-chain.ts';
import { verifyChain, type ChainReport } from '../../core/audit-chain/verify-chain.ts';
import type { AuditEntry } from '../../store/audit.ts';
import { parseChainPoint, renderAuditLine, type ChainPoint } from '../../wire/audit-line.ts';
import { gatewayCommand } from '../command.ts';
import { print, progressOutput, refuse, row } from '../output.ts';
import { UsageError, type Options } from '../options.ts';
import { startProgress } from '../terminal/progress.ts';

export const auditCommands = {
  'audit list': gatewayCommand({
    usage: '[--merchant ID] [--limit 50]',
    summary: 'list manual actions and who took them',
    read: (options) => ({ merchantId: options.uuidOrNull('merchant'), countMax: options.count('limit', 50) }),
    run: async ({ engine }, order) => {
      const entries = await readAuditLog(engine, order);
      for (const entry of entries.toReversed()) print(renderEntry(entry));
    },
  }),
  'audit verify': gatewayCommand({
    usage: '[--head NO:HASH]',
    summary: 'verify the hash chain of the audit log',
    read: (options) => pointOf(options, 'head'),
    run: async ({ engine }, known) => {
      const progress = startProgress(progressOutput, { what: 'entries' });
      const report = await verifyChain(engine, known, progress.move);
      progress.end();
      printReport(report);
    },
  }),
  'audit export': gatewayCommand({
    usage: '[--after NO:HASH] [--follow]',
    summary: 'print the audit log as JSON lines',
    read: (options) => ({
      after: pointOf(options, 'after') ?? { no: 0, hash: null },
      until: options.isGiven('follow') ? signalled() : null,
    }),
    run: async ({ engine }, order) => {
      try {
        for await (const { line, hash } of followChain(engine, order))
          await write(`${renderAuditLine(line, hash)}\n`);
      } catch (error) {
        if (!(error instanceof BrokenChain)) throw error;
        refuse(error.message);
      }
    },
  }),
};

function renderEntry({ at, actor, act, merchantId, subject, detail, reason }: AuditEntry): string {
  const why = reason === undefined ? [] : [reason];
  return row(at, actor, act, merchantId, subject, JSON.stringify(detail), ...why);
}

function pointOf(options: Options, name: string): ChainPoint | null {
  if (!options.isGiven(name)) return null;
  const point = parseChainPoint(options.text(name));
  if (point !== null) return point;
  throw new UsageError(
    `--${name} must be the number of an entry and its hash, such as 57:9f86…0a08, or the number.`,
  );
}

function printReport({ head, unchained, copiedCount, faults }: ChainReport): void {
  print(row('head', `${head.no}:${head.hash}`));
  print(row('not yet chained', unchained.count, unchained.oldestAt));
  print(row('copied with merchants', copiedCount));
  for (const { fault, no, entryId } of faults) print(row(fault, no, entryId));
  if (faults.length > 0) refuse('The audit log was changed: it does not match its hash chain.');
}

/** Ends the export after a whole line. */
function signalled(): AbortSignal {
  const ending = new AbortController();
  process.once('SIGTERM', () => ending.abort());
  process.once('SIGINT', () => ending.abort());
  return ending.signal;
}

/** A program that reads slowly is waited for. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
