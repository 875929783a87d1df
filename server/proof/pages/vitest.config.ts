import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/proof/pages/*.proof.ts'],
    globalSetup: [new URL('../../test/cluster.setup.ts', import.meta.url).pathname],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
