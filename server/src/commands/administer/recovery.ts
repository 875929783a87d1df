// After a restore: saying so, looking how far it has come, and saying that it is over.
import { beginRecovery, endRecovery, readRecovery, type RecoveryReport } from '../../core/recover.ts';
import { listProviders } from '../../domain/catalogue.ts';
import {
  print,
  readOptions,
  refuse,
  requireOneOf,
  requirePerson,
  requireTime,
  TEXT,
  UsageError,
  withGateway,
  type Command,
} from '../command.ts';

const beginCommand: Command = {
  usage: 'begin-recovery --lost-from TIME --by NAME',
  summary: 'say that the database was restored to that time; run it before any other process is started',
  run: async (args) => {
    const values = readOptions(args, { 'lost-from': TEXT, by: TEXT });
    const order = { by: requirePerson(values), lostFrom: requireTime(values, 'lost-from') };
    await withGateway(async ({ engine }) => {
      if (order.lostFrom > engine.clock.now()) throw new UsageError('--lost-from must not be to come.');
      await beginRecovery(engine, order);
      print('begun: nothing is sent before every payment of before has been asked about');
    });
  },
};

const showCommand: Command = {
  usage: 'recovery',
  summary: 'show how far the recovery after the last restore has come',
  run: async (args) => {
    readOptions(args, {});
    await withGateway(async ({ engine }) => {
      const report = await readRecovery(engine);
      print(report === null ? 'this database was never restored, as far as it was told' : render(report));
    });
  },
};

const endCommand: Command = {
  usage: 'end-recovery [--provider MTN_MOMO_RWA] [--unasked-too] --by NAME',
  summary: 'say that merchants have sent again what was lost: from now on operators are not asked first',
  run: async (args) => {
    const options = { provider: TEXT, 'unasked-too': { type: 'boolean' }, by: TEXT } as const;
    const values = readOptions(args, options);
    const codes = listProviders().map(({ code }) => code);
    const provider = values['provider'] === undefined ? null : requireOneOf(codes, values, 'provider');
    const order = { by: requirePerson(values), provider, unasked: values['unasked-too'] === true };
    await withGateway(async ({ engine }) => {
      const answer = await endRecovery(engine, order);
      switch (answer.type) {
        case 'DONE':
          return print(provider === null ? 'ended' : `ended at ${provider}`);
        case 'NONE_IS_OPEN':
          return refuse('There is no recovery to end.');
        case 'HOLDING':
          return refuse(
            `${answer.progress.unsent + answer.progress.unasked} payments of before have not been asked about. ` +
              'Wait, or end it although they were not with --unasked-too.',
          );
      }
    });
  },
};

function render({ lostFrom, begunAt, askedAt, endedAt, resumedProviders, progress }: RecoveryReport): string {
  const phase = askedAt === null ? 'holding all submits' : 'asking operators before each submit';
  const lines = [
    `restored to ${lostFrom.toISOString()}, begun ${begunAt.toISOString()}`,
    endedAt === null ? phase : `ended ${endedAt.toISOString()}`,
    ...resumedProviders.map((provider) => `ended at ${provider}`),
    `${progress.unsent}\tof before, not sent as far as is known`,
    `${progress.unasked}\tof before, to be asked about`,
    `${progress.unclear}\tof before, asked about and still open`,
    `${progress.waiting}\tmade since, waiting to be sent`,
    `${progress.strange}\tmessages of operators about payments that are not known here`,
    `${progress.unknownLines}\tlines of statements imported since about nothing that is known here`,
  ];
  return lines.join('\n');
}

export const recoveryCommands: ReadonlyMap<string, Command> = new Map([
  ['begin-recovery', beginCommand],
  ['recovery', showCommand],
  ['end-recovery', endCommand],
]);
