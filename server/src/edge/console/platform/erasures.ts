// Retention, and the erasure of one person's data by request.
import type { FastifyInstance } from 'fastify';
import { erasePerson } from '../../../core/encryption/erase-person.ts';
import { erasePersonShape, readRetentionShape } from '../../../wire/console/platform/erasure.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoute, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const ERASE = { for: 'HOST', permission: 'personal-data:erase', isDangerous: true } as const;
const tag = 'host-personal-data';

export function registerErasures(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/retention',
    access: READ,
    operationId: 'readRetention',
    tag,
    summary: 'For how many days what can be deleted is kept',
    shape: readRetentionShape,
    handle: async () => {
      const { notificationDays, callbackAttemptDays } = parts.retention;
      return { notificationDays, callbackAttemptDays };
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: '/host/erasures',
    access: ERASE,
    operationId: 'erasePerson',
    tag,
    summary:
      'Empty what final payments of a phone number at a merchant say about people; it cannot be undone',
    shape: erasePersonShape,
    handle: async ({ body, user: { by } }) => {
      if ((await engine.directory.merchant(body.merchantId)) === null) throw new ConsoleFailure('NOT_FOUND');
      return erasePerson(engine, { ...body, by });
    },
  });
}
