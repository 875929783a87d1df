// `operator certify`: tries an operator account and writes the evidence.
import { rm, writeFile } from 'node:fs/promises';
import { readConfig, type Config } from '../../config.ts';
import type { CertificationNumbers, Exchange, Operator } from '../../connectors/operator.ts';
import type { Connector } from '../../connectors/port.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import { certify, type Certificate, type CaseResult } from '../../core/certification/certify.ts';
import { Inbox } from '../../core/certification/inbox.ts';
import { findCertifiedAccount, orderFor, type Wishes } from '../../core/certification/order.ts';
import type { Patience, TrialEngine } from '../../core/certification/trial.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import type { listenForMessages } from '../../edge/operators/certification-listener.ts';
import { withGateway, type Command } from '../command.ts';
import { print, refuse, row, tell } from '../output.ts';
import { readOptions, UsageError, type Options } from '../options.ts';
import { createOperatorConnectors } from '../serve/operator-connectors.ts';
import { VERSION } from '../version.ts';

const USAGE =
  'CONNECTOR --account PROVIDER [--number NUMBER] [--refusing-number NUMBER] [--silent-number NUMBER] ' +
  '[--amount AMOUNT] [--currency CODE] [--code CODE] [--listen PORT] [--real-money] --file PATH --by NAME';

export const certifyCommands: Readonly<Record<string, Command>> = {
  'operator certify': {
    usage: USAGE,
    summary: 'try an account with small payments and write the evidence to a new file',
    run: async ([connector = '', ...args]) => {
      const operator = Object.hasOwn(OPERATORS, connector) ? OPERATORS[connector] : undefined;
      if (operator === undefined)
        throw new UsageError(`CONNECTOR must be one of ${Object.keys(OPERATORS).join(', ')}.`);
      const options = readOptions(USAGE, args);
      const asked: Asked = {
        connector,
        operator,
        by: options.person(),
        wishes: requireWishes(options),
        port: requirePort(options),
        file: options.text('file'),
      };
      const config = readConfig();
      await withGateway(async ({ engine }) => {
        const opened = await openConnector(engine, config, asked);
        try {
          await certifyAccount(engine, opened, asked);
        } finally {
          await opened.close();
        }
      });
    },
  },
};

type Asked = {
  readonly connector: string;
  readonly operator: Operator;
  readonly by: string;
  readonly wishes: Wishes;
  /** Where messages are listened for; null: nowhere. */
  readonly port: number | null;
  readonly file: string;
};

function requireWishes(options: Options): Wishes {
  const provider = findProvider(options.text('account'));
  if (provider === null)
    throw new UsageError('--account must be the code of a provider, such as MTN_MOMO_RWA.');
  const numbers: Partial<Record<keyof CertificationNumbers, string>> = {};
  for (const [name, option] of Object.entries(NUMBER_OPTIONS) as [keyof CertificationNumbers, string][]) {
    if (options.isGiven(option)) numbers[name] = requireNumber(options, option);
  }
  return {
    provider,
    numbers,
    amount: options.isGiven('amount') ? options.amount() : null,
    currency: options.textOrNull('currency'),
    code: options.textOrNull('code'),
    isRealMoney: options.isGiven('real-money'),
  };
}

const NUMBER_OPTIONS: Readonly<Record<keyof CertificationNumbers, string>> = {
  paying: 'number',
  refusing: 'refusing-number',
  silent: 'silent-number',
};

function requireNumber(options: Options, option: string): string {
  const text = options.text(option);
  if (/^\d{8,15}$/.test(text)) return text;
  throw new UsageError(`--${option} must be a phone number with its country code, digits only.`);
}

function requirePort(options: Options): number | null {
  const text = options.textOrNull('listen');
  if (text === null) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('--listen must be a port.');
}

/** A payer has about five minutes. */
const PATIENCE: Patience = { endMs: 360_000, askEveryMs: 10_000 };

type CertifySettings = Pick<Config, 'host' | 'operators' | 'operatorsUrl'>;

export async function certifyAccount(
  engine: TrialEngine,
  opened: OpenedConnector,
  asked: Asked,
  patience = PATIENCE,
): Promise<void> {
  const { wishes, file } = asked;
  const { certification } = asked.operator;
  const { code: provider } = wishes.provider;
  const account = await findCertifiedAccount(engine, opened.connector, { certification, provider });
  const order = orderFor(certification, account, wishes);
  if ('refusal' in order) return refuse(order.refusal);
  if (!(await write(file, {}, 'wx'))) return refuse(`${file} exists already, or cannot be written.`);
  const onResult = async (certificate: Certificate, latest: CaseResult) => {
    print(row(WORDS[latest.result], latest.name, latest.said));
    const isWritten = await write(file, { malipo: VERSION, node: process.version, ...certificate }, 'w');
    if (!isWritten) tell(`${file} cannot be written.`);
  };
  const tools = { ...opened, engine, certification, order, patience, tell, onResult };
  const certificate = await certify(tools, asked);
  if ('runId' in certificate) return report(certificate, file);
  await rm(file);
  refuse(certificate.refusal);
}

export type OpenedConnector = {
  readonly connector: Connector;
  readonly exchanges: readonly Exchange[];
  readonly inbox: Inbox | null;
  readonly operatorsUrl: string;
  readonly close: () => Promise<void>;
};

/** A connector of its own: what it exchanges is heard, and answers come to this process. */
export async function openConnector(
  engine: TrialEngine,
  config: CertifySettings,
  { connector: name, port }: Pick<Asked, 'connector' | 'port'>,
): Promise<OpenedConnector> {
  const { store, clock, referenceKey } = engine;
  const exchanges: Exchange[] = [];
  let operatorsUrl = config.operatorsUrl ?? '';
  const operators = createOperatorConnectors({
    ...config.operators,
    database: store.database,
    keyring: store.keyring,
    referenceKey,
    clock,
    rememberMs: 0,
    operatorsUrl: () => operatorsUrl,
    onExchange: (exchange) => exchanges.push(exchange),
    onError: () => tell('The record of a call could not be stored in the database.'),
  });
  const connector = operators.connectors.find((one) => one.name === name);
  if (connector === undefined) throw new Error(`There is no connector ${name}.`);
  const inbox = port === null ? null : new Inbox(engine);
  const listener =
    port === null || inbox === null
      ? null
      : await listen(engine, { inbox, connector }, { host: config.host, port });
  operatorsUrl ||= listener?.url ?? '';
  if (operatorsUrl === '') throw new UsageError('MALIPO_OPERATORS_URL is not set. Set it, or use --listen.');
  if (listener !== null)
    tell(`Messages are listened for at ${listener.url}; operators call ${operatorsUrl}.`);
  const close = async () => {
    await listener?.close();
    await operators.close();
  };
  return { connector, exchanges, inbox, operatorsUrl, close };
}

/** Other commands do not load a web server. */
async function listen(...args: Parameters<typeof listenForMessages>) {
  const listener = await import('../../edge/operators/certification-listener.ts');
  try {
    return await listener.listenForMessages(...args);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new UsageError('The port of --listen is in use.') : error;
  }
}

const WORDS: Readonly<Record<CaseResult['result'], string>> = {
  PROVED: 'proved',
  FAILED: 'FAILED',
  NOT_TRIED: 'not tried',
};

const PLACES: Readonly<Record<Certificate['place'], string>> = {
  FAKE: 'This was a fake on this machine: it proves nothing about the operator.',
  SANDBOX: "This was the operator's sandbox: its production may behave differently.",
  REAL: 'This was a real account.',
};

function report(certificate: Certificate, file: string): void {
  const { results, place, floatChange, currency, provider, questions } = certificate;
  const count = (result: CaseResult['result']) => results.filter((one) => one.result === result).length;
  print(
    `${count('PROVED')} proved, ${count('FAILED')} failed, ${count('NOT_TRIED')} not tried. ${PLACES[place]}`,
  );
  if (place === 'REAL') {
    print(
      `Not in the books: the float of ${provider} changed by ${floatChange} ${currency}. See float move.`,
    );
  }
  print('Ask the operator, or check yourself:');
  for (const question of questions) print(`- ${question}`);
  tell(`The evidence is in ${file}.`);
  const failed = results.filter(({ result }) => result === 'FAILED').map(({ name }) => name);
  if (failed.length > 0) refuse(`Do not go live with this account. Failed: ${failed.join(', ')}.`);
}

/** False where it cannot be written. Only its owner can read it. */
async function write(path: string, value: object, flag: 'w' | 'wx'): Promise<boolean> {
  try {
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { flag, mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
