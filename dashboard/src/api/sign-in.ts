// The calls of the sign-in, which are the authentication library's own and in no document of ours.
import { reach } from './client.ts';
import { readFailure } from './failure.ts';

type SignedIn = { readonly twoFactorRedirect?: boolean };

/** True where the code of two-factor authentication is still to come. */
export async function signIn(person: {
  readonly email: string;
  readonly password: string;
}): Promise<boolean> {
  return (await post<SignedIn>('/sign-in/email', person)).twoFactorRedirect === true;
}

/** Answers the page of the identity provider. `to` is where the person wants to be afterwards. */
export const startSingleSignOn = async (order: { readonly to?: string } | { readonly confirm: true }) =>
  (await post<{ readonly url: string }>('/sign-in/social', order)).url;

export const signOut = () => post('/sign-out', {});
export const verifyCode = (code: string) => post('/two-factor/verify-totp', { code });
export const verifyBackupCode = (code: string) => post('/two-factor/verify-backup-code', { code });

export type NewFactor = { readonly totpURI: string; readonly backupCodes: readonly string[] };

/** It counts only once a code of it was verified. */
export const createTwoFactor = (password: string) => post<NewFactor>('/two-factor/enable', { password });
export const renewBackupCodes = (password: string) =>
  post<Pick<NewFactor, 'backupCodes'>>('/two-factor/generate-backup-codes', { password });

export const requestNewPassword = (email: string) => post('/request-password-reset', { email });
export const setNewPassword = (order: { readonly token: string; readonly newPassword: string }) =>
  post('/reset-password', order);
export const changePassword = (order: { readonly currentPassword: string; readonly newPassword: string }) =>
  post('/change-password', { ...order, revokeOtherSessions: true });

export type OpenSession = {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
};

export const listSessions = () => call<readonly OpenSession[]>('GET', '/list-sessions');
export const endSession = (token: string) => post('/revoke-session', { token });
export const endOtherSessions = () => post('/revoke-other-sessions', {});

function post<Answer>(path: string, body: object): Promise<Answer> {
  return call('POST', path, body);
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const request = new Request(`${window.location.origin}/console/auth${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const response = await reach(request);
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as Answer;
}
