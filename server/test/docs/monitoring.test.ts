// The runbook and the alert rules against each other and against what the gateway exposes, all ways.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/edge/metrics.ts';

const ROOT = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/operating/monitoring.md', ROOT), 'utf8');
const rules = readFileSync(new URL('deploy/monitoring/alerts.yml', ROOT), 'utf8')
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => ({ name: /^\w+/.exec(text)?.[0] ?? '', text }));

const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [/^\w+/.exec(text)?.[0] ?? '', text]),
);

async function exposedNames(): Promise<readonly string[]> {
  const { text } = await createMetrics().render();
  return [...text.matchAll(/^# TYPE (malipo_\w+) /gm)].map(([, name = '']) => name);
}

const namesIn = (text: string) => text.match(/\bmalipo_\w+\b/g) ?? [];

test('there are rules, each once', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

describe.each(rules)('the alert $name', ({ name, text }) => {
  test('an alert has a section in the runbook, which says what it means and what to do, and names it as its runbook', () => {
    expect(sections.get(name)).toMatch(/\*\*Means:\*\*[^]+\*\*Do:\*\*/);
    expect(text).toContain(`runbook: docs/operating/monitoring.md#${name.toLowerCase()}\n`);
  });

  test('an alert uses only what the gateway exposes', async () => {
    const names = namesIn(text);
    expect(names).not.toEqual([]);
    const exposed = await exposedNames();
    expect(names.filter((metric) => !exposed.includes(metric))).toEqual([]);
  });

  test('an alert waits, has a severity, and says what is wrong and what to do', () => {
    expect(text).toMatch(/^ +for: \d+m$/m);
    expect(text).toMatch(/^ +severity: (critical|warning|info)$/m);
    expect(text).toMatch(/^ +summary: ./m);
    expect(text).toMatch(/^ +action: [A-Z].+\.$/m);
  });

  test('an alert takes no sum, but of what each process counts for itself: every worker exposes the same figures', () => {
    const others = text.replaceAll(/sum by \([\w, ]+\) \(increase\(malipo_risk_events_total\{/g, '');
    expect(others).not.toMatch(/\b(sum|count|avg)\s*(by\b|\()/);
  });
});

describe('the runbook', () => {
  test('the runbook has no section about an alert that is not there', () => {
    expect([...sections.keys()]).toEqual(rules.map(({ name }) => name));
  });

  test('the runbook lists every figure that is measured, and no other', async () => {
    const { text } = await createMetrics().render();
    const gauges = [...text.matchAll(/^# TYPE (malipo_\w+) gauge/gm)].map(([, name = '']) => name);
    const cells = [...page.matchAll(/^\| (`malipo_\w+`(?:, `malipo_\w+`)*) \|/gm)];
    const listed = cells.flatMap(([, cell = '']) => namesIn(cell));
    expect(listed.toSorted()).toEqual(gauges.toSorted());
  });
});
