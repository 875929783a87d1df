import { defineConfig } from 'vitest/config';

/** Tests that take minutes of a processor: every screen in a browser, a kill at every step. They have their own run. */
const LONG = ['server/test/**/*.long.test.ts'];

/** Needs no database, no browser and no other process: what a developer runs after every change. */
const UNIT = [
  'server/test/{domain,wire,callbacks}/**/*.test.ts',
  'server/test/core/{auth-failure-limit,backlog,client-address,hold-after-restore,interpret-enquiry,settling}.test.ts',
  'server/test/core/{rate-limit,reference,schedule}.test.ts',
  'server/test/{cells/hops,config,config-secrets,jobs/concurrency-limiter,texts/*,tidy}.test.ts',
  'server/test/store/{batch,columns,due-floors}.test.ts',
  'server/test/wrapped-keys/{settings,transit}.test.ts',
  'server/test/connectors/{account-id,bindings,redact,simulator-wire}.test.ts',
  'server/test/deploy/dashboards.test.ts',
  'server/test/docs/{api-samples,blocks,configuration,connectors,contributing-files,links}.test.ts',
  'server/test/docs/{monitoring,sandbox-numbers,screen-pictures,search,security,states-pictures}.test.ts',
  'sdk/test/{file-journal,operations,signatures,vectors}.test.ts',
];

/** Whole programs: processes of the gateway, browsers, commands of the documents, every operator. */
const PROGRAMS = [
  'server/test/{dashboard,deploy,docs-site,drills,model,simulation,tools}/**/*.test.ts',
  'server/test/benchmarks/wrk.test.ts',
  'server/test/{administration,adversary.property,canary,examples,model.property,pawapay-sdk,payment-logs,sandbox,sandbox-demo}.test.ts',
  'server/test/connectors/{beyond-the-simple,contract,forged,through-the-gateway}.test.ts',
  'server/test/docs/{audit-page,migrate,runnable-pages,sandbox-guide,signature-guides}.test.ts',
  'server/test/edge/{openapi,process,production,production-modules}.test.ts',
  'server/test/limits/{freeze-under-load,limits.property}.test.ts',
  'server/test/wrapped-keys/processes.test.ts',
  'server/test/pages/prompts.test.ts',
  'sdk/test/{conformance,examples,php,python,shops}.test.ts',
  'cli/test/**/*.test.ts',
];

const CLUSTER = ['server/test/cluster.setup.ts'];

/** With one, every gateway reaches its database through PgBouncer. */
const POOLED = process.env['MALIPO_TEST_POOLER'] === undefined ? [] : ['server/test/pgbouncer-exclusions.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // The files of a worker share its modules: to load the gateway again for each would take longer than the tests.
    isolate: false,
    // Node runs TypeScript itself, as it does in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than two cores: much of a test is waiting for a process, a clock or a socket.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As long as everything else that is waited for; vitest itself would wait a second.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        test: {
          name: 'gateway',
          include: ['server/test/**/*.test.ts', 'sdk/test/**/*.test.ts'],
          exclude: [...UNIT, ...PROGRAMS, ...LONG],
          globalSetup: CLUSTER,
          setupFiles: POOLED,
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: PROGRAMS,
          exclude: [...UNIT, ...LONG],
          globalSetup: CLUSTER,
          setupFiles: POOLED,
        },
      },
      { extends: true, test: { name: 'long', include: LONG, globalSetup: CLUSTER } },
    ],
  },
});
