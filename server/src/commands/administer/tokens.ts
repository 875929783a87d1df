// API tokens: made, listed, revoked. A token's text is shown once and can never be read again.
import { SCOPES, withdrawToken } from '../../core/merchants/administer-merchants.ts';
import { askedByCommand } from '../../core/approvals/request.ts';
import { requestToken } from '../../core/merchants/request-settings.ts';
import type { Engine } from '../../core/engine.ts';
import { addMs } from '../../domain/time.ts';
import { listTokens, type ListedToken } from '../../store/access/tokens.ts';
import { gatewayCommand, merchantCommand, nothing, REQUESTED } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError, type Options } from '../options.ts';

export const tokenCommands = {
  'token create': merchantCommand({
    usage: '--merchant ID --name NAME [--scopes deposits:write,…] [--expires 2027-01-31] --by NAME',
    summary:
      `create an API token, shown once. Scopes: ${SCOPES.join(', ')}; default: all. In production --scopes is ` +
      'required, it expires within a year, and one that sends money needs approval',
    read: (options) => ({
      by: options.person(),
      name: options.text('name'),
      areScopesGiven: options.isGiven('scopes'),
      scopes: options.someOf('scopes', SCOPES, 'all'),
      wantedEnd: readDate(options),
    }),
    run: async (engine, { by, areScopesGiven, wantedEnd, ...order }) => {
      if (!areScopesGiven && engine.environment === 'production')
        throw new UsageError('Missing: --scopes. In production it is required.');
      const expiresAt = await requireEnd(engine, wantedEnd);
      const token = await requestToken(engine, { ...order, expiresAt, ...askedByCommand(engine, by) });
      print(token.text);
      if (token.outcome === 'REQUESTED') print(REQUESTED);
    },
  }),
  'token revoke': gatewayCommand({
    usage: '--token-id ID --by NAME',
    summary: 'revoke a token by its id, the fourth part of the token',
    read: (options) => ({ by: options.person(), tokenId: options.text('token-id') }),
    run: async ({ engine }, order) => {
      if (await withdrawToken(engine, order)) print('revoked');
      else refuse('There is no such token, or it was revoked before.');
    },
  }),
  'token list': merchantCommand({
    usage: '--merchant ID',
    summary: 'list tokens with status, scopes and last use',
    read: nothing,
    run: async ({ store, clock }, { merchantId }) => {
      const now = await clock.timeOf(store.database);
      for (const token of await listTokens(store.database, merchantId)) print(renderToken(token, now));
    },
  }),
};

function renderToken(token: ListedToken, now: Date): string {
  const { tokenId, name, createdAt, lastUsedAt, scopes } = token;
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt.toISOString()}`;
  return row(tokenId, name, stateOf(token, now), createdAt, used, scopes.join(' '));
}

function stateOf({ revokedAt, expiresAt }: ListedToken, now: Date): string {
  if (revokedAt !== null) return `REVOKED ${revokedAt.toISOString()}`;
  if (expiresAt === null) return 'ACTIVE';
  return `${expiresAt <= now ? 'EXPIRED' : 'ACTIVE until'} ${expiresAt.toISOString()}`;
}

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** In production a token that no one thinks of any more stops working. */
async function requireEnd({ environment, clock, store }: Engine, wanted: Date | null): Promise<Date | null> {
  if (environment !== 'production') return wanted;
  const latest = addMs(await clock.timeOf(store.database), YEAR_MS);
  if (wanted === null || wanted <= latest) return wanted ?? latest;
  throw new UsageError('--expires: in production a token expires within a year.');
}

function readDate(options: Options): Date | null {
  const text = options.textOrNull('expires');
  if (text === null) return null;
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UsageError('--expires must be a date such as 2027-01-31.');
}
