// The host's identity provider (OpenID Connect): what it says about itself, and what its tokens say about a person. The
// library checks signature, issuer, audience, end and nonce of an ID token; what it leaves open is checked here.
import { hasRole, type GroupRole } from '../../../domain/merchants/group-roles.ts';
import type { ProcessTime } from '../../../domain/clock.ts';
import { isJsonObject, type JsonObject } from '../../../wire/json.ts';

export type IdentityProviderSettings = {
  /** Exactly as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button of the sign-in screen says. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** The claim that lists a person's groups. */
  readonly groupsClaim: string;
  /** Values of `amr`, or of `acr`, that stand for more than one factor. */
  readonly multiFactor: readonly string[];
  readonly roles: readonly GroupRole[];
  /** Whether the platform's people can sign in only there. The break-glass account never does. */
  readonly platform: 'REQUIRED' | 'OPTIONAL';
  /** Then the provider is asked again. */
  readonly sessionMs: number;
};

export type Discovered = {
  readonly userinfoUrl: string | null;
  readonly authentication: 'basic' | 'post';
};

export type ProviderIdentity = {
  /** The issuer and its name for the person: another issuer may use the same name for another person. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly isMultiFactor: boolean;
  /** When the person last proved to the provider who they are. */
  readonly authenticatedAt: Date | null;
};

export type ProviderRefusal =
  | 'PROVIDER_UNREACHABLE'
  /** A token that does not say what it must. */
  | 'PROVIDER_ANSWER_INVALID'
  | 'EMAIL_NOT_VERIFIED'
  | 'MULTI_FACTOR_NEEDED'
  /** None of the person's groups has a role. */
  | 'NO_GROUP'
  /** The address belongs to an account of another subject, or of another kind. */
  | 'ACCOUNT_NOT_LINKED'
  /** Another person, or no proof of just now. */
  | 'NOT_CONFIRMED';

const TIMEOUT_MS = 5_000;

/** Clocks of two machines may differ by so much. */
const SKEW_MS = 60_000;

export function discoveryUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Null where it is out of reach, or is another one than configured: the library believes any issuer. */
export async function discover({ issuer }: IdentityProviderSettings): Promise<Discovered | null> {
  const found = await fetchJson(discoveryUrlOf(issuer));
  if (found === null || found['issuer'] !== issuer) return null;
  const methods = found['token_endpoint_auth_methods_supported'];
  const userinfoUrl = found['userinfo_endpoint'];
  return {
    userinfoUrl: typeof userinfoUrl === 'string' ? userinfoUrl : null,
    // RFC 8414: where nothing is said, it is basic.
    authentication: Array.isArray(methods) && !methods.includes('client_secret_basic') ? 'post' : 'basic',
  };
}

/** `idToken` was verified. What it leaves out is asked for; the provider must answer about the same person. */
export async function readClaims(
  settings: IdentityProviderSettings,
  { userinfoUrl }: Discovered,
  tokens: { readonly idToken?: string | undefined; readonly accessToken?: string | undefined },
): Promise<JsonObject | null> {
  const claims = tokens.idToken === undefined ? null : payloadOf(tokens.idToken);
  if (claims === null) return null;
  const isWhole = ['email', 'email_verified', settings.groupsClaim].every(
    (name) => claims[name] !== undefined,
  );
  if (isWhole || userinfoUrl === null || tokens.accessToken === undefined) return claims;
  const told = await fetchJson(userinfoUrl, { authorization: `Bearer ${tokens.accessToken}` });
  if (told === null || told['sub'] !== claims['sub']) return null;
  return { ...told, ...claims, ...addressIn(claims, told) };
}

/** One answer does not verify the address of another. */
function addressIn(claims: JsonObject, told: JsonObject): JsonObject {
  const { email, email_verified: isVerified } = told;
  if (claims['email'] === undefined) return { email, email_verified: isVerified };
  const isSame = plainOf(email) === plainOf(claims['email']);
  return { email_verified: claims['email_verified'] ?? (isSame ? isVerified : undefined) };
}

function plainOf(email: unknown): string {
  return String(email).trim().toLowerCase();
}

export function readIdentity(
  settings: IdentityProviderSettings,
  claims: JsonObject,
  now: ProcessTime,
): ProviderIdentity | ProviderRefusal {
  const { sub, email, name, exp, iat, aud, azp, amr, acr, auth_time: authTime } = claims;
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number' || typeof iat !== 'number')
    return 'PROVIDER_ANSWER_INVALID';
  // OpenID Connect Core 3.1.3.7: a token for several, or made for another party, must name this client.
  const isForOthers = azp !== undefined || (Array.isArray(aud) && aud.length > 1);
  if (isForOthers && azp !== settings.clientId) return 'PROVIDER_ANSWER_INVALID';
  if (exp * 1_000 <= now.getTime() || iat * 1_000 > now.getTime() + SKEW_MS) return 'PROVIDER_ANSWER_INVALID';
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  if (typeof email !== 'string' || !isVerified) return 'EMAIL_NOT_VERIFIED';
  const methods = [...textsOf(amr), ...textsOf(acr)];
  return {
    subject: `${settings.issuer} ${sub}`,
    email: plainOf(email),
    name: typeof name === 'string' && name.trim() !== '' ? name : email,
    groups: textsOf(claims[settings.groupsClaim]),
    isMultiFactor: methods.some((method) => settings.multiFactor.includes(method)),
    authenticatedAt: typeof authTime === 'number' ? new Date(authTime * 1_000) : null,
  };
}

export function hasAnyRole({ roles }: IdentityProviderSettings, { groups }: ProviderIdentity): boolean {
  return hasRole(roles, groups);
}

function textsOf(claim: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return all.filter((one) => typeof one === 'string');
}

function payloadOf(idToken: string): JsonObject | null {
  return parseObject(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
}

async function fetchJson(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonObject | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { headers, signal, redirect: 'error' });
    return answer.ok ? parseObject(await answer.text()) : null;
  } catch {
    return null;
  }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
