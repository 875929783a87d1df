// The page on backup and restore is run by a drill; what the drill takes from it must stand there.
import { expect, test } from 'vitest';
import { Runbook } from '../../../drills/restore/runbook.ts';
import { COMMANDS } from '../../src/commands/commands.ts';

const runbook = new Runbook({ data: '/scratch/data', backups: '/scratch/backups' });

test.each(['pgbackrest', 'settings', 'stanza', 'base backup', 'verify', 'restore', 'promoted'])(
  'the block "%s" is on the page, and touches nothing but the folders it is given',
  (name) => {
    const block = runbook.block(name, new Date(0));
    expect(block).not.toBe('');
    expect(block).not.toMatch(/\/var\/|\/usr\/local|2027/);
  },
);

test('the command that begins a recovery is one of ours, with the moment that was restored to', () => {
  const [group, action, ...words] = runbook.command('begin', new Date(0));
  expect(COMMANDS.get(`${group} ${action}`)?.usage).toBe('--lost-from TIME --by NAME');
  expect(words).toEqual(['--lost-from', '1970-01-01T00:00:00.000+00:00', '--by', 'Ana Uwase']);
});
