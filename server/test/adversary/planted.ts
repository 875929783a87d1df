// Earlier holes, planted again in a copy of the sources: what an adversary must find there.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

type Edit = {
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly fixed: string;
  readonly hole: string;
};

export type Hole = {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The promise that the adversary sees broken. */
  readonly broken: RegExp;
};

export const HOLES: readonly Hole[] = [
  {
    name: 'M1: the client names the settlement, and the name is the key of a transfer',
    edits: [
      {
        file: 'server/src/core/settlements/request-settlement.ts',
        fixed: 'const settlementId = timedUuid(requestedAt);',
        hole: 'const settlementId = requestId;',
      },
      {
        file: 'server/migrations/0008_ledger.sql',
        fixed: 'primary key (subject_id, subject_kind, leg_no),\n  constraint transfers_between',
        hole: 'primary key (subject_id, leg_no),\n  constraint transfers_between',
      },
      {
        file: 'server/src/store/settlements/settlements.ts',
        fixed: 'on conflict on constraint settlements_requested_once do nothing',
        hole: 'on conflict do nothing',
      },
    ],
    broken:
      /a request is answered|what an operator did is recorded|what follows from a fact|a merchant can be moved/u,
  },
  {
    name: 'M5: what a manually completed deposit brings pays the debts of its merchant at once',
    edits: [
      {
        file: 'server/src/core/payments/process/write-changes.ts',
        fixed: 'return change.postings.map((posting) => ({ ...posting, isKeptWhole: true }));',
        hole: 'return change.postings;',
      },
      {
        file: 'server/src/core/limits/wallet-holds.ts',
        fixed: "credits: reason === 'MANUAL_DEPOSIT' ? [credit] : []",
        hole: 'credits: []',
      },
      {
        file: 'server/src/core/limits/wallet-holds.ts',
        fixed: 'if (isReversal && more === 0n) return;\n  const held = { wanted, amount',
        hole: 'if (more === 0n) return;\n  const held = { wanted: before + more, amount',
      },
    ],
    broken: /money that may still be taken back cannot be spent/u,
  },
  {
    name: 'M7: a refund with a discrepancy counts for nothing in the next refund',
    edits: [
      {
        file: 'server/src/domain/reconciliation/given-back.ts',
        fixed: `cases.filter(({ evidence }) => evidence === 'DISCREPANCY');\n  const paidLate`,
        hole: '[] as CaseFacts[];\n  const paidLate',
      },
    ],
    broken:
      /no deposit is refunded while another refund of it is in doubt|no more is given back than was paid/u,
  },
];

/** Runs the adversary on a copy with the hole, and answers what it printed. */
export async function attackWith({ edits }: Hole, steps: number): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'malipo-planted-'));
  try {
    copySources(copy);
    for (const edit of edits) plant(copy, edit);
    return await runAdversaryIn(copy, steps);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function copySources(to: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, file), join(to, file), { verbatimSymlinks: true });
  for (const modules of ['node_modules', 'server/node_modules'])
    symlinkSync(join(ROOT, modules), join(to, modules));
}

function plant(copy: string, { file, fixed, hole }: Edit): void {
  const path = join(copy, file);
  const parts = readFileSync(path, 'utf8').split(fixed);
  if (parts.length !== 2) throw new Error(`${file} has "${fixed}" ${parts.length - 1} times`);
  writeFileSync(path, parts.join(hole));
}

async function runAdversaryIn(copy: string, steps: number): Promise<string> {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'programs', 'server/test/adversary.property.test.ts'];
  const env = { ...process.env, MALIPO_ADVERSARY_STEPS: String(steps), NO_COLOR: '1' };
  return new Promise((answer) => {
    execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 1e8 }, (_, printed, errors) => {
      answer(`${printed}\n${errors}`);
    });
  });
}
