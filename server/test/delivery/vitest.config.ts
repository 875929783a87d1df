import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/test/delivery/*.full.ts'],
    globalSetup: [new URL('../cluster.setup.ts', import.meta.url).pathname],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
  },
});
