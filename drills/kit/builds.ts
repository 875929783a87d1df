// Copies of the source that processes are started from: this build, perhaps with a rule broken, and a newer one with a
// migration of its own.
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textsOf, type BrokenRule, type BrokenText } from '../chaos/broken-rules.ts';
import type { Scratch } from './scratch.ts';

export type Build = { readonly name: string; readonly mainPath: string };

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a newer build might bring: a table rewrite under load, and an index on the busiest table. */
const NEWER_MIGRATION = `-- Stands for whatever the next release needs; made by the chaos run and by nothing else.
alter table payment_attempts add column chaos_note text not null default md5(random()::text);
create index chaos_payments_by_provider on payments (provider, created_at);
`;

export function copyBuild(scratch: Scratch, name: string, brokenRule: BrokenRule | null): Build {
  const folder = scratch.folder(`builds/${name}`);
  for (const part of ['server/src', 'server/migrations', 'server/package.json', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  linkPackages(folder);
  for (const text of brokenRule === null ? [] : textsOf(brokenRule)) breakText(folder, text);
  return { name, mainPath: join(folder, 'server/src/main.ts') };
}

/** Gives a copy of the server the packages of this one; npm puts some of them beside the server. */
export function linkPackages(folder: string): void {
  for (const packages of ['node_modules', 'server/node_modules']) {
    if (existsSync(join(ROOT, packages))) symlinkSync(join(ROOT, packages), join(folder, packages));
  }
}

export function copyNewerBuild(scratch: Scratch, brokenRule: BrokenRule | null): Build {
  const build = copyBuild(scratch, 'newer', brokenRule);
  writeFileSync(join(scratch.folder('builds/newer/server/migrations'), '9999_chaos.sql'), NEWER_MIGRATION);
  return build;
}

function breakText(folder: string, { file, find, put }: BrokenText): void {
  const path = join(folder, 'server/src', file);
  const parts = readFileSync(path, 'utf8').split(find);
  // If the text has moved, the rule stays intact, and a run without findings would prove nothing.
  if (parts.length !== 2) throw new Error(`${file} no longer has the text that breaks it: ${find}`);
  writeFileSync(path, parts.join(put));
}
