// The way out where a clock that was ahead has carried the time of the ledger along.
import { setTimeBack } from '../../core/monitoring/set-time-back.ts';
import { gatewayCommand } from '../command.ts';
import { print, refuse, row } from '../output.ts';

export const timeCommands = {
  'time set-back': gatewayCommand({
    usage: '--right-time 2027-01-31T14:00:00Z [--confirm] --by NAME',
    summary:
      'let time go on from the right clock, where one that was ahead carried it along; shows what it would do',
    read: (options) => ({
      by: options.person(),
      rightTime: options.time('right-time'),
      isConfirmed: options.isGiven('confirm'),
    }),
    run: async ({ engine }, order) => {
      const answer = await setTimeBack(engine, { ...order, processTime: new Date() });
      switch (answer.type) {
        case 'NOT_AHEAD':
          return print('The time of what is written is that of the clock. There is nothing to do.');
        case 'CLOCK_WRONG':
          return refuse(
            `The clock of the database shows ${answer.shown.toISOString()}. It must be the right time, and so must ` +
              'the clock of this machine. Set the clocks right first; read --right-time from another clock.',
          );
        case 'MOVING':
          return refuse(
            `Merchants are on the way between cells: ${answer.merchantIds.join(', ')}. Abort their moves first: ` +
              'malipo-server merchant move --abort.',
          );
        case 'DAYS_SIGNED':
          for (const { provider, currency, day } of answer.days) print(row(provider, currency, day));
          return refuse(
            'These days were signed and are not over. Two people reopen them first, the last one first.',
          );
        case 'SHOWN':
        case 'DONE': {
          print(row('clock', answer.shown));
          print(row('time of what is written', answer.writing));
          print(row('sums end', answer.summedUntil ?? ''));
          print(row(answer.type === 'DONE' ? 'sums now end' : 'sums would end', answer.sumsTo));
          print(row('transfers that are dated later than the clock', answer.transferCount));
          return print(
            answer.type === 'DONE'
              ? 'Done. Time goes on from the clock. Every balance is as before.'
              : 'Nothing was changed. Stop all processes of this cell, then run it again with --confirm.',
          );
        }
      }
    },
  }),
};
