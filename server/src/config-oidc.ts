// The settings of single sign-on.
import { parseGroupRoles } from './domain/merchants/group-roles.ts';
import type { IdentityProviderSettings } from './edge/console/sign-in/identity-provider.ts';
import { ConfigError, optional, readEither, readNumber, readUrl, required } from './config-values.ts';

/** Null where nothing is set. */
export function readIdentityProvider(env: NodeJS.ProcessEnv): IdentityProviderSettings | null {
  const issuer = readIssuer(env);
  if (issuer === null) {
    const name = Object.keys(env).find((one) => /^MALIPO_OIDC_\w/.test(one) && optional(env, one));
    if (name !== undefined) throw new ConfigError(`${name} is set, but MALIPO_OIDC_ISSUER is not.`);
    return null;
  }
  return {
    issuer,
    clientId: required(env, 'MALIPO_OIDC_CLIENT_ID', 'the name of this gateway at the identity provider'),
    clientSecret: required(env, 'MALIPO_OIDC_CLIENT_SECRET', 'its secret at the identity provider'),
    name: optional(env, 'MALIPO_OIDC_NAME') ?? 'single sign-on',
    scopes: readList(env, 'MALIPO_OIDC_SCOPES', 'openid email profile'),
    groupsClaim: optional(env, 'MALIPO_OIDC_GROUPS_CLAIM') ?? 'groups',
    multiFactor: readList(env, 'MALIPO_OIDC_MULTI_FACTOR', 'mfa'),
    roles: readRoles(env),
    platform: readEither(env, 'MALIPO_OIDC_PLATFORM', ['REQUIRED', 'OPTIONAL'], 'OPTIONAL'),
    // So long a group that was taken away still counts.
    sessionMs: readNumber(env, 'MALIPO_OIDC_SESSION_MINUTES', 60, [5, 720]) * 60_000,
  };
}

/** As it is written: an issuer that ends in a slash is another one without it. */
function readIssuer(env: NodeJS.ProcessEnv): string | null {
  if (readUrl(env, 'MALIPO_OIDC_ISSUER') === null) return null;
  const issuer = optional(env, 'MALIPO_OIDC_ISSUER') ?? '';
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return issuer;
  throw new ConfigError('MALIPO_OIDC_ISSUER must be an https address: passwords and tokens pass there.');
}

function readList(env: NodeJS.ProcessEnv, name: string, otherwise: string): readonly string[] {
  return (optional(env, name) ?? otherwise).split(/\s+/).filter((one) => one !== '');
}

function readRoles(env: NodeJS.ProcessEnv): IdentityProviderSettings['roles'] {
  const example = '"group=OPERATOR_ADMIN; group=FINANCE@<merchant>"';
  const roles = parseGroupRoles(required(env, 'MALIPO_OIDC_ROLES', `roles of groups, such as ${example}`));
  if (roles !== null) return roles;
  throw new ConfigError(`MALIPO_OIDC_ROLES must list roles of groups as ${example}, parted by semicolons.`);
}
