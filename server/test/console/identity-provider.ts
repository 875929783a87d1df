// An identity provider for tests: npm's oidc-provider, with people, groups and tokens that a test can spoil.
import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { parseGroupRoles, type GroupRole } from '../../src/domain/merchants/group-roles.ts';
import type { IdentityProviderSettings } from '../../src/edge/console/sign-in/identity-provider.ts';

export type ProviderAccount = {
  email: string;
  isVerified: boolean;
  groups: readonly string[];
  /** How the person proves who they are. */
  methods: readonly string[];
};

export type TestProvider = {
  readonly settings: (roles: string) => IdentityProviderSettings & { readonly roles: GroupRole[] };
  /** Where the gateway is; before that the provider knows no client. */
  readonly serve: (gatewayUrl: string) => void;
  readonly accounts: Map<string, ProviderAccount>;
  /** Replaces claims of every ID token, signed by the provider's key. */
  readonly spoilt: Record<string, unknown>;
  /** Whether tokens are signed by a key that the provider does not publish. */
  isForging: boolean;
  readonly close: () => Promise<void>;
};

const CLIENT = { client_id: 'malipo', client_secret: 'a secret between two machines' };
const SCOPES = ['openid', 'email', 'profile'];

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;

export async function openIdentityProvider(): Promise<TestProvider> {
  const [key, stolen] = [newKey(), newKey()];
  let provider: Provider | null = null;
  const server = createServer((request, response) => {
    if (provider === null) return void response.writeHead(503).end();
    const [, uid, login] = /^\/interaction\/([\w-]+)(?:\?login=([\w-]+))?$/.exec(request.url ?? '') ?? [];
    if (uid === undefined) return void provider.callback()(request, response);
    if (login === undefined) return void response.end(loginPage(uid, [...accounts.keys()]));
    const amr = accounts.get(login)?.methods ?? [];
    return void provider.interactionFinished(request, response, { login: { accountId: login, amr } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts: TestProvider['accounts'] = new Map();
  const test: TestProvider = {
    accounts,
    spoilt: {},
    isForging: false,
    settings: (roles) => ({
      issuer,
      clientId: CLIENT.client_id,
      clientSecret: CLIENT.client_secret,
      name: 'Example ID',
      scopes: SCOPES,
      groupsClaim: 'groups',
      multiFactor: ['mfa'],
      roles: [...(parseGroupRoles(roles) ?? [])],
      platform: 'REQUIRED',
      sessionMs: 3_600_000,
    }),
    serve: (gatewayUrl) => {
      provider = createProvider(issuer, accounts, gatewayUrl, key.export({ format: 'jwk' }));
      provider.use(async (context, next) => {
        await next();
        const token = context.path === '/token' ? context.body?.id_token : undefined;
        if (token === undefined || context.body === undefined) return;
        if (Object.keys(test.spoilt).length > 0 || test.isForging)
          context.body.id_token = signedAgain(token, test.spoilt, test.isForging ? stolen : key);
      });
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return test;
}

function createProvider(
  issuer: string,
  accounts: ReadonlyMap<string, ProviderAccount>,
  gatewayUrl: string,
  jwk: object,
): Provider {
  return new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${gatewayUrl}/console/auth/callback/oidc`] }],
    jwks: { keys: [{ ...jwk, kid: 'test', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    claims: {
      openid: ['sub', 'amr', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups'],
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => {
        const account = accounts.get(accountId);
        return {
          sub: accountId,
          name: `Person ${accountId}`,
          email: account?.email,
          email_verified: account?.isVerified,
          groups: account?.groups,
        };
      },
    }),
    // The host's own provider asks no one whether the gateway may know them.
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPES.join(' '));
      await grant.save();
      return grant;
    },
  });
}

type Grant = { readonly addOIDCScope: (scope: string) => void; readonly save: () => Promise<string> };
type GrantContext = {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: { readonly Grant: new (of: object) => Grant };
  };
};

function loginPage(uid: string, logins: readonly string[]): string {
  const links = logins.map((login) => `<a href="/interaction/${uid}?login=${login}">${login}</a>`);
  return `<!doctype html><title>Example ID</title><h1>Example ID</h1>${links.join(' ')}`;
}

function signedAgain(token: string, claims: object, key: ReturnType<typeof newKey>): string {
  const [header = '', payload = ''] = token.split('.');
  const own = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const body = `${header}.${Buffer.from(JSON.stringify({ ...own, ...claims })).toString('base64url')}`;
  return `${body}.${createSign('RSA-SHA256').update(body).sign(key, 'base64url')}`;
}
