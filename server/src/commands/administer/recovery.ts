// After a restore: saying so, looking how far it has come and what is unmatched, and saying that it is over.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  describeObstacle,
  requestLostPayment,
  type LostPaymentAnswer,
} from '../../core/reconciliation/decide-lost-payment.ts';
import { findUnmatched } from '../../core/recovery/find-unmatched-payments.ts';
import {
  beginRecovery,
  endRecovery,
  readRecovery,
  type RecoveryReport,
} from '../../core/recovery/recover.ts';
import { LOST_PAYMENT_BEARERS } from '../../domain/ledger/lost-payment.ts';
import { isUuid } from '../../domain/identifier.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Figure } from '../../store/recovery/recoveries.ts';
import { listLatestDecisions, type StoredDecision } from '../../store/recovery/lost-payment-decisions.ts';
import { listStanding, type Unmatched } from '../../store/recovery/unmatched-payments.ts';
import { gatewayCommand, merchantCommand, nothing, REQUESTED } from '../command.ts';
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
  'unmatched-payment decide': gatewayCommand({
    usage:
      `--provider MTN_MOMO_RWA --reference REFERENCE --direction IN|OUT --bearer ${LOST_PAYMENT_BEARERS.join('|')} ` +
      '[--merchant ID] --reason TEXT --by NAME',
    summary: 'request whose the money of a lost payment is that no merchant sends again',
    read: (options) => {
      const bearer = options.oneOf('bearer', LOST_PAYMENT_BEARERS);
      if ((bearer === 'MERCHANT') !== options.isGiven('merchant'))
        throw new UsageError('--merchant belongs to --bearer MERCHANT, and to no other.');
      return {
        actor: { personId: null, by: options.person() },
        provider: requireProvider(options),
        reference: options.text('reference'),
        direction: options.oneOf('direction', ['IN', 'OUT'] as const),
        bearer,
        merchantId: bearer === 'MERCHANT' ? options.uuid('merchant') : null,
        reason: options.text('reason'),
      };
    },
    run: async ({ engine }, order) => {
      const answer = await requestLostPayment(engine, order);
      return answer.type === 'REQUESTED' ? print(REQUESTED) : refuse(describeRefusal(answer));
    },
  }),
  'unmatched-payment decided': gatewayCommand({
    usage: '[--count 100]',
    summary: 'list what people decided about lost payments, the latest first',
    read: (options) => options.count('count', 100),
    run: async ({ engine }, countMax) => {
      for (const one of await listLatestDecisions(engine.store.database, countMax))
        print(renderDecision(one));
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

function describeRefusal(answer: Exclude<LostPaymentAnswer, { readonly type: 'REQUESTED' }>): string {
  switch (answer.type) {
    case 'NOT_FOUND':
      return 'No such payment stands in SUSPENSE here. See: malipo-server unmatched-payment list.';
    case 'REQUESTED_BEFORE':
      return 'A decision about it is pending. Approve or reject that first.';
    case 'NO_SUCH_MERCHANT':
      return 'There is no such merchant.';
    case 'NO_SUCH_WALLET':
      return 'No payment of this merchant would use a wallet for this provider and currency.';
    case 'MERCHANT_AWAY':
      return (
        'The merchant lives in another cell, where its wallet is. Decide PLATFORM here, and adjust the wallet there: ' +
        'malipo-server wallet adjust.'
      );
    case 'NOT_INDEPENDENT':
      return 'You belong to this merchant, or have added it. Another person must ask for this.';
    case 'RECOVERY_OPEN':
    case 'SENT_AGAIN':
    case 'ELSEWHERE':
    case 'CELL_SILENT':
      return describeObstacle(answer);
  }
}

function renderDecision(decision: StoredDecision): string {
  const { decidedAt, direction, provider, amount, currency, reference, bearer, bearerMerchantId } = decision;
  const { cell, postedBackAt, merchantId } = decision;
  const isOthers = bearerMerchantId !== null && merchantId !== null && merchantId !== bearerMerchantId;
  return row(
    decidedAt,
    direction,
    provider,
    `${renderMoney(amount, { currency, provider })} ${currency}`,
    reference,
    bearerMerchantId === null ? bearer : `${bearer} ${bearerMerchantId}`,
    `in cell ${cell}`,
    ...(postedBackAt === null ? [] : [`sent again by ${merchantId}, posted back`]),
    ...(isOthers ? ['WRONG MERCHANT: correct its wallet'] : []),
  );
}

function render({ lostFrom, begunAt, askedAt, endedAt, resumedProviders, progress }: RecoveryReport): string {
  const phase = askedAt === null ? 'holding all submits' : 'asking operators before each submit';
  const { unmatched, resent, decided, standing } = progress;
  const unapproved = unmatched.count - resent.count - decided.count - standing.count;
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
    `${renderSum(decided)}\tdecided by two people`,
    `${renderSum(standing)}\tin SUSPENSE, waiting for their merchants`,
    `${Math.max(0, unapproved)}\twaiting for the approval of their report`,
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
