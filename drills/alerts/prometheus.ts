// A real Prometheus with the rules of the repository. One that is quick has `for:` shortened to eight seconds and looks
// every second, so that the drill takes minutes and not a day. Expressions and limits are the real ones.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { Child } from '../kit/child.ts';
import { waitUntilUp } from '../kit/processes.ts';
import type { Scratch } from '../kit/scratch.ts';

export type Alert = {
  readonly name: string;
  readonly state: 'pending' | 'firing';
  readonly summary: string;
};

/** A series: its values by second. What is not a number is left out. */
export type Series = ReadonlyMap<number, number>;

export type Prometheus = {
  /** Every pending or firing alert. */
  readonly alerts: () => Promise<readonly Alert[]>;
  /** How many targets answered the last scrape. */
  readonly targetsUp: () => Promise<number>;
  /** What a graph of this expression shows, every second since then. */
  readonly graph: (expression: string, since: Date) => Promise<readonly Series[]>;
};

const MONITORING = new URL('../../deploy/monitoring/', import.meta.url);
const run = promisify(execFile);

/** The alerts of the repository's rule file, in its order. */
export async function listAlertNames(): Promise<readonly string[]> {
  return [...(await readRules()).matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);
}

type Pace = 'QUICK' | 'AS_DEPLOYED';

export async function startPrometheus(
  hooks: ShutdownHooks,
  { scratch, targets }: { readonly scratch: Scratch; readonly targets: readonly string[] },
  pace: Pace,
): Promise<Prometheus> {
  // The original files.
  await run('promtool', ['check', 'config', new URL('prometheus.yml', MONITORING).pathname]);
  const name = `prometheus-${pace.toLowerCase()}`;
  const directory = scratch.folder(name);
  const port = await freePort();
  const config = join(directory, 'prometheus.yml');
  const rules = await readRules();
  await writeFile(join(directory, 'alerts.yml'), pace === 'QUICK' ? impatient(rules) : rules);
  await writeFile(config, configFor(targets, await intervalsOf(pace)));
  await run('promtool', ['check', 'config', config]);
  const child = new Child({
    command: 'prometheus',
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    logPath: join(scratch.folder('logs'), `${name}.log`),
  });
  hooks.add(() => child.end());
  const url = `http://127.0.0.1:${port}`;
  await waitUntilUp(`${url}/-/ready`, child);
  return {
    alerts: async () => {
      const { alerts } = await ask<{ alerts: readonly RawAlert[] }>(`${url}/api/v1/alerts`);
      return alerts.map(({ labels, annotations, state }) => ({
        name: labels['alertname'] ?? '',
        summary: annotations['summary'] ?? '',
        state,
      }));
    },
    graph: async (expression, since) => {
      const span = { start: since.toISOString(), end: new Date().toISOString(), step: '1' };
      const query = new URLSearchParams({ query: expression, ...span });
      const { result } = await ask<{ result: readonly RawSeries[] }>(
        `${url}/api/v1/query_range?${query.toString()}`,
      );
      return result.map(({ values }) => new Map(values.map(([at, value]) => [at, Number(value)] as const)));
    },
    targetsUp: async () => {
      const path = '/api/v1/targets?state=active';
      const { activeTargets } = await ask<{ activeTargets: readonly { health: string }[] }>(url + path);
      return activeTargets.filter(({ health }) => health === 'up').length;
    },
  };
}

type RawAlert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: Alert['state'];
};

type RawSeries = { readonly values: readonly (readonly [at: number, value: string])[] };

function impatient(rules: string): string {
  // A worker that gets no processor time misses a scrape, or three.
  const shortened = rules.replaceAll(/^( +for:) \w+$/gm, '$1 8s');
  if (shortened.match(/^ +for: 8s$/gm)?.length !== rules.match(/^ +- alert:/gm)?.length)
    throw new Error('a rule of deploy/monitoring/alerts.yml has no "for:" that could be shortened');
  return shortened;
}

/** Those of the repository's example, which its page recommends. */
async function intervalsOf(pace: Pace): Promise<string> {
  if (pace === 'QUICK') return 'scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s';
  const example = await readFile(new URL('prometheus.yml', MONITORING), 'utf8');
  const found = example.match(/^ +(?:scrape|evaluation)_interval: \w+$/gm) ?? [];
  if (found.length !== 2) throw new Error('deploy/monitoring/prometheus.yml does not say how often it looks');
  return found.map((line) => line.trim()).join(', ');
}

function configFor(targets: readonly string[], intervals: string): string {
  return `
global: { ${intervals} }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: malipo
    static_configs: [{ targets: ${JSON.stringify(targets)}, labels: { cell: '0001' } }]
`;
}

function readRules(): Promise<string> {
  return readFile(new URL('alerts.yml', MONITORING), 'utf8');
}

async function ask<Data>(url: string): Promise<Data> {
  const answer = (await (await fetch(url)).json()) as { readonly data: Data; readonly error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.data;
}
