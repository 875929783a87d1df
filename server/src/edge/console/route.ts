// What every call of the console's API goes through: who is it, may they do this here, have they confirmed that it is
// them, and only then what they ask for. A route says what it needs; nothing is permitted that no route asked about.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountNotice } from '../../callbacks/people-mail.ts';
import type { SecondApprover } from '../../core/approvals/request.ts';
import type { Engine } from '../../core/engine.ts';
import type { MonitorSettings } from '../../core/monitoring/monitor.ts';
import type { RetentionSettings } from '../../core/retention.ts';
import { canonicalIdentifier, isUuid } from '../../domain/identifier.ts';
import type { ApprovalLimits } from '../../domain/payments/payout-batch.ts';
import { CONFIRMATION_MS } from '../../domain/merchants/people.ts';
import {
  MERCHANT_PERMISSIONS,
  permissionsOf,
  type HostPermission,
  type MerchantPermission,
  type Permission,
} from '../../domain/merchants/roles.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { findConfirmation, listMemberships, type Membership } from '../../store/merchants/people.ts';
import { consoleFailureSchema } from '../../wire/console/failure.ts';
import {
  readPart,
  type AnswerOf,
  type CallOf,
  type NamedShape,
  type Shape,
} from '../../wire/console/shape.ts';
import { isJsonObject, valueAt } from '../../wire/json.ts';
import type { OperationKey } from '../../domain/payments/payment.ts';
import { nameSubjects } from '../log-subjects.ts';
import { readJson } from '../request.ts';
import { orUnavailable } from '../request-failure.ts';
import { ConsoleFailure, failureBecause } from './failure.ts';
import type { Session, SignIn } from './sign-in/sign-in.ts';
import { originOf } from './sign-in/web-request.ts';

/** What the console is made of. */
export type ConsoleParts = {
  readonly engine: Engine;
  readonly signIn: SignIn;
  /** The host's name for this gateway. */
  readonly gateway: string;
  /** Whether everybody must have two-factor authentication. */
  readonly twoFactor: 'REQUIRED' | 'OPTIONAL';
  /** Where people can sign in besides. Null: with passwords only. */
  readonly provider: { readonly name: string; readonly platform: 'REQUIRED' | 'OPTIONAL' } | null;
  /** Whether what lets money out by the API, and who decides, takes two people. */
  readonly secondApprover: SecondApprover;
  /** How often monitors look. */
  readonly monitor: MonitorSettings;
  readonly retention: RetentionSettings;
  /** Up to so much in a day a merchant's payouts need no second approver, where the merchant says nothing itself. */
  readonly payoutApprovalAbove: ApprovalLimits;
  /** Mails the link of an invitation. Null where no mails are sent: then the link is shown. */
  readonly mailInvitation: ((mail: InvitationMail) => Promise<void>) | null;
  /** Mails the link by which somebody chooses a new password. */
  readonly mailReset: ((mail: { readonly email: string; readonly token: string }) => Promise<void>) | null;
  /** Mails somebody what happened to their account. Null where no mails are sent. */
  readonly mailNotice:
    | ((mail: { readonly email: string; readonly notice: AccountNotice }) => Promise<void>)
    | null;
};

export type InvitationMail = { readonly email: string; readonly link: string; readonly team: string };

/** Somebody who is signed in. */
export type SignedInUser = Session & {
  readonly memberships: readonly Membership[];
  /** Their name in the audit log. */
  readonly by: string;
};

/** Who may call: anybody at all, anybody signed in, or anyone who has a permission. */
export type Access =
  | { readonly for: 'ANYBODY' }
  | { readonly for: 'SIGNED_IN' }
  | Permitted<'MERCHANT', MerchantPermission>
  | Permitted<'HOST', HostPermission>;

type Permitted<For, Needed extends Permission> = {
  readonly for: For;
  readonly permission: Needed;
  readonly isDangerous?: true;
  /** What is handed out names people: the right to reveal them is needed too. */
  readonly reveals?: true;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route of the console. */
    readonly access?: Access;
  }
}

type Answering<Called extends Shape, Allowed extends Access> = {
  readonly summary: string;
  /** Where bodies may be larger than elsewhere. Then nothing is read of one before it is known who sends it. */
  readonly bodyBytesMax?: number;
  readonly handle: (
    call: CallOf<Called> & {
      readonly user: Allowed extends { for: 'ANYBODY' } ? null : SignedInUser;
      readonly request: FastifyRequest;
      /** Where people reach us. */
      readonly origin: string;
    },
  ) => Promise<AnswerOf<Called>>;
};

/** Adds a route below /console/api. One FOR a MERCHANT begins with /merchants/:merchantId. */
type AddRoute = <Called extends NamedShape, Allowed extends Access>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  access: Allowed,
  call: Called,
  answering: Answering<Called, Allowed>,
) => void;

export const API_PATH = '/console/api';

const REVEAL = 'payments:reveal';

/** What adds routes with this tag. */
export function consoleRoutes(app: FastifyInstance, parts: ConsoleParts, tag: string): AddRoute {
  return (method, url, access, call, { summary, bodyBytesMax, handle }) => {
    app.route({
      method,
      url: API_PATH + url,
      config: { access },
      ...(bodyBytesMax !== undefined && {
        bodyLimit: bodyBytesMax,
        onRequest: async (request) => void (await orUnavailable(() => requireUser(parts, request, access))),
      }),
      schema: {
        operationId: call.operationId,
        tags: [tag],
        summary,
        ...(access.for === 'ANYBODY' && { security: [] }),
        ...('permission' in access && { 'x-permission': access.permission }),
        ...('reveals' in access && { 'x-personal-data': REVEAL }),
        ...('isDangerous' in access && { 'x-confirmation': 'The password must have been confirmed.' }),
        ...(call.path === undefined ? {} : { params: call.path }),
        ...(call.query === undefined ? {} : { querystring: call.query }),
        ...(call.body === undefined ? {} : { body: call.body }),
        response: { 200: responseOf(call), '4XX': consoleFailureSchema },
      },
      handler: async (request, reply) => {
        const user = await orUnavailable(() => requireUser(parts, request, access));
        const given = {
          path: read(call.path, { ...(request.params as object) }),
          query: read(call.query, knownOf(call.query, { ...(request.query as object) })),
          body: read(call.body, call.body === undefined ? {} : readJson(request)),
          user,
          request,
          origin: originOf(parts.engine, request),
        };
        namePayment(parts.engine, request, given.path);
        const answer = await handle(given as unknown as Parameters<typeof handle>[0]);
        if (call.contentType !== undefined) reply.type(`${call.contentType}; charset=utf-8`);
        return answer;
      },
    });
  };
}

function responseOf({ answer, contentType }: Shape): object {
  return contentType === undefined ? answer : { content: { [contentType]: { schema: answer } } };
}

/** Where the path names a payment. Without a kind it is a deposit's. */
function namePayment(engine: Engine, request: FastifyRequest, path: unknown): void {
  const { merchantId = '', paymentId = '', kind = 'DEPOSIT' } = (path ?? {}) as Partial<OperationKey>;
  if (!isUuid(merchantId) || !isUuid(paymentId)) return;
  nameSubjects(engine, request, [{ merchantId, kind, paymentId: canonicalIdentifier(paymentId) }]);
}

function read(schema: Shape['path'], value: unknown): unknown {
  const parsed = readPart(schema, withCanonicalMerchant(value));
  if (parsed.type === 'PARSED') return parsed.request;
  const { parameter, cause } = parsed.fault;
  if (parameter === '') throw failureBecause('INVALID_INPUT', 'REQUEST_UNREADABLE', {}, `${cause}.`);
  throw failureBecause('INVALID_INPUT', 'INVALID_PARAMETER', { parameter }, `${parameter}: ${cause}.`);
}

/** Parameters that are not the route's own, such as a cache-buster, are ignored, as the merchants' API does. */
function knownOf(schema: Shape['query'], query: Readonly<Record<string, unknown>>): object {
  const known = Object.keys(schema?.properties ?? {});
  return Object.fromEntries(Object.entries(query).filter(([name]) => known.includes(name)));
}

/** What belongs to a merchant is encrypted under its name, which is in lower case. */
function withCanonicalMerchant(part: unknown): unknown {
  const merchantId = valueAt(part, 'merchantId');
  if (!isJsonObject(part) || typeof merchantId !== 'string') return part;
  return { ...part, merchantId: canonicalIdentifier(merchantId) };
}

/** Anyone who is signed in, if they may do this; null for anybody. What they may not see does not exist for them. */
async function requireUser(
  parts: ConsoleParts,
  request: FastifyRequest,
  access: Access,
): Promise<SignedInUser | null> {
  if (access.for === 'ANYBODY') return null;
  requireOwnOrigin(parts, request);
  const session = await parts.signIn.sessionOf(request);
  if (session === null) throw new ConsoleFailure('NOT_SIGNED_IN');
  const { store, wallClock } = parts.engine;
  // A role can end by itself: not by the clock of this process.
  const now = await wallClock.timeOf(store.database);
  const all = await listMemberships(store.database, session.personId, now);
  const memberships = all.filter((one) => countsIn(parts, session, one));
  const user = { ...session, memberships, by: session.email };
  if (access.for === 'SIGNED_IN') return user;
  if (parts.twoFactor === 'REQUIRED' && !session.hasTwoFactor && !session.isMultiFactor) {
    throw new ConsoleFailure('TWO_FACTOR_NEEDED');
  }
  if (access.for === 'MERCHANT') await requireMerchantPermission(parts, user, request, access);
  else requireHostPermission(user, access);
  if (access.isDangerous === true) await requireConfirmation(parts, session);
  return user;
}

/** A password opens no role from a group, and nothing of the platform where its people must sign in at the provider. */
function countsIn({ provider }: ConsoleParts, session: Session, membership: Membership): boolean {
  if (session.providerSubject !== null) return true;
  const { merchantId, role, until } = membership;
  if (until !== null) return false;
  return provider?.platform !== 'REQUIRED' || merchantId !== null || role === 'BREAK_GLASS';
}

async function requireMerchantPermission(
  { engine }: ConsoleParts,
  user: SignedInUser,
  request: FastifyRequest,
  access: Permitted<'MERCHANT', MerchantPermission>,
): Promise<void> {
  const { merchantId = '' } = request.params as { readonly merchantId?: string };
  if (!isUuid(merchantId)) throw new ConsoleFailure('NOT_FOUND');
  const permissions = permissionsAt(user, merchantId.toLowerCase());
  if (permissions.length === 0) throw new ConsoleFailure('NOT_FOUND');
  requireAll(permissions, access);
  if ((await engine.directory.merchant(merchantId)) === null) throw new ConsoleFailure('NOT_FOUND');
}

function requireHostPermission({ memberships }: SignedInUser, access: Permitted<'HOST', Permission>): void {
  const host = memberships.find(({ merchantId }) => merchantId === null);
  if (host === undefined) throw new ConsoleFailure('NOT_FOUND');
  requireAll(permissionsOf(host.role), access);
}

function requireAll(permissions: readonly Permission[], access: Permitted<unknown, Permission>): void {
  const needed = [access.permission, ...(access.reveals === true ? ([REVEAL] as const) : [])];
  if (!needed.every((one) => permissions.includes(one))) throw new ConsoleFailure('NOT_PERMITTED');
}

/** The merchant a call is about, as the directory knows it. Whether it is there was seen before. */
export async function requireMerchant({ engine }: ConsoleParts, merchantId: string): Promise<Merchant> {
  const merchant = await engine.directory.merchant(merchantId.toLowerCase());
  if (merchant === null) throw new ConsoleFailure('NOT_FOUND');
  return merchant;
}

/** What a person may do at a merchant, as its own or as the host's. */
export function permissionsAt({ memberships }: SignedInUser, merchantId: string): readonly Permission[] {
  return memberships
    .filter((one) => one.merchantId === null || one.merchantId === merchantId)
    .flatMap(({ role }) => permissionsOf(role))
    .filter((permission) => MERCHANT_PERMISSIONS.some((one) => one === permission));
}

/** What a person may do as one of the platform's people. */
export function permissionsAtHost({ memberships }: SignedInUser): readonly Permission[] {
  return memberships
    .filter(({ merchantId }) => merchantId === null)
    .flatMap(({ role }) => permissionsOf(role));
}

/** Anyone who orders what may need a second approver, and whether one is required here. */
export function orderedBy({ secondApprover }: ConsoleParts, { personId, by }: SignedInUser) {
  return { secondApprover, actor: { personId, by } };
}

/** Whether somebody of the host may read the words of others about cases and money: they may name people. */
export function maySeeWords(user: SignedInUser): boolean {
  return permissionsAtHost(user).includes('payments:reveal');
}

export async function requireConfirmation({ engine }: ConsoleParts, { sessionId }: Session): Promise<void> {
  const confirmedAt = await findConfirmation(engine.store.database, sessionId);
  const now = await engine.wallClock.timeOf(engine.store.database);
  const since = now.getTime() - CONFIRMATION_MS;
  if (confirmedAt === null || confirmedAt.getTime() < since) throw new ConsoleFailure('CONFIRMATION_NEEDED');
}

/** A page of somebody else's cannot make a browser do anything here, whatever it does about cookies. */
export function requireOwnOrigin({ engine }: Pick<ConsoleParts, 'engine'>, request: FastifyRequest): void {
  if (request.method === 'GET') return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const address = originOf(engine, request);
  const isOther = origin === undefined ? site === 'cross-site' : origin !== address;
  if (isOther) throw failureBecause('NOT_PERMITTED', 'OTHER_ADDRESS', { address });
}
