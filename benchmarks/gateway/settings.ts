// The settings of what is measured.
import { gatewaySettings, simulatorSettings, type Environment } from '../../drills/kit/settings.ts';

/**
 * As a host would run it: what is acknowledged is on disk. Both sides of every comparison use the same cluster, so the
 * settings affect figures but hardly ratios. A checkpoint in the middle of a round would affect only one side.
 */
export const CLUSTER_SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=30min',
  'shared_preload_libraries=pg_stat_statements',
];

/** A host's settings, except that request limits and load shedding are never reached. */
export function benchSettings(databaseUrl: string, simulatorUrl: string): Environment {
  return {
    ...gatewaySettings(databaseUrl),
    ...simulatorSettings(simulatorUrl),
    MALIPO_LOG_LEVEL: 'info',
    MALIPO_AUTH_FAILURES_PER_SECOND: '1000000',
    MALIPO_AUTH_FAILURE_BURST: '1000000',
    MALIPO_ORDERS_WAITING: '1000000',
    MALIPO_BACKLOG_MS: '3600000',
  };
}
