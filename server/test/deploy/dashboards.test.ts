// The Grafana dashboards as files. That each query shows data and changes, the alerts drill shows on a real Prometheus.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/edge/metrics.ts';

const FOLDER = new URL('../../../deploy/monitoring/dashboards/', import.meta.url);

type Panel = {
  readonly id: number;
  readonly title: string;
  readonly datasource: unknown;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit?: string } };
  readonly targets: readonly { readonly expr: string; readonly datasource: unknown }[];
};
type Dashboard = {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
};

const dashboards = readdirSync(FOLDER).map(
  (name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Dashboard] as const,
);

test('there is a dashboard for each subject, and no two have one identifier', () => {
  const subjects = ['callbacks', 'database', 'merchant-traffic', 'money', 'providers', 'workers'];
  expect(dashboards.map(([name]) => name)).toEqual(subjects.map((subject) => `${subject}.json`));
  expect(dashboards.map(([, { uid }]) => uid)).toEqual(subjects.map((subject) => `malipo-${subject}`));
});

test.each(dashboards)(
  '%s takes its data source and cell from variables, and each panel has a title, a unit and its own place',
  (_, dashboard) => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['cell', 'query'],
    ]);
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x}/${y}`)).size).toBe(panels.length);
    for (const { title, datasource, fieldConfig, gridPos, targets } of panels) {
      expect(title).toMatch(/^[A-Z]/);
      expect(fieldConfig.defaults.unit, title).toMatch(/^\w+$/);
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      expect(targets.length, title).toBeGreaterThan(0);
      for (const one of [{ datasource }, ...targets])
        expect(one.datasource, title).toEqual({ type: 'prometheus', uid: '${datasource}' });
    }
  },
);

test('every query asks for metrics of the gateway, of chosen cells, and never invents a zero', async () => {
  const metrics = createMetrics();
  const { text } = await metrics.render();
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : name,
    ),
  );
  const queries = dashboards.flatMap(([, { panels }]) => panels.flatMap(({ targets }) => targets));
  for (const { expr } of queries) {
    expect(expr).not.toContain('vector(');
    const selectors = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)];
    expect(selectors.length, expr).toBeGreaterThan(0);
    for (const [, name = '', labels] of selectors) {
      expect(name === 'up' || known.has(name), name).toBe(true);
      expect(labels, expr).toContain('cell=~"$cell"');
    }
  }
});
