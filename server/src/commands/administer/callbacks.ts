// Callbacks manually: what was sent, sending it again, switching on what was switched off, and notices about that.
import { isMailAddress } from '../../callbacks/mail.ts';
import {
  changeContact,
  enableCallbacks,
  readCallback,
  replay,
} from '../../core/merchants/administer-callbacks.ts';
import { ANNOUNCED_KINDS } from '../../domain/payments/payment.ts';
import {
  listCallbacks,
  type LoggedCallback,
  type OpenedCallback,
} from '../../store/callbacks/callback-log.ts';
import { REPLAYED } from '../../store/callbacks/callback-repeats.ts';
import { eventIdOf } from '../../store/callbacks/callbacks.ts';
import { listNotices } from '../../store/callbacks/notices.ts';
import {
  print,
  readOptions,
  refuse,
  requireCount,
  requirePerson,
  requireSomeOf,
  requireText,
  requireTime,
  requireUuid,
  TEXT,
  UsageError,
  withGateway,
  withMerchant,
  type Command,
} from '../command.ts';

const ALL = { ...TEXT, default: 'all' } as const;
const LIMIT = { ...TEXT, default: '50' } as const;

const callbacksCommand: Command = {
  usage: '--merchant ID [--payment ID] [--limit 50]',
  summary: "list a merchant's callbacks, the newest last: event, payment, state, delivery",
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, payment: TEXT, limit: LIMIT });
    const paymentId = values['payment'] === undefined ? null : requireUuid(values, 'payment');
    const countMax = requireCount(values, 'limit');
    await withMerchant(values, async ({ store }, { merchantId }) => {
      const found = await listCallbacks(store.database, { merchantId, paymentId, countMax });
      for (const callback of found.toReversed()) print(renderCallbackLine(callback));
    });
  },
};

const showCallbackCommand: Command = {
  usage: '--merchant ID --callback ID --by NAME',
  summary:
    'show a callback with its body and every answer; they can contain personal data, so it is recorded ' +
    'who looks',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, callback: TEXT, by: TEXT });
    const order = { by: requirePerson(values), callbackId: requireUuid(values, 'callback') };
    await withMerchant(values, async (engine, { merchantId }) => {
      const found = await readCallback(engine, { ...order, merchantId });
      if (found === null) refuse('There is no such callback.');
      else print(renderOpened(found));
    });
  },
};

const replayCommand: Command = {
  usage:
    '--merchant ID --from TIME --to TIME [--kind DEPOSIT,…|all] ' +
    `[--status ${REPLAYED.join(',')}|all] --by NAME`,
  summary:
    'send callbacks again for payments that ended in a period; default: those that were never acknowledged',
  run: async (args) => {
    const values = readOptions(args, {
      merchant: TEXT,
      from: TEXT,
      to: TEXT,
      kind: ALL,
      status: { ...TEXT, default: 'ABANDONED,MISSING' },
      by: TEXT,
    });
    const order = {
      by: requirePerson(values),
      from: requireTime(values, 'from'),
      to: requireTime(values, 'to'),
      kinds: requireSomeOf(ANNOUNCED_KINDS, values, 'kind'),
      statuses: requireSomeOf(REPLAYED, values, 'status'),
    };
    if (order.from >= order.to) throw new UsageError('--from must be before --to.');
    await withMerchant(values, async (engine, { merchantId }) => {
      print(`${await replay(engine, { ...order, merchantId })} callbacks will be sent again`);
    });
  },
};

const enableCommand: Command = {
  usage: '--merchant ID [--kind DEPOSIT,…|all] --by NAME',
  summary:
    'enable callback URLs that were disabled because they failed; send what was missed with callback replay',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, kind: ALL, by: TEXT });
    const order = { by: requirePerson(values), kinds: requireSomeOf(ANNOUNCED_KINDS, values, 'kind') };
    await withMerchant(values, async (engine, { merchantId }) => {
      const enabled = await enableCallbacks(engine, { ...order, merchantId });
      print(enabled.length === 0 ? 'nothing was switched off' : `enabled ${enabled.join(' ')}`);
    });
  },
};

const setContactCommand: Command = {
  usage: '--merchant ID --email ADDRESS --by NAME',
  summary: "set the address that a merchant's notices are mailed to",
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, email: TEXT, by: TEXT });
    const by = requirePerson(values);
    const email = requireText(values, 'email');
    if (!isMailAddress(email)) throw new UsageError('--email must be one address, such as ana@shop.example.');
    await withMerchant(values, async (engine, { merchantId }) => {
      await changeContact(engine, { by, merchantId, email });
      print('set');
    });
  },
};

const noticesCommand: Command = {
  usage: '[--merchant ID] [--limit 50]',
  summary: 'list the notices that merchants were sent, the newest last, and whether each was mailed',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, limit: LIMIT });
    const merchantId = values['merchant'] === undefined ? null : requireUuid(values, 'merchant');
    const countMax = requireCount(values, 'limit');
    await withGateway(async ({ engine }) => {
      const notices = await listNotices(engine.store.database, { merchantId, countMax });
      for (const { noticedAt, merchantId: of, topic, detail, mailedAt } of notices.toReversed()) {
        const mailed = mailedAt === null ? 'not mailed' : `mailed ${mailedAt.toISOString()}`;
        print([noticedAt.toISOString(), of, topic, JSON.stringify(detail), mailed].join('\t'));
      }
    });
  },
};

function renderCallbackLine(callback: LoggedCallback): string {
  const { createdAt, callbackId, kind, paymentId, announcedState, status, attemptCount, dueAt } = callback;
  const waits = status === 'PENDING' ? [`next ${dueAt.toISOString()}`] : [];
  const facts = [createdAt.toISOString(), callbackId, `event ${eventIdOf(callback)}`, kind, paymentId];
  return [...facts, announcedState, status, `${attemptCount} attempts`, ...waits].join('\t');
}

function renderOpened(callback: OpenedCallback): string {
  const attempts = callback.attempts.map((attempt) => {
    const { attemptNo, startedAt, durationMs, httpStatus, errorCode, answer } = attempt;
    const facts = [attemptNo, startedAt.toISOString(), `${durationMs} ms`, httpStatus ?? errorCode ?? '-'];
    // On one line, whatever the answer holds.
    return `  ${[...facts, JSON.stringify(answer ?? '')].join('\t')}`;
  });
  return [renderCallbackLine(callback), `  body\t${callback.body ?? 'not yet made'}`, ...attempts].join('\n');
}

export const callbackCommands: ReadonlyMap<string, Command> = new Map([
  ['callback list', callbacksCommand],
  ['callback show', showCallbackCommand],
  ['callback replay', replayCommand],
  ['callback-url enable', enableCommand],
  ['contact set', setContactCommand],
  ['notice list', noticesCommand],
]);
