// Mails to users: links to join and to set a new password, in both languages.
import type { ProcessTime } from '../domain/clock.ts';
import type { Mail } from './mail.ts';

export function renderInvitation(facts: { readonly team: string; readonly link: string }): Omit<Mail, 'to'> {
  return {
    subject: 'You are invited / Vous êtes invité',
    text: `You are invited to work with ${facts.team}. The link works once, for four days:

${facts.link}

Vous êtes invité à rejoindre ${facts.team}. Le lien fonctionne une fois, pendant quatre jours.
`,
  };
}

export function renderReset({ link }: { readonly link: string }): Omit<Mail, 'to'> {
  return {
    subject: 'Choose a new password / Choisissez un nouveau mot de passe',
    text: `A new password was requested for your account. Choose it with this link, which works for an hour:

${link}

If it was not you, ignore this mail.

Un nouveau mot de passe a été demandé pour votre compte. Choisissez-le avec ce lien, qui fonctionne pendant une heure.
Si ce n'était pas vous, ignorez ce message.
`,
  };
}

/** What a user is notified of about the account. */
export type AccountNotice = 'PASSWORD_CHANGED' | 'TWO_FACTOR_ADDED' | 'SIGN_IN_FAILED' | 'NEW_DEVICE';

const NOTICES: Readonly<Record<AccountNotice, readonly [english: string, french: string]>> = {
  PASSWORD_CHANGED: ['Your password was changed', 'Votre mot de passe a été modifié'],
  TWO_FACTOR_ADDED: [
    'Two-factor authentication was turned on for your account',
    "L'authentification à deux facteurs a été activée pour votre compte",
  ],
  SIGN_IN_FAILED: [
    'Someone tried to sign in to your account and failed',
    "Quelqu'un a essayé de se connecter à votre compte sans y parvenir",
  ],
  NEW_DEVICE: ['Your account was used on a new device', 'Votre compte a été utilisé sur un nouvel appareil'],
};

export function renderNotice({
  notice,
  at,
}: {
  readonly notice: AccountNotice;
  readonly at: ProcessTime;
}): Omit<Mail, 'to'> {
  const [english, french] = NOTICES[notice];
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: `${english} / ${french}`,
    text: `${english}, ${time}. If this was not you, change your password and tell an owner of your team.

${french}, ${time}. Si ce n'était pas vous, changez votre mot de passe et prévenez un propriétaire de votre équipe.
`,
  };
}
