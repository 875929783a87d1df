// The settings of what is measured.
import { gatewaySettings, simulatorSettings, type Environment } from '../../drills/kit/settings.ts';

/**
 * As a host would run it: whatever is acknowledged is on the disk. Both sides of every comparison have the same
 * cluster, so the settings decide about figures and hardly about ratios. A checkpoint in the middle of a round would be
 * one side's bad luck.
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

/** What a host would have, but for the limits of requests, which are never reached. */
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
