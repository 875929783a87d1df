// After a restore: saying so, looking how far it has come and what was forgotten, and saying that it is over.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { findUnmatched } from '../../core/recovery/find-unmatched-payments.ts';
import {
  beginRecovery,
  endRecovery,
  readRecovery,
  type RecoveryReport,
} from '../../core/recovery/recover.ts';
import { isUuid } from '../../domain/identifier.ts';
import { renderAmount } from '../../domain/money.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { listStanding, type Unmatched } from '../../store/recovery/unmatched-payments.ts';
import { gatewayCommand, merchantCommand, nothing, print, refuse, row } from '../command.ts';
import { UsageError } from '../options.ts';
import { requireProvider } from './provider.ts';

export const recoveryCommands = {
  'recovery begin': gatewayCommand({
    usage: '--lost-from TIME --by NAME',
    summary:
      'record that the database was restored to a point in time; run it before any other process is started',
    read: (options) => ({ by: options.person(), lostFrom: options.time('lost-from') }),
    run: async ({ engine }, order) => {
      if (order.lostFrom > engine.clock.now()) throw new UsageError('--lost-from must not be to come.');
      if (!(await engine.clockCheck.agrees(engine.store.database)))
        return refuse(
          "the clock of this machine differs from the database's: correct it first, the recovery goes by it",
        );
      await beginRecovery(engine, order);
      print('begun: nothing is sent before every payment of before has been asked about');
    },
  }),
  'recovery show': gatewayCommand({
    usage: '',
    summary: 'show the progress of the recovery after the last restore',
    read: nothing,
    run: async ({ engine }) => {
      const report = await readRecovery(engine);
      print(report === null ? 'this database was never restored, as far as it was told' : render(report));
    },
  }),
  'recovery end': gatewayCommand({
    usage: '[--provider MTN_MOMO_RWA] [--unasked-too] --by NAME',
    summary: 'record that merchants have sent again what was lost: operators are no longer asked first',
    read: (options) => ({
      by: options.person(),
      provider: options.isGiven('provider') ? requireProvider(options) : null,
      unasked: options.isGiven('unasked-too'),
    }),
    run: async ({ engine }, order) => {
      const answer = await endRecovery(engine, order);
      switch (answer.type) {
        case 'DONE':
          return print(order.provider === null ? 'ended' : `ended at ${order.provider}`);
        case 'NONE_IS_OPEN':
          return refuse('There is no recovery to end.');
        case 'HOLDING':
          return refuse(
            `${answer.progress.unsent + answer.progress.unasked} payments of before have not been asked about. ` +
              'Wait, or end it although they were not with --unasked-too.',
          );
      }
    },
  }),
  'unmatched-payment list': gatewayCommand({
    usage: '[--count 100]',
    summary:
      'list payments that operators made in the lost time and no merchant has sent again, the oldest first',
    read: (options) => options.count('count', 100),
    run: async ({ engine }, countMax) => {
      for (const one of await listStanding(engine.store.database, countMax)) print(renderUnmatched(one));
    },
  }),
  'unmatched-payment find': merchantCommand({
    usage: `--merchant ID --kind ${PAYMENT_KINDS.join('|')} [--file FILE]`,
    summary:
      "find which of a merchant's identifiers, one on each line of the file or standard input, are " +
      'unmatched operator payments',
    read: (options) => ({
      kind: options.oneOf('kind', PAYMENT_KINDS),
      file: options.textOrNull('file'),
    }),
    run: async (engine, { merchantId, kind, file }, { home }) => {
      const writtenIds = await readIdentifiers(file);
      const found = await findUnmatched(engine, { merchantId, home, kind, writtenIds });
      for (const { writtenId, payments } of found) {
        if (payments.length === 0) print(row(writtenId, 'not found'));
        for (const one of payments) {
          const isAgain = one.releasedTo !== null;
          print(row(writtenId, isAgain ? 'sent again' : 'SEND AGAIN', renderUnmatched(one)));
        }
      }
    },
  }),
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
    `${progress.repaired}\tsent again, found paid by their operators, and in the books`,
    `${progress.unmatched}\tforgotten and found in statements; of these`,
    `${progress.unmatched - progress.standing}\tare sent again, and`,
    `${progress.standing}\tstand in SUSPENSE and wait for their merchants`,
  ];
  return lines.join('\n');
}

/** One on each line; empty lines say nothing. */
async function readIdentifiers(file: string | null): Promise<readonly string[]> {
  const all = await (file === null ? text(process.stdin) : readFile(file, 'utf8'));
  const written = all.split('\n').map((line) => line.trim());
  const strange = written.findIndex((one) => one !== '' && !isUuid(one));
  if (strange !== -1) throw new UsageError(`Line ${strange + 1} is no identifier of a payment.`);
  return written.filter((one) => one !== '');
}

function renderUnmatched({ occurredAt, direction, provider, amount, currency, reference }: Unmatched) {
  return row(occurredAt, direction, provider, `${renderAmount(amount)} ${currency}`, reference);
}
