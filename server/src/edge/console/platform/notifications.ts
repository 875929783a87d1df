// Authentic messages of operators about references that are not ours: people look into them and dismiss them.
import type { FastifyInstance } from 'fastify';
import { dismissNotification } from '../../../core/payments/notifications/unmatched-notifications.ts';
import { listUnmatched } from '../../../store/payments/notifications/unmatched-notifications.ts';
import { notificationCalls } from '../../../wire/console/platform/notification.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const DISMISS = { for: 'HOST', permission: 'cases:resolve', isDangerous: true } as const;

const url = '/host/unmatched-notifications';
const ROWS_MAX = 100;

export function registerUnmatchedNotifications(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-issues');
  const { engine } = parts;
  route('GET', url, READ, notificationCalls.listUnmatchedNotifications, {
    summary: 'Authentic messages about references that are not ours, the oldest first',
    handle: async () => {
      const rows = await listUnmatched(engine.store.database, ROWS_MAX);
      return { rows: rows.map((row) => show(row, 'notificationId', 'connector', 'receivedAt', 'reference')) };
    },
  });
  route('POST', `${url}/:notificationId/dismiss`, DISMISS, notificationCalls.dismissNotification, {
    summary: 'Dismiss such a message',
    handle: async ({ path, user: { by } }) => {
      if (!(await dismissNotification(engine, { ...path, by }))) throw new ConsoleFailure('NOT_FOUND');
      return done;
    },
  });
}
