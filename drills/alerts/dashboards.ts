// Every panel of the Grafana dashboards, asked of the Prometheus that watched the whole drill: it must show data, and
// change while things go wrong.
import { readdir, readFile } from 'node:fs/promises';
import type { Prometheus, Series } from './prometheus.ts';

const DASHBOARDS = new URL('../../deploy/monitoring/dashboards/', import.meta.url);

type Dashboard = {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

type Query = { readonly panel: string; readonly expression: string };

/** They must be found, or nothing was shown of the others either. */
const PLANTED: readonly Query[] = [
  { panel: 'an unknown metric', expression: 'malipo_no_such_metric{cell=~".*"}' },
  { panel: 'a constant', expression: '0 * max(up{cell=~".*"})' },
];
const PLANTED_FAULTS = ['an unknown metric: shows nothing', 'a constant: does not change'];

/** Answers how many queries were shown; throws with the names of those that show nothing or never change. */
export async function showDashboards(prometheus: Prometheus, since: Date): Promise<number> {
  const queries = await listQueries();
  const faults = await findFaults(prometheus, [...PLANTED, ...queries], since);
  const planted = faults.splice(0, PLANTED.length);
  if (planted.join() !== PLANTED_FAULTS.join()) throw new Error(`planted, and found: ${planted.join(', ')}`);
  if (faults.length > 0) throw new Error(`panels that are of no use:\n${faults.join('\n')}`);
  return queries.length;
}

async function findFaults(prometheus: Prometheus, queries: readonly Query[], since: Date): Promise<string[]> {
  const faults: string[] = [];
  for (const { panel, expression } of queries) {
    const series = await prometheus.graph(expression, since).catch((error: unknown) => {
      throw new Error(`${panel}: ${expression}`, { cause: error });
    });
    if (series.every((one) => [...one.values()].every((value) => Number.isNaN(value))))
      faults.push(`${panel}: shows nothing`);
    else if (!series.some((one) => hasChanged(one, since))) faults.push(`${panel}: does not change`);
  }
  return faults;
}

async function listQueries(): Promise<readonly Query[]> {
  const names = (await readdir(DASHBOARDS)).toSorted();
  const dashboards = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(name, DASHBOARDS), 'utf8')) as Dashboard),
  );
  return dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({ panel: `${title} / ${panel.title}`, expression: filledIn(expr) })),
    ),
  );
}

/** As Grafana does it, for a scrape every second and all cells. */
function filledIn(expression: string): string {
  return expression.replaceAll('$__rate_interval', '10s').replaceAll('$cell', '.*');
}

/** Its value changes, or it was not there at first: the graph has a value for every second, from the first on. */
function hasChanged(series: Series, since: Date): boolean {
  const values = [...series.values()].filter((value) => !Number.isNaN(value));
  return new Set(values).size > 1 || Math.min(...series.keys()) > since.getTime() / 1_000 + 0.5;
}
