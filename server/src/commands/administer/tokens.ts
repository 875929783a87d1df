// API tokens: made, listed, revoked. A token's text is shown once and can never be read again.
import { SCOPES, withdrawToken, type Scope } from '../../core/merchants/administer-merchants.ts';
import { askedByCommand } from '../../core/approvals/request.ts';
import { requestToken } from '../../core/merchants/request-settings.ts';
import type { Engine } from '../../core/engine.ts';
import { addMs } from '../../domain/time.ts';
import { listTokens, type ListedToken } from '../../store/access/tokens.ts';
import {
  print,
  readOptions,
  refuse,
  REQUESTED,
  requirePerson,
  requireSomeOf,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  withMerchant,
  type Command,
} from '../command.ts';

const createTokenCommand: Command = {
  usage: '--merchant ID --name NAME [--scopes deposits:write,…] [--expires 2027-01-31] --by NAME',
  summary:
    `create an API token; it is shown once. Scopes: ${SCOPES.join(', ')}; default: all. In production --scopes is ` +
    'required, a token expires after a year at the latest, and one that sends money waits for approval',
  run: async (args) => {
    const values = readOptions(args, {
      merchant: TEXT,
      name: TEXT,
      scopes: TEXT,
      expires: TEXT,
      by: TEXT,
    });
    const by = requirePerson(values);
    const name = requireText(values, 'name');
    const isGiven = values['scopes'] !== undefined;
    const scopes = isGiven ? requireSomeOf<Scope>(SCOPES, values, 'scopes') : SCOPES;
    const wantedEnd = readDate(values['expires']);
    await withMerchant(values, async (engine, { merchantId }) => {
      if (!isGiven && engine.environment === 'production') throw new UsageError('--scopes is missing.');
      const order = { name, scopes, expiresAt: requireEnd(engine, wantedEnd) };
      const { text, outcome } = await requestToken(engine, {
        ...order,
        merchantId,
        ...askedByCommand(engine, by),
      });
      print(text);
      if (outcome === 'REQUESTED') print(REQUESTED);
    });
  },
};

const revokeTokenCommand: Command = {
  usage: '--token-id ID --by NAME',
  summary: 'revoke an API token by its id, the fourth part of its text; takes effect within ten seconds',
  run: async (args) => {
    const values = readOptions(args, { 'token-id': TEXT, by: TEXT });
    const order = { by: requirePerson(values), tokenId: requireText(values, 'token-id') };
    await withGateway(async ({ engine }) => {
      if (await withdrawToken(engine, order)) print('revoked');
      else refuse('There is no such token, or it was revoked before.');
    });
  },
};

const tokensCommand: Command = {
  usage: '--merchant ID',
  summary: "list a merchant's API tokens: id, name, status, created, last used, scopes",
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT });
    await withMerchant(values, async ({ store, clock }, { merchantId }) => {
      const now = clock.now();
      for (const token of await listTokens(store.database, merchantId)) print(renderToken(token, now));
    });
  },
};

function renderToken(token: ListedToken, now: Date): string {
  const { tokenId, name, createdAt, lastUsedAt, scopes } = token;
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt.toISOString()}`;
  return [tokenId, name, stateOf(token, now), createdAt.toISOString(), used, scopes.join(' ')].join('\t');
}

function stateOf({ revokedAt, expiresAt }: ListedToken, now: Date): string {
  if (revokedAt !== null) return `REVOKED ${revokedAt.toISOString()}`;
  if (expiresAt === null) return 'ACTIVE';
  return `${expiresAt <= now ? 'EXPIRED' : 'ACTIVE until'} ${expiresAt.toISOString()}`;
}

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** In production a token that no one thinks of any more stops working. */
function requireEnd({ environment, clock }: Engine, wanted: Date | null): Date | null {
  if (environment !== 'production') return wanted;
  const latest = addMs(clock.now(), YEAR_MS);
  if (wanted === null || wanted <= latest) return wanted ?? latest;
  throw new UsageError('--expires: in production a token expires within a year.');
}

function readDate(value: string | boolean | undefined): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(value);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UsageError('--expires must be a date such as 2027-01-31.');
}

export const tokenCommands: ReadonlyMap<string, Command> = new Map([
  ['token create', createTokenCommand],
  ['token revoke', revokeTokenCommand],
  ['token list', tokensCommand],
]);
