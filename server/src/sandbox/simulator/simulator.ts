// The simulator: the HTTP service of the sandbox's operator, with its own books, faults and clock. It knows nothing
// about the gateway except the notification address in each request.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Clock } from '../../domain/clock.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import { Agenda } from '../fakes/agenda.ts';
import { Announcer, type Message } from '../fakes/announcements.ts';
import { send } from '../fakes/answer.ts';
import { Books, type BooksView } from '../fakes/books/books.ts';
import { renderStatus, type OpenCharge } from '../fakes/books/charge.ts';
import { Codes } from '../fakes/payers/codes.ts';
import type { Fault } from '../fakes/faults/fault.ts';
import { Faults } from '../fakes/faults/faults.ts';
import { Hanging, type HangingRequest } from '../fakes/faults/hanging.ts';
import { IssuedTokens, type Client } from './issued-tokens.ts';
import { openJournal } from '../fakes/books/journal.ts';
import { listen } from '../fakes/listen.ts';
import { plannedVerdict } from '../fakes/payers/outcomes.ts';
import { renderBarePayPage, type RenderPayPage } from '../fakes/payers/pay-page.ts';
import { Payers } from '../fakes/payers/payers.ts';
import { answerRequest, type SimulatorContext } from './routes.ts';
import { Scripts } from '../fakes/faults/scripts.ts';
import { settingsOf, type Settings } from '../fakes/settings.ts';
import { Transactions, type OperatorHabits } from '../fakes/books/transactions.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

export type SimulatorOptions = Client &
  Partial<Settings> & {
    readonly notificationSecret: string;
    readonly host?: string;
    /** 0: a free port. */
    readonly port?: number;
    readonly clock?: Clock;
    /** Whether /control answers. Only for tests and the sandbox: it has no password. */
    readonly control?: boolean;
    /** Where the books are stored; without it they are lost when the simulator stops. */
    readonly journalPath?: string;
    /** The opening float of every account, as an amount text. */
    readonly openingFloat?: string;
    /** The simulator's address for payers' browsers, if different from its own. */
    readonly publicUrl?: string;
    /** Renders the page to which payers are redirected. */
    readonly renderPayPage?: RenderPayPage;
  };

export type RunningSimulator = {
  readonly url: string;
  readonly port: number;
  readonly books: () => BooksView;
  readonly addFault: (fault: Fault) => void;
  readonly clearFaults: () => void;
  readonly changeSettings: (settings: Partial<Settings>) => void;
  readonly hanging: () => readonly HangingRequest[];
  readonly release: (id?: string) => number;
  /** Stops at once, like a killed operator: connections are cut and unsent notifications are lost. */
  readonly stop: () => Promise<void>;
};

export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer();
  const port = await listen(server, { host, port: options.port ?? 0 });
  const url = `http://${host}:${port}`;
  const { context, stop } = createParts(options, url);
  server.on('request', (request, response) => {
    answerRequest(context, request, response).catch(() =>
      send(response, { status: 500, json: { code: 'BUG' } }),
    );
  });
  return {
    url,
    port,
    books: () => {
      context.agenda.runDue();
      return context.books.view();
    },
    addFault: (fault) => context.faults.add(fault),
    clearFaults: () => context.faults.clear(),
    changeSettings: (settings) => void Object.assign(context.settings, settings),
    hanging: () => context.hanging.list(),
    release: (id) => context.hanging.release(id),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await stop();
    },
  };
}

function createParts(
  options: SimulatorOptions,
  url: string,
): { context: SimulatorContext; stop: () => Promise<void> } {
  const clock = options.clock ?? { now: () => new Date() };
  const settings = settingsOf(options);
  const journal = openJournal(options.journalPath);
  const books = new Books({ journal, openingFloat: floatOf(options) });
  const agenda = new Agenda(clock);
  const faults = new Faults();
  const announcer = new Announcer({
    render: (charge, { isForged }) =>
      renderMessage(charge, {
        secret: isForged ? randomBytes(32).toString('hex') : options.notificationSecret,
        at: clock.now(),
      }),
    settings,
    faults,
    agenda,
    clock,
  });
  const habits = habitsAt(options.publicUrl ?? url);
  const payers = new Payers();
  const codes = new Codes();
  const parts = { books, faults, agenda, announcer, payers, codes, settings, clock };
  const transactions = new Transactions({ ...parts, habits });
  const tokens = new IssuedTokens(options, clock);
  const isControlled = options.control ?? false;
  return {
    context: {
      ...parts,
      scripts: new Scripts(faults),
      hanging: new Hanging(),
      tokens,
      transactions,
      isControlled,
      renderPayPage: options.renderPayPage ?? renderBarePayPage,
    },
    stop: async () => {
      agenda.stop();
      await announcer.stop();
      journal.close();
    },
  };
}

function renderMessage(charge: OpenCharge, key: { secret: string; at: Date }): Message {
  const body = JSON.stringify(renderStatus(charge));
  const signature = signatureOf(Buffer.from(body), key);
  return {
    url: charge.notificationUrl,
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
    body,
  };
}

function habitsAt(publicUrl: string): OperatorHabits {
  return {
    createTransactionId: () => `SIM${randomBytes(8).toString('hex').toUpperCase()}`,
    plannedVerdict,
    // Wave redirects every payer to its own page.
    authorizationUrlOf: ({ operation, provider }, transactionId) =>
      operation === 'DEPOSIT' && provider.startsWith('WAVE_')
        ? `${publicUrl}/pay/${transactionId}`
        : undefined,
    refusalOf: (failureCode) => ({ status: 'FAILED', failureCode }),
    unknownCode: 'E9999',
  };
}

function floatOf({ openingFloat = '0' }: SimulatorOptions): Amount {
  const amount = parseAmount(openingFloat);
  if (amount === null) throw new Error(`openingFloat '${openingFloat}' is not an amount`);
  return amount;
}
