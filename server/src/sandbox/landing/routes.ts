// The landing page of the sandbox command, `/`: where to go from here. A gateway that a host runs has none.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { publicAddress } from '../../edge/pages/addresses.ts';
import type { Look } from '../../edge/pages/look/look.ts';
import { sendPage } from '../../edge/pages/send.ts';
import type { LocalSandbox } from '../../edge/server.ts';
import { renderLanding } from './render-landing.ts';

type LandingContext = { readonly engine: Engine; readonly look: Look; readonly local: LocalSandbox };

export function registerLanding(app: FastifyInstance, { engine, look, local }: LandingContext): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const { 'accept-language': accepted = '' } = request.headers;
    const page = renderLanding(look, {
      language: /^\s*fr\b/i.test(accepted) ? 'fr' : 'en',
      baseUrl: publicAddress(engine, request),
      // A page that is loaded again asks for another deposit.
      depositId: randomUUID(),
      apiToken: local.apiToken(),
      demoLogins: local.demoLogins,
      isBuilding: local.isBuilding,
    });
    return sendPage(request, reply, page);
  });
}
