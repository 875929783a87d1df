// Freezes: one of the platform's people stops outgoing payments at once; to lift a freeze takes two.
import type { FastifyInstance } from 'fastify';
import { missingCells } from '../../../core/cells/in-every-cell.ts';
import { freeze, labelOf, requestLiftOf, type FreezeTarget } from '../../../core/limits/freeze.ts';
import {
  findFreeze,
  readFreezesOfAll,
  revealFrozenNumber,
  type FreezeView,
} from '../../../core/limits/read-freezes.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { FreezeScope } from '../../../domain/limits/freeze.ts';
import { parseListedNumber } from '../../../domain/limits/listed-number.ts';
import { maskPhoneNumber } from '../../../domain/masking.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { freezeCalls } from '../../../wire/console/platform/freeze.ts';
import { momentOf } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, maySeeWords, orderedBy, type ConsoleParts, type SignedInUser } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const REVEAL = { ...READ, reveals: true } as const;
const WRITE = { for: 'HOST', permission: 'risk:write', isDangerous: true } as const;
const url = '/host/freezes';

export function registerFreezes(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-freezes');
  const { engine } = parts;
  route('GET', url, READ, freezeCalls.listFreezes, {
    summary: 'Freezes in force in every cell, the oldest first',
    handle: async ({ user }) => {
      const { freezes, missingCells: missing } = await readFreezesOfAll(engine);
      const shown = await Promise.all(freezes.map((one) => renderFreeze(parts, user, one)));
      return { freezes: shown, missingCells: [...missing] };
    },
  });
  route('POST', url, WRITE, freezeCalls.freeze, {
    summary: 'Stop outgoing payments of a merchant, a token, a recipient, a provider, or all',
    handle: async ({ body, user: { by } }) => {
      const target = requireTarget(body);
      const expiresAt = requireExpiry(parts, body.expiresAt);
      const answers = await freeze(engine, { by, target, reason: body.reason, expiresAt });
      const isKnown = answers.some((one) => one.type === 'CONFIRMED' && one.answer.isKnown);
      return { isKnown, missingCells: [...missingCells(answers)] };
    },
  });
  route('POST', `${url}/:freezeId/lift`, WRITE, freezeCalls.liftFreeze, {
    summary: 'Request that a freeze is lifted: payments that waited are sent, the oldest first',
    handle: async ({ path, body: { reason }, user }) => {
      const found = await findFreeze(engine, path.freezeId);
      if (found === null) throw new ConsoleFailure('NOT_FOUND');
      const answer = await requestLiftOf(engine, { freeze: found, reason, ...orderedBy(parts, user) });
      return { outcome: answer.outcome, missingCells: [...missingCells(answer.cells)] };
    },
  });
  route('POST', `${url}/:freezeId/reveal`, REVEAL, freezeCalls.revealFrozenNumber, {
    summary: 'The phone number of a frozen recipient in full; asking is recorded',
    handle: async ({ path, user: { by } }) => {
      const phoneNumber = await revealFrozenNumber(engine, { by, ...path });
      if (phoneNumber === null) throw new ConsoleFailure('NOT_FOUND');
      return { phoneNumber };
    },
  });
}

type Asked = {
  readonly scope: FreezeScope;
  readonly subject?: string | undefined;
  readonly phoneNumber?: string | undefined;
};

function requireTarget({ scope, subject, phoneNumber }: Asked): FreezeTarget {
  if (scope === 'ALL') return { scope };
  if (scope === 'NUMBER') return { scope, phoneNumber: requireNumber(phoneNumber ?? '') };
  if (subject === undefined) throw failureBecause('INVALID_INPUT', 'SUBJECT_MISSING');
  if (scope === 'PROVIDER' && findProvider(subject) === null)
    throw failureBecause('INVALID_INPUT', 'PROVIDER_UNKNOWN', { provider: subject });
  return { scope, subject: scope === 'MERCHANT' ? canonicalIdentifier(subject) : subject };
}

export function requireNumber(text: string): string {
  const number = parseListedNumber(text);
  if (number === null) throw failureBecause('INVALID_INPUT', 'PHONE_NUMBER_INVALID');
  return number;
}

/** Null: it does not expire. */
export function requireExpiry({ engine }: ConsoleParts, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const expiresAt = momentOf(text);
  if (expiresAt <= engine.clock.now()) throw failureBecause('INVALID_INPUT', 'EXPIRY_PAST');
  return expiresAt;
}

async function renderFreeze({ engine }: ConsoleParts, user: SignedInUser, one: FreezeView) {
  const { phoneNumber, subject } = one;
  return {
    ...show(one, 'freezeId', 'scope', 'frozenBy', 'frozenAt', 'expiresAt'),
    subject: phoneNumber === null ? subject : maskPhoneNumber(phoneNumber),
    name: phoneNumber === null ? await labelOf(engine.store.database, one) : null,
    reason: maySeeWords(user) ? one.reason : null,
    liftReason: maySeeWords(user) ? one.liftReason : null,
    cellsWithout: [...one.cellsWithout],
  };
}
