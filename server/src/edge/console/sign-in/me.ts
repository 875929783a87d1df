// Who is signed in, and how somebody joins.
import type { FastifyInstance } from 'fastify';
import { acceptInvitation, readInvitation } from '../../../core/merchants/team.ts';
import { createRateLimiter } from '../../../core/access/rate-limit.ts';
import { CONFIRMATION_MS } from '../../../domain/merchants/people.ts';
import { HOST_PERMISSIONS, MERCHANT_PERMISSIONS, permissionsOf } from '../../../domain/merchants/roles.ts';
import { UTC } from '../../../domain/time-zone.ts';
import { findRegionalSettings } from '../../../store/merchants/regional-settings.ts';
import {
  confirmSession,
  findLanguage,
  findPersonByEmail,
  setLanguage,
} from '../../../store/merchants/people.ts';
import { personCalls } from '../../../wire/console/person.ts';
import { done } from '../../../wire/console/shape.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, permissionsAt, type ConsoleParts, type SignedInUser } from '../route.ts';

/** A guess every ten seconds, and a few at once for fingers that slip. */
const GUESSES = { perSecond: 0.1, burst: 5 };

export function registerMe(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'person');
  route('GET', '/me', { for: 'SIGNED_IN' }, personCalls.readMe, {
    summary: 'Show the signed-in person and their permissions',
    handle: async ({ user }) => describeUser(parts, user),
  });
  route('PUT', '/me/language', { for: 'SIGNED_IN' }, personCalls.setLanguage, {
    summary: 'Set the language of mails',
    handle: async ({ user, body }) => {
      await setLanguage(parts.engine.store.database, user.personId, body.language);
      return done;
    },
  });
  route('GET', '/sign-in', { for: 'ANYBODY' }, personCalls.readSignIn, {
    summary: 'List the ways to sign in',
    handle: async () => ({ provider: parts.provider === null ? null : { name: parts.provider.name } }),
  });
  registerConfirmation(app, parts);
  registerJoining(app, parts);
}

function registerConfirmation(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'person');
  const { engine, signIn } = parts;
  // Made with the first guess: a document of the routes alone has no clock.
  let guesses: ReturnType<typeof createRateLimiter> | undefined;
  route('POST', '/me/confirm', { for: 'SIGNED_IN' }, personCalls.confirm, {
    summary: 'Confirm with the password, for ten minutes of sensitive actions',
    handle: async ({ user, body }) => {
      if (user.providerSubject !== null) throw failureBecause('CONFLICT', 'CONFIRM_AT_PROVIDER');
      guesses ??= createRateLimiter(engine.wallClock, GUESSES);
      if (guesses.waitMsOf(user.personId) > 0) throw new ConsoleFailure('TOO_MANY_TRIES');
      if (!(await signIn.isPassword(user.personId, body.password))) {
        throw new ConsoleFailure('WRONG_PASSWORD');
      }
      const now = await engine.wallClock.timeOf(engine.store.database);
      await confirmSession(engine.store.database, user.sessionId, now);
      return { confirmedUntil: new Date(now.getTime() + CONFIRMATION_MS).toISOString() };
    },
  });
}

function registerJoining(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'person');
  const { engine, signIn } = parts;
  route('GET', '/invitations/:token', { for: 'ANYBODY' }, personCalls.readInvitation, {
    summary: 'Show what an invitation is for',
    handle: async ({ path }) => {
      const invitation = await requireInvitation(parts, path.token);
      const { email, role, merchantId } = invitation;
      const isKnown = (await findPersonByEmail(engine.store.database, email)) !== null;
      return { email, role, team: await teamName(parts, merchantId), isKnown };
    },
  });
  route('POST', '/join', { for: 'ANYBODY' }, personCalls.join, {
    summary: 'Create an account from an invitation',
    handle: async ({ body }) => {
      const { email } = await requireInvitation(parts, body.token);
      if ((await findPersonByEmail(engine.store.database, email)) !== null) {
        throw failureBecause('CONFLICT', 'ACCOUNT_EXISTS');
      }
      const { personId } = await signIn.createPerson({ name: body.name, email, password: body.password });
      await accept(parts, { token: body.token, personId, email });
      return done;
    },
  });
  route('POST', '/invitations/accept', { for: 'SIGNED_IN' }, personCalls.acceptInvitation, {
    summary: 'Accept an invitation with an existing account',
    handle: async ({ user, body }) => {
      await accept(parts, { token: body.token, personId: user.personId, email: user.email });
      return done;
    },
  });
}

async function requireInvitation({ engine }: ConsoleParts, token: string) {
  const invitation = await readInvitation(engine, token);
  if (invitation === null) throw failureBecause('NOT_FOUND', 'INVITATION_INVALID');
  return invitation;
}

async function accept(
  { engine }: ConsoleParts,
  order: { readonly token: string; readonly personId: string; readonly email: string },
): Promise<void> {
  if ((await acceptInvitation(engine, order)) !== null) return;
  throw failureBecause('NOT_FOUND', 'INVITATION_INVALID');
}

async function describeUser(parts: ConsoleParts, user: SignedInUser) {
  const { engine, gateway, twoFactor } = parts;
  const host = user.memberships.find(({ merchantId }) => merchantId === null);
  const merchants = user.memberships.flatMap(({ merchantId, role }) =>
    merchantId === null ? [] : [{ merchantId, role }],
  );
  return {
    personId: user.personId,
    language: await findLanguage(engine.store.database, user.personId),
    name: user.name,
    email: user.email,
    hasTwoFactor: user.hasTwoFactor,
    needsTwoFactor: twoFactor === 'REQUIRED' && !user.hasTwoFactor && !user.isMultiFactor,
    signedInWith: user.providerSubject === null ? ('PASSWORD' as const) : ('PROVIDER' as const),
    environment: engine.environment,
    gateway,
    host:
      host === undefined
        ? null
        : {
            role: host.role,
            permissions: permissionsOf(host.role).filter((one) =>
              HOST_PERMISSIONS.some((own) => own === one),
            ),
            withinMerchants: permissionsOf(host.role).filter((one) =>
              MERCHANT_PERMISSIONS.some((within) => within === one),
            ),
          },
    merchants: await Promise.all(
      merchants.map(async ({ merchantId, role }) => ({
        merchantId,
        role,
        name: await teamName(parts, merchantId),
        ...(await regionOf(parts, merchantId)),
        permissions: [...permissionsAt(user, merchantId)],
      })),
    ),
  };
}

/** Not from the directory, which is some seconds behind: who changes them sees them changed. */
async function regionOf({ engine }: ConsoleParts, merchantId: string) {
  const found = await findRegionalSettings(engine.store.database, merchantId);
  return { timeZone: found?.timeZone ?? UTC, homeCurrency: found?.homeCurrency ?? null };
}

export async function teamName(
  { engine, gateway }: ConsoleParts,
  merchantId: string | null,
): Promise<string> {
  if (merchantId === null) return gateway;
  return (await engine.directory.merchant(merchantId))?.companyName ?? merchantId;
}
