// Lets developers try signed requests: register a public key, and require signatures or not. In production the host
// does this with a command. It affects only the token's own account.
import type { FastifyInstance } from 'fastify';
import { addPublicKey, removePublicKey, requireSignatures } from '../../core/merchants/administer-keys.ts';
import type { Engine } from '../../core/engine.ts';
import {
  keyPathSchema,
  parseKeyPath,
  parsePublicKeyRequest,
  parseSignedRequests,
  publicKeyRequestSchema,
  registeredKeySchema,
  signedRequestsSchema,
} from './wire/public-key.ts';
import { readJson, requireToken } from '../../edge/request.ts';
import { failures, requireRead } from './answer.ts';

const BY = 'the sandbox';

export function registerPublicKeys(app: FastifyInstance, engine: Engine): void {
  app.put(
    '/sandbox/public-keys/:name',
    {
      schema: {
        operationId: 'setPublicKey',
        tags: ['sandbox'],
        summary: 'Register a public key',
        description:
          'For your account; replaces a key with the same name within ten seconds. In production, ask your ' +
          'host.',
        params: keyPathSchema,
        body: publicKeyRequestSchema,
        response: { 200: registeredKeySchema, ...failures([400, 401, 500]) },
      },
    },
    async (request) => {
      const { merchantId } = (await requireToken(engine, request)).merchant;
      const { name } = requireRead(parseKeyPath(request.params));
      const { algorithm, key: pem } = requireRead(parsePublicKeyRequest(readJson(request)));
      await removePublicKey(engine, { by: BY, merchantId, name });
      await addPublicKey(engine, { by: BY, merchantId, name, algorithm, pem });
      return { name, algorithm };
    },
  );

  app.put(
    '/sandbox/signed-requests',
    {
      schema: {
        operationId: 'setSignedRequests',
        tags: ['sandbox'],
        summary: 'Require signed requests, or not',
        description: 'For your account, within ten seconds. Without a key, every payment is then rejected.',
        body: signedRequestsSchema,
        response: { 200: signedRequestsSchema, ...failures([400, 401, 500]) },
      },
    },
    async (request) => {
      const { merchantId } = (await requireToken(engine, request)).merchant;
      const { signedRequestsOnly } = requireRead(parseSignedRequests(readJson(request)));
      await requireSignatures(engine, {
        by: BY,
        merchantId,
        covers: 'PAYMENTS',
        isRequired: signedRequestsOnly,
      });
      return { signedRequestsOnly };
    },
  );
}
