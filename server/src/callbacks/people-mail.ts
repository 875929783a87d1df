// Mails to people who sign in: links to join and to choose a new password, in both languages.
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
    text: `Somebody asked for a new password for your account. If it was you, the link works for an hour:

${link}

If it was not you, there is nothing to do.

Quelqu'un a demandé un nouveau mot de passe pour votre compte. Si c'était vous, le lien fonctionne pendant une heure.
Sinon, il n'y a rien à faire.
`,
  };
}
