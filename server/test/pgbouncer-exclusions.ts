// Tests that cannot pass through PgBouncer in transaction mode: why, by their names. Loaded with MALIPO_TEST_POOLER.
import { beforeEach } from 'vitest';

const EXCLUSIONS: Readonly<Record<string, string>> = {};

beforeEach(({ task, skip }) => {
  const reason = EXCLUSIONS[task.name];
  if (reason !== undefined) skip(reason);
});
