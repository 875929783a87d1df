import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/proof/pages/*.proof.ts'],
    globalSetup: ['server/test/cluster.setup.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
