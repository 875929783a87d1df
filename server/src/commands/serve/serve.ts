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
      const { url, metricsUrl } = await gateway.start();
      const problem = gateway.engine.keyAccess.problem();
      const where = { role, url, ...(metricsUrl !== null && { metricsUrl }) };
      if (problem === null) gateway.logger.info(where, 'ready');
      else gateway.logger.warn({ ...where, problem }, 'not ready: waiting for the encryption keys');
      // No one sends requests to a worker.
      await stopOnSignal(() => gateway.stop(role === 'worker' ? 0 : config.stopNoticeMs));
    },
  };
}
