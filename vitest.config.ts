import { defineConfig } from 'vitest/config';

/** Tests that take minutes of a processor: every screen in a browser, a kill at every step. They have their own run. */
const LONG = ['server/test/**/*.long.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['server/test/cluster.setup.ts'],
    pool: 'forks',
    // More than two cores: much of a test is waiting for a process, a clock or a socket.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['server/test/**/*.test.ts', 'sdk/test/**/*.test.ts', 'cli/test/**/*.test.ts'],
          exclude: LONG,
        },
      },
      { extends: true, test: { name: 'long', include: LONG } },
    ],
  },
});
