// After a restore: saying so, looking how far it has come and what is unmatched, and saying that it is over.
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
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Figure } from '../../store/recovery/recoveries.ts';
import { listStanding, type Unmatched } from '../../store/recovery/unmatched-payments.ts';
import { gatewayCommand, merchantCommand, nothing } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError } from '../options.ts';
import { renderMoney } from '../terminal/money.ts';
import { requireProvider } from './provider.ts';

export const recoveryCommands = {
  'recovery begin': gatewayCommand({
    usage: '--lost-from TIME --by NAME',
    summary: 'record that the database was restored, before any other process runs',
    read: (options) => ({ by: options.person(), lostFrom: options.time('lost-from') }),
    run: async ({ engine }, order) => {
      if (order.lostFrom > engine.clock.now()) throw new UsageError('--lost-from must not be in the future.');
      if (!(await engine.clockCheck.agrees(engine.store.database)))
        return refuse(
          "The clock of this machine differs from the database's. Correct it first: the recovery depends " +
            'on it.',
        );
      await beginRecovery(engine, order);
      print('begun: nothing is sent until operators were asked about every earlier payment');
    },
  }),
  'recovery show': gatewayCommand({
    usage: '',
    summary: 'show the progress of the recovery',
    read: nothing,
    run: async ({ engine }) => {
      const report = await readRecovery(engine);
      print(report === null ? 'no recovery was recorded for this database' : render(report));
    },
  }),
  'recovery end': gatewayCommand({
    usage: '[--provider MTN_MOMO_RWA] [--unasked-too] --by NAME',
    summary: 'end the recovery once merchants have sent lost payments again',
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
            'Operators were not yet asked about this many earlier payments: ' +
              `${renderSum(answer.progress.unsent, answer.progress.unasked)}. ` +
              'Wait, or end the recovery with --unasked-too.',
          );
      }
    },
  }),
  'unmatched-payment list': gatewayCommand({
    usage: '[--count 100]',
    summary: 'list lost payments that no merchant sent again',
    read: (options) => options.count('count', 100),
    run: async ({ engine }, countMax) => {
      for (const one of await listStanding(engine.store.database, countMax))
        print(one.isApproved ? renderUnmatched(one) : row(renderUnmatched(one), 'PENDING APPROVAL'));
    },
  }),
  'unmatched-payment find': merchantCommand({
    usage: `--merchant ID --kind ${PAYMENT_KINDS.join('|')} [--file FILE]`,
    summary: 'find which identifiers of a file are lost payments',
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
          print(row(writtenId, nextStepOf(one), renderUnmatched(one)));
        }
      }
    },
  }),
};

function render({ lostFrom, begunAt, askedAt, endedAt, resumedProviders, progress }: RecoveryReport): string {
  const phase = askedAt === null ? 'holding all submits' : 'asking operators before each submit';
  const { unmatched, resent, standing } = progress;
  const lines = [
    `restored to ${lostFrom.toISOString()}, begun ${begunAt.toISOString()}`,
    endedAt === null ? phase : `ended ${endedAt.toISOString()}`,
    ...resumedProviders.map((provider) => `ended at ${provider}`),
    `${renderSum(progress.unsent)}\tearlier payments, not sent as far as is known`,
    `${renderSum(progress.unasked)}\tearlier payments, operators not asked yet`,
    `${renderSum(progress.unclear)}\tearlier payments, operators asked, still open`,
    `${renderSum(progress.waiting)}\tnew payments, waiting to be sent`,
    `${renderSum(progress.strange)}\toperator notifications about unknown payments`,
    `${renderSum(progress.unknownLines)}\tlines of operator reports about unknown payments`,
    `${renderSum(progress.repaired)}\tsent again, already paid by their operators, recorded as paid`,
    `${renderSum(unmatched)}\tunmatched operator payments found in reports; of these`,
    `${renderSum(resent)}\tsent again by their merchants`,
    `${renderSum(standing)}\tin SUSPENSE, waiting for their merchants`,
    `${Math.max(0, unmatched.count - resent.count - standing.count)}\twaiting for the approval of their report`,
  ];
  return lines.join('\n');
}

function renderSum(...figures: readonly Figure[]): string {
  const sum = figures.reduce((total, { count }) => total + count, 0);
  return figures.some(({ isMore }) => isMore) ? `${sum} or more` : String(sum);
}

/** One on each line; empty lines say nothing. */
async function readIdentifiers(file: string | null): Promise<readonly string[]> {
  const all = await (file === null ? text(process.stdin) : readFile(file, 'utf8'));
  const written = all.split('\n').map((line) => line.trim());
  const strange = written.findIndex((one) => one !== '' && !isUuid(one));
  if (strange !== -1) throw new UsageError(`Line ${strange + 1} is not the identifier of a payment.`);
  return written.filter((one) => one !== '');
}

function nextStepOf({ releasedTo, isApproved }: Unmatched): string {
  if (releasedTo !== null) return 'sent again';
  return isApproved ? 'SEND AGAIN' : 'PENDING APPROVAL';
}

function renderUnmatched({ occurredAt, direction, provider, amount, currency, reference }: Unmatched) {
  return row(
    occurredAt,
    direction,
    provider,
    `${renderMoney(amount, { currency, provider })} ${currency}`,
    reference,
  );
}
