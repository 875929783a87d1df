// Sets where callbacks go, for developers whose server address changes. It affects only the token's account.
import type { FastifyInstance } from 'fastify';
import { setCallbackUrl } from '../../core/merchants/administer-merchants.ts';
import type { Engine } from '../../core/engine.ts';
import { callbackUrlSchema, parseCallbackUrl } from './wire/callback-url.ts';
import { readJson, requireToken } from '../../edge/request.ts';
import { failures, requireRead } from './answer.ts';

export function registerCallbackUrl(app: FastifyInstance, engine: Engine): void {
  app.put(
    '/sandbox/callback-url',
    {
      schema: {
        operationId: 'setCallbackUrl',
        tags: ['sandbox'],
        summary: 'Set where callbacks go',
        description:
          'For all payments of your account, including queued callbacks. In production, set it in the ' +
          'dashboard.',
        body: callbackUrlSchema,
        response: { 200: callbackUrlSchema, ...failures([400, 401, 500]) },
      },
    },
    async (request) => {
      const { merchantId } = (await requireToken(engine, request)).merchant;
      const { url } = requireRead(parseCallbackUrl(readJson(request)));
      await setCallbackUrl(engine, { by: 'the sandbox', merchantId, url });
      return { url };
    },
  );
}
