// What `npm run check:audit` says against packages, each shown by a lock file in which that one thing is wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkAdvisories } from '../../tools/packaging/check-advisories.ts';
import { checkLock, type AcceptedFaults, type InstalledPackage } from '../../tools/packaging/check-lock.ts';
import { nameOf, readLock, type Lock, type LockedPackage } from '../../tools/packaging/lock.ts';
import { ROOT } from '../../tools/packaging/published.ts';
import { renderBill } from '../../tools/packaging/render-bill.ts';

const NOTHING: AcceptedFaults = { advisories: [], licences: [], installScripts: [], deprecated: [] };
const GOOD: LockedPackage = { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT' };
const WHY = { package: 'planted', reason: 'It does no harm here.', date: '2026-01-31' };

function judge(
  planted: LockedPackage,
  accepted: Partial<AcceptedFaults> = {},
  installed: InstalledPackage | null = null,
): readonly string[] {
  const lock = { packages: { 'node_modules/good': GOOD, 'node_modules/planted': { ...GOOD, ...planted } } };
  return checkLock(lock, { ...NOTHING, ...accepted }, (path) =>
    path.endsWith('planted') ? installed : null,
  );
}

function missingIn(lock: Lock): readonly string[] {
  return checkLock(lock, NOTHING, () => null).filter((fault) => fault.endsWith('which is not locked'));
}

describe('the audit of a locked package', () => {
  test.each<[string, LockedPackage, string]>([
    ['without an integrity hash', { integrity: '' }, 'has no integrity hash'],
    ['with a hash that can be forged', { integrity: 'sha1-AAAA' }, 'has no integrity hash'],
    ['from a git address', { resolved: 'git+ssh://git@example.com/p.git#1' }, 'not from the registry'],
    ['from an http address', { resolved: 'http://example.com/planted.tgz' }, 'not from the registry'],
    ['under a licence that asks for more', { license: 'GPL-3.0' }, 'has the licence GPL-3.0'],
    ['under two licences, one of them strange', { license: 'MIT AND SSPL-1.0' }, 'MIT AND SSPL-1.0'],
    ['with a script that runs when it is installed', { hasInstallScript: true }, 'runs a script'],
    ['that is deprecated', { deprecated: 'use another' }, 'is deprecated: use another'],
  ])('reports one %s', (_what, planted, fault) => {
    expect(judge({})).toEqual([]);
    expect(judge(planted)).toEqual([expect.stringContaining(`planted 1.0.0 `)]);
    expect(judge(planted)[0]).toContain(fault);
  });

  test('the audit of a locked package accepts a choice of licences if one of them is in the list', () => {
    expect(judge({ license: '(GPL-3.0 OR MIT)' })).toEqual([]);
  });

  test.each<[string, InstalledPackage, string]>([
    ['another version', { version: '1.0.1', license: 'MIT' }, 'is installed as 1.0.1'],
    ['another licence', { version: '1.0.0', license: 'GPL-3.0' }, 'but says GPL-3.0 itself'],
    ['a script', { version: '1.0.0', license: 'MIT', scripts: { postinstall: 'x' } }, 'that is not locked'],
  ])(
    'reports one that is installed with %s, which the lock file does not show',
    (_what, installed, fault) => {
      expect(judge({}, {}, { version: '1.0.0', license: 'MIT' })).toEqual([]);
      expect(judge({}, {}, installed)).toEqual([expect.stringContaining(fault)]);
    },
  );

  test('reports a package for another system that the lock file leaves out', () => {
    const { packages } = readLock();
    const others = Object.keys(packages).filter((path) => /-(darwin|win32)-(arm64|x64)/.test(path));
    expect(others.length).toBeGreaterThan(10);
    const [other = ''] = others;
    const without = Object.fromEntries(Object.entries(packages).filter(([path]) => path !== other));
    expect(missingIn({ packages })).toEqual([]);
    expect(missingIn({ packages: without })).toEqual([
      expect.stringContaining(`needs ${nameOf(other)} on another system`),
    ]);
  });

  test('the audit of a locked package does not report a fault that was accepted, and reports an acceptance without a fault', () => {
    expect(judge({ license: 'MPL-2.0' }, { licences: [{ ...WHY, licence: 'MPL-2.0' }] })).toEqual([]);
    expect(judge({ hasInstallScript: true }, { installScripts: [{ ...WHY, package: 'plan*' }] })).toEqual([]);
    expect(judge({ deprecated: 'old' }, { deprecated: [WHY] })).toEqual([]);
    expect(judge({ license: 'GPL-3.0' }, { licences: [{ ...WHY, licence: 'MPL-2.0' }] })).toHaveLength(2);
    expect(judge({}, { deprecated: [WHY] })).toEqual([expect.stringContaining('accepted for nothing')]);
  });
});

describe('the audit of advisories', () => {
  const url = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc';
  const reportOf = (severity: string) =>
    JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: {
        planted: { via: [{ name: 'planted', severity, title: 'a hole', url }] },
        user: { via: ['planted'] },
      },
    });

  test.each(['high', 'critical'])('a %s weakness is told once, unless it was accepted', (severity) => {
    const fault = `planted has a ${severity} weakness: a hole, ${url}`;
    expect(checkAdvisories(reportOf(severity), NOTHING)).toEqual({ type: 'JUDGED', faults: [fault] });
    const advisories = [{ ...WHY, advisory: 'GHSA-aaaa-bbbb-cccc' }];
    expect(checkAdvisories(reportOf(severity), { advisories })).toEqual({ type: 'JUDGED', faults: [] });
  });

  test('the audit of advisories passes with a moderate weakness', () => {
    expect(checkAdvisories(reportOf('moderate'), NOTHING)).toEqual({ type: 'JUDGED', faults: [] });
  });

  test('the audit of advisories does not pass on an answer that is not a report', () => {
    const cause = '405 Method Not Allowed';
    const refused = JSON.stringify({ message: cause, statusCode: 405 });
    expect(checkAdvisories(refused, NOTHING)).toEqual({ type: 'NOT_ANSWERED', cause });
    expect(checkAdvisories('', NOTHING).type).toBe('NOT_ANSWERED');
  });
});

test('everything that is accepted has a reason and a day', () => {
  const text = readFileSync(join(ROOT, 'tools/packaging/accepted-faults.json'), 'utf8');
  const all = Object.values(JSON.parse(text) as AcceptedFaults).flat();
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ reason, date }) => reason.length < 20 || !/^\d{4}-\d\d-\d\d$/.test(date))).toEqual([]);
});

test('the bill of materials lists what ships, with hashes, and nothing that is only for development', () => {
  const bill = renderBill(readLock()) as { components: { name: string; hashes: { content: string }[] }[] };
  const names = bill.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'pino', 'react', 'better-auth']));
  expect(names).not.toEqual(expect.arrayContaining(['vitest']));
  expect(bill.components.filter(({ hashes }) => hashes[0]?.content.length !== 128)).toEqual([]);
});
