// Freezes: outgoing payments of a merchant, a token, a recipient, a provider, or all of them, stopped at once. And a
// list of everything that is held, by a freeze or anything else.
import { askedByCommand } from '../../../core/approvals/request.ts';
import { freeze, readFreezes, requestLift, type FreezeTarget } from '../../../core/limits/freeze.ts';
import { FREEZE_SCOPES } from '../../../domain/limits/freeze.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { listHeldMoney } from '../../../store/limits/held-money.ts';
import { gatewayCommand, nothing, REQUESTED } from '../../command.ts';
import { print, row, tell } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';
import { renderMoney } from '../../terminal/money.ts';
import { warnOfCells } from './cells.ts';
import { readNumber } from './numbers.ts';

const TARGET =
  '--scope MERCHANT|TOKEN|NUMBER|PROVIDER|ALL [--merchant ID] [--token-id ID] [--number 250783456789] ' +
  '[--provider MTN_MOMO_RWA]';

/** More at once are a freeze or a service that is down, and not read one by one. */
const LISTED_MAX = 1_000;

export const freezeCommands = {
  'freeze add': gatewayCommand({
    usage: `${TARGET} --reason TEXT [--until 2027-01-31T14:00:00Z] --by NAME`,
    summary: 'let outgoing payments wait as ENQUEUED; names cells that have not confirmed',
    read: (options) => ({
      by: options.person(),
      target: readTarget(options),
      reason: options.reason(),
      expiresAt: options.isGiven('until') ? options.time('until') : null,
    }),
    run: async ({ engine }, order) => {
      if (order.expiresAt !== null && order.expiresAt <= engine.clock.now())
        throw new UsageError('--until must be in the future.');
      const answers = await freeze(engine, order);
      const confirmed = answers.filter((one) => one.type === 'CONFIRMED');
      for (const { cell } of confirmed) print(row(cell, 'frozen'));
      if (confirmed.length > 0 && !confirmed.some(({ answer }) => answer.isKnown))
        print('No cell that confirmed knows this identifier. Check it.');
      warnOfCells(
        answers,
        'Payments still leave there. Run the command again: it adds a freeze in every cell.',
      );
    },
  }),
  'freeze lift': gatewayCommand({
    usage: `${TARGET} --reason TEXT --by NAME`,
    summary: 'lift every freeze of this that is in force, after approval: payments that waited are sent',
    read: (options) => ({
      by: options.person(),
      target: readTarget(options),
      reason: options.reason(),
    }),
    run: async ({ engine }, { by, ...order }) => {
      const { outcome, freezes, cells } = await requestLift(engine, {
        ...order,
        ...askedByCommand(engine, by),
      });
      for (const { freezeId, frozenAt, frozenBy } of freezes) print(row(freezeId, frozenAt, frozenBy));
      if (outcome === 'REQUESTED') print(REQUESTED);
      if (outcome === 'NOT_FROZEN') print('No cell that answered has a freeze of this.');
      for (const one of cells)
        if (one.type === 'CONFIRMED') print(row(one.cell, one.answer ? 'lifted' : 'was not frozen'));
      warnOfCells(cells, 'Payments still wait there. Run the command again.');
    },
  }),
  'freeze list': gatewayCommand({
    usage: '',
    summary: 'list freezes in every cell',
    read: nothing,
    run: async ({ engine }) => {
      const answers = await readFreezes(engine);
      for (const one of answers) {
        if (one.type !== 'CONFIRMED') continue;
        for (const { freezeId, scope, subject, phoneNumber, frozenAt, expiresAt, ...found } of one.answer) {
          const { frozenBy, reason } = found;
          print(
            row(one.cell, freezeId, scope, phoneNumber ?? subject, frozenAt, expiresAt, frozenBy, reason),
          );
        }
      }
      warnOfCells(answers, 'Their freezes are not listed.');
    },
  }),
  'hold list': gatewayCommand({
    usage: '[--merchant ID]',
    summary: 'list what is held, with reason, amount and time',
    read: (options) => ({ merchantId: options.isGiven('merchant') ? options.uuid('merchant') : null }),
    run: async ({ engine }, { merchantId }) => {
      const found = await listHeldMoney(engine.store.database, { merchantId, countMax: LISTED_MAX + 1 });
      for (const { amount, currency, ...one } of found.slice(0, LISTED_MAX)) {
        const money = `${renderMoney(amount, { currency })} ${currency}`;
        print(row(one.merchantId, one.what, one.kind, one.paymentId, money, one.since, one.until, one.why));
      }
      if (found.length > LISTED_MAX) tell(`There are more; these are the ${LISTED_MAX} oldest.`);
    },
  }),
};

function readTarget(options: Options): FreezeTarget {
  const scope = options.oneOf('scope', FREEZE_SCOPES);
  switch (scope) {
    case 'MERCHANT':
      return { scope, subject: options.uuid('merchant') };
    case 'TOKEN':
      return { scope, subject: options.text('token-id') };
    case 'NUMBER':
      return { scope, phoneNumber: readNumber(options.text('number')) };
    case 'PROVIDER':
      return { scope, subject: requireProvider(options.text('provider')) };
    case 'ALL':
      return { scope };
  }
}

function requireProvider(provider: string): string {
  if (findProvider(provider) !== null) return provider;
  throw new UsageError(`There is no provider ${provider}.`);
}
