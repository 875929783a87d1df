// Sign-in at the host's identity provider: a second instance of the authentication library with its plug-in for OAuth.
// It is made with the first use, so that a provider that is out of reach stops no other sign-in.
import { betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Engine } from '../../../core/engine.ts';
import type { JsonObject } from '../../../wire/json.ts';
import type { ConsoleKeys } from '../console-keys.ts';
import { authOptions, capped } from './auth-options.ts';
import { discover, discoveryUrlOf, type Discovered } from './identity-provider.ts';
import {
  callbackNow,
  currentCallback,
  findRefusal,
  identify,
  openedSession,
  PROVIDER_ID,
  type Callback,
  type Confirming,
  type ProviderOptions,
} from './provider-callback.ts';

export type ProviderSignIn = {
  /** Where the browser goes: the library's answer with `url`. `to` is a path of the dashboard. */
  readonly start: (request: Request, to: string, confirming: Confirming | null) => Promise<Response>;
  /** The browser is back. Answers where it goes next, and who signed in. */
  readonly finish: (request: Request) => Promise<Finished>;
};

export type Finished = {
  readonly response: Response;
  readonly person: Callback['person'];
  readonly refusal: string | null;
};

const SIGN_IN_PAGE = '/dashboard/sign-in';
const CONFIRMED_PAGE = '/dashboard/confirmed';

export function createProviderSignIn(
  engine: Engine,
  keys: ConsoleKeys,
  options: ProviderOptions,
): ProviderSignIn {
  let opened: Promise<ProviderAuth | null> | null = null;
  const open = async () => {
    opened ??= openProvider(engine, keys, options);
    const auth = await opened;
    if (auth === null) opened = null;
    return auth;
  };
  return {
    start: async (request, to, confirming) => {
      const auth = await open();
      if (auth === null) {
        const message = 'The identity provider is out of reach. Try again.';
        return Response.json({ code: 'PROVIDER_UNREACHABLE', message }, { status: 503 });
      }
      return auth.handler(withBody(request, bodyOf(engine, to, confirming)));
    },
    finish: async (request) => {
      const auth = await open();
      if (auth === null) return refused('PROVIDER_UNREACHABLE', SIGN_IN_PAGE);
      const callback: Callback = { identity: null, refusal: null, person: null };
      const response = await currentCallback.run(callback, () => auth.handler(request));
      const refusal = callback.refusal ?? errorOf(response);
      if (refusal === null) return { response, person: callback.person, refusal };
      return refused(refusal, pageOf(response));
    },
  };
}

/** Nothing of what a client sends reaches the library, which would also take an ID token from it. */
function bodyOf(engine: Engine, to: string, confirming: Confirming | null): JsonObject {
  if (confirming === null) {
    return {
      provider: PROVIDER_ID,
      disableRedirect: true,
      callbackURL: `/dashboard${to}`,
      errorCallbackURL: SIGN_IN_PAGE,
    };
  }
  return {
    provider: PROVIDER_ID,
    disableRedirect: true,
    callbackURL: CONFIRMED_PAGE,
    errorCallbackURL: CONFIRMED_PAGE,
    // The provider must ask again, and say when it did.
    additionalParams: { prompt: 'login', max_age: '0' },
    additionalData: { confirming: { ...confirming, since: engine.wallClock.now().getTime() } },
  };
}

function withBody(request: Request, body: JsonObject): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function errorOf(response: Response): string | null {
  const target = targetOf(response);
  if (target === null) return 'PROVIDER_ANSWER_INVALID';
  return target.searchParams.has('error') ? 'PROVIDER_ANSWER_INVALID' : null;
}

function pageOf(response: Response): string {
  return targetOf(response)?.pathname === CONFIRMED_PAGE ? CONFIRMED_PAGE : SIGN_IN_PAGE;
}

function targetOf(response: Response): URL | null {
  const target = response.headers.get('location');
  return target === null ? null : new URL(target, 'http://localhost');
}

/** Without the cookies of the library's answer: nothing was opened. */
function refused(refusal: string, page: string): Finished {
  const headers = { location: `${page}?error=${refusal}` };
  return { response: new Response(null, { status: 302, headers }), person: null, refusal };
}

type ProviderAuth = ReturnType<typeof createProviderAuth>;

async function openProvider(
  engine: Engine,
  keys: ConsoleKeys,
  options: ProviderOptions,
): Promise<ProviderAuth | null> {
  const discovered = await discover(options.settings);
  if (discovered === null) return null;
  const auth = createProviderAuth(engine, keys, options, discovered);
  // The plug-in has asked once more, and leaves a provider out whose tokens it could not verify.
  const { socialProviders } = await auth.$context;
  return socialProviders.some(({ id, issuer }) => id === PROVIDER_ID && issuer === options.settings.issuer)
    ? auth
    : null;
}

function createProviderAuth(
  engine: Engine,
  keys: ConsoleKeys,
  options: ProviderOptions,
  discovered: Discovered,
) {
  const { settings } = options;
  const sessionSeconds = settings.sessionMs / 1_000;
  const shared = authOptions(engine, keys, sessionSeconds);
  return betterAuth({
    ...shared,
    onAPIError: { errorURL: SIGN_IN_PAGE },
    account: {
      ...shared.account,
      updateAccountOnSignIn: false,
      // An account is linked where the provider has verified its address: no provider is believed without that.
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    user: {
      ...shared.user,
      validateUserInfo: async ({ user, source }) => {
        const callback = callbackNow();
        callback.refusal = await findRefusal(engine, settings, source.action, user.id);
        return callback.refusal === null ? undefined : { error: callback.refusal };
      },
    },
    databaseHooks: {
      // Tokens of the provider are needed once; a copy of the database holds none.
      account: { create: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) } },
      session: {
        create: {
          before: async (session) => ({
            data: { ...capped(session, sessionSeconds), ...(await openedSession(engine, settings, session)) },
          }),
        },
      },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: PROVIDER_ID,
            discoveryUrl: discoveryUrlOf(settings.issuer),
            requireIdTokenVerification: true,
            clientId: settings.clientId,
            clientSecret: settings.clientSecret,
            authentication: discovered.authentication,
            scopes: [...settings.scopes],
            pkce: true,
            disableProviderLogout: true,
            accountSubject: () => callbackNow().identity?.subject ?? '',
            getUserInfo: async (tokens) => {
              const identity = await identify(engine, options, discovered, tokens);
              if (identity === null) return null;
              const { email, name } = identity;
              return { email, name, emailVerified: true, sub: identity.subject };
            },
          },
        ],
      }),
    ],
  });
}

const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null } as const;
