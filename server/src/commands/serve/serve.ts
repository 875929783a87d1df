// The roles of a process: `api`, `worker`, `all`.
import { readConfig } from '../../config.ts';
import type { Command } from '../command.ts';
import { openGateway, type Role } from './compose.ts';
import { stopOnSignal } from './stop-on-signal.ts';

export function serveCommand(role: Role, summary: string): Command {
  return {
    usage: '',
    summary,
    run: async () => {
      const config = readConfig();
      const gateway = await openGateway(config, { role });
      const { url, operationsUrl } = await gateway.start();
      gateway.logger.info({ role, url, ...(operationsUrl !== null && { operationsUrl }) }, 'ready');
      // No one sends requests to a worker.
      await stopOnSignal(() => gateway.stop(role === 'worker' ? 0 : config.stopNoticeMs));
    },
  };
}
