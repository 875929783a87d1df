// Authentic messages of operators about references that are not ours.
import { dismissNotification } from '../../core/payments/notifications/unmatched-notifications.ts';
import { listUnmatched } from '../../store/payments/unmatched-notifications.ts';
import {
  print,
  readOptions,
  refuse,
  requireCount,
  requirePerson,
  requireUuid,
  TEXT,
  withGateway,
  type Command,
} from '../command.ts';

const listCommand: Command = {
  usage: '[--count 100]',
  summary: "list operators' authentic messages about references that are not ours, the oldest first",
  run: async (args) => {
    const countMax = requireCount(readOptions(args, { count: { ...TEXT, default: '100' } }), 'count');
    await withGateway(async ({ engine }) => {
      for (const one of await listUnmatched(engine.store.database, countMax)) {
        print(
          [one.notificationId, one.receivedAt.toISOString(), one.connector, one.reference ?? '-'].join('\t'),
        );
      }
    });
  },
};

const dismissCommand: Command = {
  usage: '--notification ID --by NAME',
  summary: 'dismiss such a message after you have investigated it',
  run: async (args) => {
    const values = readOptions(args, { notification: TEXT, by: TEXT });
    const order = {
      by: requirePerson(values),
      notificationId: requireUuid(values, 'notification'),
    };
    await withGateway(async ({ engine }) => {
      if (await dismissNotification(engine, order)) print('dismissed');
      else refuse('There is no such message, or it has ended.');
    });
  },
};

export const notificationCommands: ReadonlyMap<string, Command> = new Map([
  ['unmatched-notification list', listCommand],
  ['unmatched-notification dismiss', dismissCommand],
]);
