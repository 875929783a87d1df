// Receives an operator's messages for a certification, at the same paths as the gateway. It stores nothing, so it
// acknowledges only what is about the payments of the run.
import { fastify } from 'fastify';
import type { Connector } from '../../connectors/port.ts';
import type { Inbox } from '../../core/certification/inbox.ts';
import type { TrialEngine } from '../../core/certification/trial.ts';
import { clientAddressOf } from '../client-address.ts';
import { incomingFrom, MESSAGE_BYTES_MAX, METHODS, NOTIFICATION_PATHS } from './notifications.ts';

export type CertificationListener = { readonly url: string; readonly close: () => Promise<void> };

export async function listenForMessages(
  engine: TrialEngine,
  { inbox, connector }: { readonly inbox: Inbox; readonly connector: Connector },
  place: { readonly host: string; readonly port: number },
): Promise<CertificationListener> {
  const app = fastify({ bodyLimit: MESSAGE_BYTES_MAX, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const names = [connector.name, connector.addressName];
  for (const url of NOTIFICATION_PATHS) {
    app.route<{ Params: { connector: string } }>({
      method: METHODS,
      url,
      handler: async (request, reply) => {
        const isFromOperator = engine.operatorSources.allows(connector, clientAddressOf(engine, request));
        if (!isFromOperator || !names.includes(request.params.connector)) return reply.code(404).send({});
        const acknowledgement = await inbox.receive(incomingFrom(request, connector));
        return acknowledgement ?? reply.code(503).send({});
      },
    });
  }
  return { url: await app.listen(place), close: () => app.close() };
}
