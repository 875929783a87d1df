// The common parts of an operator's fake: books, faults, a clock, notifications and control. A fake adds its protocol:
// routes, answers and announcements.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../../domain/clock.ts';
import { parseAmount } from '../../domain/money.ts';
import { parseObject } from '../../connectors/json.ts';
import { Agenda } from './agenda.ts';
import { Announcer, type Message, type RenderMessage } from './announcements.ts';
import { readText, refusal, send, type Answer } from './answer.ts';
import { Books } from './books/books.ts';
import { Codes } from './payers/codes.ts';
import { answerControl } from './control.ts';
import { exchange } from './exchange.ts';
import type { Step } from './faults/fault.ts';
import { Faults, type Subject } from './faults/faults.ts';
import { Hanging } from './faults/hanging.ts';
import { openJournal } from './books/journal.ts';
import { listen } from './listen.ts';
import { answerPayer } from './payers/answer-payer.ts';
import { renderBarePayPage } from './payers/pay-page.ts';
import { Payers } from './payers/payers.ts';
import { Scripts } from './faults/scripts.ts';
import { settingsOf, type Settings } from './settings.ts';
import { Transactions, type OperatorHabits } from './books/transactions.ts';
import type { FakeOptions, OperatorFake } from './operator-fake.ts';

/** What a fake's protocol can use. */
export type FakeContext = {
  readonly url: string;
  readonly clock: Clock;
  readonly books: Books;
  readonly transactions: Transactions;
  readonly settings: Settings;
  /** Sends a message that does not announce an end, such as the result of an enquiry. */
  readonly post: (message: Message) => Promise<boolean>;
  readonly options: FakeOptions;
};

/** The protocol of one operator. */
export type FakeProtocol = {
  readonly routes: readonly Route[];
  /** Renders the announcement of an ended charge, and a forged one. */
  readonly render: RenderMessage;
  readonly habits: Partial<OperatorHabits> & Pick<OperatorHabits, 'createTransactionId' | 'unknownCode'>;
  readonly credentialsOf: OperatorFake['credentialsOf'];
};

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Named groups are passed on as `path`. */
  readonly path: RegExp;
  /** Which faults apply here. Faults of the first kind apply to a submit. */
  readonly step: Step;
  /** Refuses a caller, before any fault, because a refused call has no effect. */
  readonly refuses?: (call: FakeCall) => Answer | null;
  /** The transaction of the request, for faults with an aim. */
  readonly subject?: (call: FakeCall) => Subject;
  /** Executes the request. */
  readonly answer: (call: FakeCall) => Answer;
};

export type FakeCall = {
  readonly headers: IncomingMessage['headers'];
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly text: string;
  /** The body as an object; empty if it is not one. */
  readonly body: Readonly<Record<string, unknown>>;
};

export async function startFakeKit(
  options: FakeOptions,
  describe: (context: FakeContext) => FakeProtocol,
): Promise<OperatorFake> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer();
  const port = await listen(server, { host, port: options.port ?? 0 });
  const url = `http://${host}:${port}`;
  const fake = createParts(options, url, describe);
  server.on('request', (request, response) => {
    fake.answer(request, response).catch(() => send(response, { status: 500, json: { code: 'BUG' } }));
  });
  const { books, agenda, faults, settings, hanging } = fake;
  return {
    url,
    port,
    credentialsOf: fake.protocol.credentialsOf,
    books: () => {
      agenda.runDue();
      return books.view();
    },
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    changeSettings: (changes) => void Object.assign(settings, changes),
    hanging: () => hanging.list(),
    release: (id) => hanging.release(id),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await fake.stop();
    },
  };
}

function createParts(options: FakeOptions, url: string, describe: (context: FakeContext) => FakeProtocol) {
  const clock = options.clock ?? { now: () => new Date() };
  const settings = settingsOf(options);
  const journal = openJournal(options.journalPath);
  const books = new Books({ journal, openingFloat: parseAmount(options.openingFloat ?? '0') ?? 0n });
  const agenda = new Agenda(clock);
  const faults = new Faults();
  const hanging = new Hanging();
  // Protocol and context need each other, but only when requests arrive.
  const protocolOf = (): FakeProtocol => protocol;
  const render: RenderMessage = (charge, reported) => protocolOf().render(charge, reported);
  const announcer = new Announcer({ render, settings, faults, agenda, clock });
  const habits = lateHabits(() => protocolOf().habits);
  const payers = new Payers();
  const codes = new Codes();
  const parts = { books, faults, agenda, announcer, payers, codes, settings, clock };
  const transactions = new Transactions({ ...parts, habits });
  const post = (message: Message) => announcer.post(message);
  const protocol = describe({ url, clock, books, transactions, settings, post, options });
  const payPage = { transactions, payers, renderPayPage: renderBarePayPage };
  const controls = { ...parts, scripts: new Scripts(faults), transactions, hanging };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    if (text === null) return send(response, refusal('body'));
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const [, root, collection = '', ...rest] = pathname.split('/');
    if (root === 'control' && options.control === true) {
      const name = rest.length === 0 ? undefined : rest.join('/');
      const route = `${request.method} ${collection}`;
      return send(response, answerControl(controls, { route, name, body: parseObject(text) ?? {} }));
    }
    const found = findRoute(protocol.routes, request.method, pathname);
    if (found === null) {
      const charge = transactions.list().find((one) => one.authorizationUrl === `${url}${pathname}`);
      return send(response, answerPayer(payPage, charge, { method: request.method ?? 'GET', text }));
    }
    const { route, path } = found;
    const { headers } = request;
    const call = { headers, path, query: searchParams, text, body: parseObject(text) ?? {} };
    const refused = route.refuses?.(call) ?? null;
    if (refused !== null) return send(response, refused);
    const aim = { step: route.step, subject: route.subject?.(call) ?? {} };
    return exchange({ faults, hanging, settings }, response, aim, () => route.answer(call));
  };
  const stop = async () => {
    agenda.stop();
    await announcer.stop();
    journal.close();
  };
  return { books, agenda, faults, hanging, settings, protocol, answer, stop };
}

/** Default behaviour: payments succeed, and no payer is redirected. */
function lateHabits(own: () => FakeProtocol['habits']): OperatorHabits {
  return {
    createTransactionId: () => own().createTransactionId(),
    plannedVerdict: (request) => own().plannedVerdict?.(request) ?? { status: 'SUCCESSFUL' },
    authorizationUrlOf: (request, transactionId) => own().authorizationUrlOf?.(request, transactionId),
    refusalOf: (reason) => own().refusalOf?.(reason) ?? { status: 'FAILED' },
    get unknownCode() {
      return own().unknownCode;
    },
  };
}

function findRoute(routes: readonly Route[], method: string | undefined, pathname: string) {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(pathname) : null;
    if (match === null) continue;
    const groups = Object.entries(match.groups ?? {});
    return {
      route,
      path: Object.fromEntries(groups.map(([name, text]) => [name, decodeURIComponent(text)])),
    };
  }
  return null;
}

/** An answer that is not JSON, as proxies send. */
export function htmlAnswer(status: number, text: string): Answer {
  return { status, page: { text, headers: { 'content-type': 'text/html; charset=utf-8' } } };
}

/** The reference in the path of a notification address, for protocols whose messages do not contain it. */
export function referenceIn(notificationUrl: string): string {
  return /([^/]+)\/[^/]+$/.exec(notificationUrl)?.[1] ?? '';
}

/** The address with an invented secret: the most that a sender can do who knows only the reference. */
export function withForgedSecret(notificationUrl: string): string {
  return notificationUrl.replace(/[^/]+$/, (secret) => '0'.repeat(secret.length));
}
