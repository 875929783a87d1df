import { DEFAULT_SETTINGS } from '../../server/src/config.ts';

/** A gateway with default settings: shedding works as without settings. */
export function setupOptions({
  backlogMs = DEFAULT_SETTINGS.backlogMs,
}: { readonly backlogMs?: number } = {}) {
  return {
    profileFolder: null,
    processes: { apis: 1, workers: 1 },
    hasIntake: false,
    settings: {
      MALIPO_ORDERS_WAITING: String(DEFAULT_SETTINGS.ordersWaitingMax),
      MALIPO_BACKLOG_MS: String(backlogMs),
    },
  };
}
