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
import { gatewayCommand, merchantCommand } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError } from '../options.ts';

export const callbackCommands = {
  'callback list': merchantCommand({
    usage: '--merchant ID [--payment ID] [--limit 50]',
    summary: 'list callbacks',
    read: (options) => ({ paymentId: options.uuidOrNull('payment'), countMax: options.count('limit', 50) }),
    run: async ({ store }, order) => {
      const found = await listCallbacks(store.database, order);
      for (const callback of found.toReversed()) print(renderCallbackLine(callback));
    },
  }),
  'callback show': merchantCommand({
    usage: '--merchant ID --callback ID --by NAME',
    summary: 'show a callback with body and answers',
    read: (options) => ({ by: options.person(), callbackId: options.uuid('callback') }),
    run: async (engine, order) => {
      const found = await readCallback(engine, order);
      if (found === null) refuse('There is no such callback.');
      else print(renderOpened(found));
    },
  }),
  'callback replay': merchantCommand({
    usage:
      '--merchant ID --from TIME --to TIME [--kind DEPOSIT,…|all] ' +
      `[--status ${REPLAYED.join(',')}|all] --by NAME`,
    summary: 'send callbacks of a period again; default: those never acknowledged',
    read: (options) => {
      const [from, to] = [options.time('from'), options.time('to')];
      if (from >= to) throw new UsageError('--from must be before --to.');
      const kinds = options.someOf('kind', ANNOUNCED_KINDS, 'all');
      const statuses = options.someOf('status', REPLAYED, 'ABANDONED,MISSING');
      return { by: options.person(), from, to, kinds, statuses };
    },
    run: async (engine, order) => print(`${await replay(engine, order)} callbacks will be sent again`),
  }),
  'callback-url enable': merchantCommand({
    usage: '--merchant ID [--kind DEPOSIT,…|all] --by NAME',
    summary: 'enable disabled callback URLs; then use callback replay',
    read: (options) => ({ by: options.person(), kinds: options.someOf('kind', ANNOUNCED_KINDS, 'all') }),
    run: async (engine, order) => {
      const enabled = await enableCallbacks(engine, order);
      print(enabled.length === 0 ? 'no callback URL was disabled' : `enabled ${enabled.join(' ')}`);
    },
  }),
  'contact set': merchantCommand({
    usage: '--merchant ID --email ADDRESS --by NAME',
    summary: 'set the address for notices',
    read: (options) => {
      const order = { by: options.person(), email: options.text('email') };
      if (isMailAddress(order.email)) return order;
      throw new UsageError('--email must be one email address, such as ana@shop.example.');
    },
    run: async (engine, order) => {
      await changeContact(engine, order);
      print('set');
    },
  }),
  'notice list': gatewayCommand({
    usage: '[--merchant ID] [--limit 50]',
    summary: 'list notices to merchants',
    read: (options) => ({ merchantId: options.uuidOrNull('merchant'), countMax: options.count('limit', 50) }),
    run: async ({ engine }, order) => {
      const notices = await listNotices(engine.store.database, order);
      for (const { noticedAt, merchantId, topic, detail, mailedAt } of notices.toReversed()) {
        const mailed = mailedAt === null ? 'not mailed' : `mailed ${mailedAt.toISOString()}`;
        print(row(noticedAt, merchantId, topic, JSON.stringify(detail), mailed));
      }
    },
  }),
};

function renderCallbackLine(callback: LoggedCallback): string {
  const { createdAt, callbackId, kind, paymentId, announcedState, status, attemptCount, dueAt } = callback;
  const facts = row(createdAt, callbackId, `event ${eventIdOf(callback)}`, kind, paymentId);
  const waits = status === 'PENDING' ? [`next ${dueAt.toISOString()}`] : [];
  return row(facts, announcedState, status, `${attemptCount} attempts`, ...waits);
}

function renderOpened(callback: OpenedCallback): string {
  const attempts = callback.attempts.map((attempt) => {
    const { attemptNo, startedAt, durationMs, httpStatus, errorCode, answer } = attempt;
    // On one line, whatever the answer holds.
    const answered = JSON.stringify(answer ?? '');
    return `  ${row(attemptNo, startedAt, `${durationMs} ms`, httpStatus ?? errorCode, answered)}`;
  });
  return [renderCallbackLine(callback), `  body\t${callback.body ?? 'not created yet'}`, ...attempts].join(
    '\n',
  );
}
