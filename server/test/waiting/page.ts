// The tables of docs/operating/waiting.md, read back.
import { readFileSync } from 'node:fs';
import { HOST_PERMISSIONS, MERCHANT_PERMISSIONS } from '../../src/domain/merchants/roles.ts';
import { readTextTable } from '../domain/text-table.ts';

export type WaitingRow = {
  /** As the derivation names them. */
  readonly states: readonly string[];
  readonly why: string;
  /** The process, or the time that passes; empty where only people end it. */
  readonly byItself: string;
  /** Who can end it, and with what. */
  readonly who: string;
  readonly how: string;
};

const PAGE = new URL('../../../docs/operating/waiting.md', import.meta.url);

export function readWaitingPage(): readonly WaitingRow[] {
  const tables = readFileSync(PAGE, 'utf8')
    .split(/\n\n/)
    .filter((block) => block.startsWith('| State |'));
  return tables.flatMap((table) =>
    readTextTable(table).map(([, state = '', why = '', byItself = '', who = '', how = '']) => ({
      states: codesIn(state),
      why,
      byItself,
      who,
      how,
    })),
  );
}

/** What stands in backticks. */
export function codesIn(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}

/** Settings that rows name as what somebody changes. */
export const SETTINGS: ReadonlySet<string> = new Set(['MALIPO_SCREENING_URL', 'MALIPO_SMTP_URL']);

export const PERMISSIONS: ReadonlySet<string> = new Set([...MERCHANT_PERMISSIONS, ...HOST_PERMISSIONS]);
