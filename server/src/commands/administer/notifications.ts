// Authentic messages of operators about references that are not ours.
import { dismissNotification } from '../../core/payments/notifications/unmatched-notifications.ts';
import { listUnmatched } from '../../store/payments/notifications/unmatched-notifications.ts';
import { gatewayCommand } from '../command.ts';
import { print, refuse, row } from '../output.ts';

export const notificationCommands = {
  'unmatched-notification list': gatewayCommand({
    usage: '[--count 100]',
    summary: "list operators' messages about references that are not ours",
    read: (options) => options.count('count', 100),
    run: async ({ engine }, countMax) => {
      for (const one of await listUnmatched(engine.store.database, countMax))
        print(row(one.notificationId, one.receivedAt, one.connector, one.reference));
    },
  }),
  'unmatched-notification dismiss': gatewayCommand({
    usage: '--notification ID --by NAME',
    summary: 'dismiss a message',
    read: (options) => ({ by: options.person(), notificationId: options.uuid('notification') }),
    run: async ({ engine }, order) => {
      if (await dismissNotification(engine, order)) print('dismissed');
      else refuse('There is no such message, or it was dismissed before.');
    },
  }),
};
