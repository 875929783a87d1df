// Where the time goes, in PostgreSQL, API and worker.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from '../../server/src/store/database.ts';

const SHOWN_MAX = 40;
const SUFFIX = '.cpuprofile';

/** Makes Node write a profile when it ends. */
export function profileArgs(folder: string, name: string): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}${SUFFIX}`];
}

/** Writes statements.tsv: of each database the statements that took longest. */
export async function writeStatements(database: Database, folder: string): Promise<void> {
  const { rows } = await database.query<Record<string, string>>(
    `select datname, round(total_exec_time)::text as total_ms, calls, rows,
       round(mean_exec_time::numeric, 3)::text as mean_ms, wal_bytes::text,
       left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as query
     from pg_stat_statements join pg_database on oid = dbid order by datname, total_exec_time desc`,
  );
  const lines = [...Map.groupBy(rows, ({ datname }) => datname)].flatMap(([name, some]) => [
    `# ${name}: total ms, calls, rows, mean ms, WAL bytes`,
    ...some.slice(0, SHOWN_MAX).map((row) => Object.values(row).slice(1).join('\t')),
  ]);
  writeFileSync(join(folder, 'statements.tsv'), `${lines.join('\n')}\n`);
}

type Profile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

/** How the working time of each process is divided over our files, libraries and Node itself. */
export function renderProfiles(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  return names
    .toSorted()
    .map((name) => renderProfile(folder, name))
    .join('');
}

function renderProfile(folder: string, name: string): string {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile;
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const place = owners.get(id) ?? '';
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0) / 1_000_000);
  });
  times.delete('(idle)');
  const busy = [...times.values()].reduce((sum, seconds) => sum + seconds, 0);
  const lines = [...times]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, seconds]) => seconds / busy >= 0.01)
    .map(([place, seconds]) => `  ${((seconds / busy) * 100).toFixed(1).padStart(5)} %  ${place}`);
  return `\n${basename(name, SUFFIX)}: ${busy.toFixed(1)} s of work\n${lines.join('\n')}\n`;
}

/** A file of ours, a package, a part of Node, or the engine itself. */
function ownerOf({ functionName, url }: { readonly functionName: string; readonly url: string }): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  if (library !== undefined) return library;
  const own = /server\/src\/(.+)$/.exec(url)?.[1];
  if (own !== undefined) return own;
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*$/, '$1');
  return functionName.startsWith('(') ? functionName : `native ${functionName}`;
}
