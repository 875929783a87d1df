// Retention, and the erasure of one person's data by request.
import type { FastifyInstance } from 'fastify';
import { erasePerson } from '../../../core/encryption/erase-person.ts';
import { erasureCalls } from '../../../wire/console/platform/erasure.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const ERASE = { for: 'HOST', permission: 'personal-data:erase', isDangerous: true } as const;

export function registerErasures(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-personal-data');
  const { engine } = parts;
  route('GET', '/host/retention', READ, erasureCalls.readRetention, {
    summary: 'List retention periods',
    handle: async () => {
      const { notificationDays, callbackAttemptDays } = parts.retention;
      return { notificationDays, callbackAttemptDays };
    },
  });
  route('POST', '/host/erasures', ERASE, erasureCalls.erasePerson, {
    summary: "Erase personal data of a phone number's final payments at a merchant; it cannot be undone",
    handle: async ({ body, user: { by } }) => {
      if ((await engine.directory.merchant(body.merchantId)) === null) throw new ConsoleFailure('NOT_FOUND');
      const { missingCells, ...erased } = await erasePerson(engine, { ...body, by });
      return { ...erased, missingCells: [...missingCells] };
    },
  });
}
