// Blocked and allowed phone numbers, of the platform and of merchants. To allow one, or to end a block, takes two
// people. Numbers are masked; who asks for one in full is recorded.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createRateLimiter } from '../../../core/access/rate-limit.ts';
import { missingCells } from '../../../core/cells/in-every-cell.ts';
import { exportNumbers, type NewEntry } from '../../../core/limits/listed-numbers.ts';
import {
  findNumber,
  readNumbers,
  readRequestedNumbers,
  revealNumber,
  revealRequestedNumbers,
} from '../../../core/limits/read-numbers.ts';
import { addNumbers, removeNumber, type NumbersChanged } from '../../../core/limits/request-numbers.ts';
import type { NumberList } from '../../../domain/limits/listed-number.ts';
import { maskPhoneNumber } from '../../../domain/masking.ts';
import type { ListedNumber } from '../../../store/limits/listed-numbers.ts';
import { renderPage, type Page } from '../../../wire/console/page.ts';
import {
  listedNumberCalls,
  NUMBER_FILE_BYTES_MAX,
  NUMBER_FILE_ROWS_MAX,
} from '../../../wire/console/platform/listed-number.ts';
import { show } from '../../../wire/console/show.ts';
import { NUMBER_FILE_HEADER, parseNumberFile, renderNumberLine } from '../../../wire/number-file.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { placeAfter, requirePage } from '../page.ts';
import {
  consoleRoutes,
  maySeeWords,
  orderedBy,
  requireMerchant,
  type ConsoleParts,
  type SignedInUser,
} from '../route.ts';
import { teamName } from '../sign-in/me.ts';
import { requireExpiry, requireNumber } from './freezes.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const REVEAL = { ...READ, reveals: true } as const;
const WRITE = { for: 'HOST', permission: 'risk:write', isDangerous: true } as const;
const EXPORT = { ...WRITE, reveals: true } as const;
const url = '/host/listed-numbers';
const requests = '/host/number-requests/:approvalId';

/** More than a person types. Somebody who tries all numbers behind a mask needs thousands. */
const SEARCHES = { perSecond: 0.5, burst: 30 };

export function registerListedNumbers(app: FastifyInstance, parts: ConsoleParts): void {
  registerReading(app, parts);
  registerRequests(app, parts);
  registerChanges(app, parts);
  registerFiles(app, parts);
}

function registerReading(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-numbers');
  const { engine } = parts;
  const searches = createRateLimiter(engine.wallClock, SEARCHES);
  route('GET', url, READ, listedNumberCalls.listNumbers, {
    summary: 'A list of phone numbers, what was added last first',
    handle: async ({ query, user }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const of = await requireList(parts, query);
      const rows = await readNumbers(engine, { ...of, after: placeAfter(page), countMax: page.countMax + 1 });
      return render(parts, user, { rows, page, cursorOf: (one) => [one.addedAt.toISOString(), one.entryId] });
    },
  });
  route('POST', `${url}/find`, REVEAL, listedNumberCalls.findNumber, {
    summary: 'On which lists a phone number is; asking is recorded',
    handle: async ({ body, user }) => {
      const phoneNumber = requireNumber(body.phoneNumber);
      if (searches.waitMsOf(user.personId) > 0) throw new ConsoleFailure('TOO_MANY_TRIES');
      const found = await findNumber(engine, { by: user.by, phoneNumber });
      return { entries: await Promise.all(found.map((one) => describe(parts, user, one))) };
    },
  });
  route('POST', `${url}/:entryId/reveal`, REVEAL, listedNumberCalls.revealNumber, {
    summary: 'A listed phone number in full; asking is recorded',
    handle: async ({ path, user: { by } }) => {
      const phoneNumber = await revealNumber(engine, { by, ...path });
      if (phoneNumber === null) throw new ConsoleFailure('NOT_FOUND');
      return { phoneNumber };
    },
  });
}

function registerRequests(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-numbers');
  const { engine } = parts;
  route('GET', requests, READ, listedNumberCalls.listRequestedNumbers, {
    summary: 'The phone numbers that a request adds to a list, or removes from it',
    handle: async ({ path, query, user }) => {
      const page = requirePage(query, ['uuid']);
      const rows = required(await readRequestedNumbers(engine, { ...path, ...pageOf(page) }));
      return render(parts, user, { rows, page, cursorOf: cursorById });
    },
  });
  route('POST', `${requests}/reveal`, REVEAL, listedNumberCalls.revealRequestedNumbers, {
    summary: 'The same page with the numbers in full; asking is recorded',
    handle: async ({ path, body, user }) => {
      const page = requirePage(body, ['uuid']);
      const order = { ...path, ...pageOf(page), by: user.by };
      const rows = required(await revealRequestedNumbers(engine, order));
      return render(parts, user, { rows, page, cursorOf: cursorById, isRevealed: true });
    },
  });
}

const cursorById = ({ entryId }: ListedNumber) => [entryId];

function pageOf({ after, countMax }: Page) {
  return { after: after?.[0] ?? null, countMax: countMax + 1 };
}

function registerChanges(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-numbers');
  route('POST', url, WRITE, listedNumberCalls.addNumber, {
    summary: 'Block a phone number, or request that it is allowed',
    handle: async ({ body, user }) => {
      const phoneNumber = requireNumber(body.phoneNumber);
      const expiresAt = requireExpiry(parts, body.expiresAt);
      return add(parts, user, body, [{ phoneNumber, reason: body.reason, expiresAt }]);
    },
  });
  route('POST', `${url}/:entryId/remove`, WRITE, listedNumberCalls.removeNumber, {
    summary: 'End an allowance, or request that a block ends',
    handle: async ({ path, user }) => {
      const answer = await removeNumber(parts.engine, { ...path, ...orderedBy(parts, user) });
      if (answer === 'NOT_FOUND') throw new ConsoleFailure('NOT_FOUND');
      return renderChanged(answer);
    },
  });
}

function registerFiles(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-numbers');
  route('POST', `${url}/import`, WRITE, listedNumberCalls.importNumbers, {
    summary: 'Add every phone number of a file; nothing is added where one line cannot be read',
    bodyBytesMax: NUMBER_FILE_BYTES_MAX,
    handle: async ({ body, user }) => {
      const entries = requireEntries(body.file);
      return { ...(await add(parts, user, body, entries)), count: entries.length };
    },
  });
  route('POST', `${url}/export`, EXPORT, listedNumberCalls.exportNumbers, {
    summary: 'A list as comma-separated values, with numbers in full; who asks is recorded',
    handle: async ({ body, user: { by } }) =>
      Readable.from(linesOf(parts, { ...(await requireList(parts, body)), by })),
  });
}

async function* linesOf({ engine }: ConsoleParts, order: Parameters<typeof exportNumbers>[1]) {
  yield `${NUMBER_FILE_HEADER}\r\n`;
  for await (const page of exportNumbers(engine, order))
    yield page.map((entry) => `${renderNumberLine(entry)}\r\n`).join('');
}

type Whose = { readonly list: NumberList; readonly merchantId?: string | undefined };

async function add(parts: ConsoleParts, user: SignedInUser, whose: Whose, entries: readonly NewEntry[]) {
  const of = await requireList(parts, whose);
  return renderChanged(await addNumbers(parts.engine, { ...of, ...orderedBy(parts, user), entries }));
}

async function requireList(parts: ConsoleParts, { list, merchantId }: Whose) {
  if (merchantId === undefined) return { list, merchantId: null };
  return { list, merchantId: (await requireMerchant(parts, merchantId)).merchantId };
}

function requireEntries(file: string): readonly NewEntry[] {
  const parsed = parseNumberFile(file);
  if (parsed.type === 'FAULT')
    throw failureBecause('INVALID_INPUT', `NUMBER_FILE_${parsed.fault}`, { line: String(parsed.line) });
  if (parsed.entries.length === 0) throw failureBecause('INVALID_INPUT', 'NUMBER_FILE_EMPTY');
  if (parsed.entries.length > NUMBER_FILE_ROWS_MAX)
    throw failureBecause('INVALID_INPUT', 'NUMBER_FILE_TOO_LONG', { rowsMax: String(NUMBER_FILE_ROWS_MAX) });
  return parsed.entries;
}

function renderChanged({ outcome, cells }: NumbersChanged) {
  return { outcome, missingCells: [...missingCells(cells)] };
}

type Rendering = {
  readonly rows: readonly ListedNumber[];
  readonly page: Page;
  readonly cursorOf: (row: ListedNumber) => readonly string[];
  readonly isRevealed?: boolean;
};

async function render(parts: ConsoleParts, user: SignedInUser, rendering: Rendering) {
  const { rows, page, cursorOf, isRevealed = false } = rendering;
  const { rows: shown, next } = renderPage(rows, page, { show: (one) => one, cursorOf });
  const described = shown.map((one) => describe(parts, user, one, isRevealed));
  return { rows: await Promise.all(described), next };
}

async function describe(parts: ConsoleParts, user: SignedInUser, one: ListedNumber, isRevealed = false) {
  const { merchantId, phoneNumber, expiresAt } = one;
  return {
    ...show(one, 'entryId', 'list', 'merchantId', 'expiresAt', 'addedBy', 'addedAt'),
    merchant: merchantId === null ? null : await teamName(parts, merchantId),
    phoneNumber: isRevealed ? phoneNumber : maskPhoneNumber(phoneNumber),
    reason: maySeeWords(user) ? one.reason : null,
    hasExpired: expiresAt !== null && expiresAt <= parts.engine.clock.now(),
  };
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new ConsoleFailure('NOT_FOUND');
  return value;
}
