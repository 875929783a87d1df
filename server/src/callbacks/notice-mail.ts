// Notices as mails, in both languages of the gateway. They contain hosts and kinds, never a payment or a person.
import type { Mail } from './mail.ts';
import { mailKind, mailTime } from './mail-words.ts';

export type MailedNotice = {
  readonly companyName: string;
  readonly noticedAt: Date;
  readonly timeZone: string;
  readonly detail: Readonly<Record<string, string>>;
};

/** The endpoint of a merchant was disabled. */
export function renderSwitchedOff({
  companyName,
  noticedAt,
  timeZone,
  detail,
}: MailedNotice): Omit<Mail, 'to'> {
  const { kind = '', host = '', because = '' } = detail;
  const isGone = because === 'GONE';
  const reason = isGone
    ? 'Your server answered 410 Gone.'
    : 'Your server has acknowledged no callback for days.';
  const motif = isGone
    ? 'Votre serveur a répondu 410 Gone.'
    : "Depuis plusieurs jours, votre serveur n'a confirmé aucun callback.";
  return {
    subject: `Callbacks to ${host} are disabled / Callbacks vers ${host} désactivés`,
    text: `${companyName}

No callbacks (webhooks) about ${mailKind(kind, 'en')} have been sent to ${host} since
${mailTime(noticedAt, timeZone, 'en')}. ${reason}
Payments continue, and you can check their status at any time. When your server is fixed, enable the endpoint in the
dashboard under "Callback addresses" and resend the callbacks you have missed.

Aucun callback (webhook) sur ${mailKind(kind, 'fr')} n'est envoyé à ${host} depuis le
${mailTime(noticedAt, timeZone, 'fr')}. ${motif}
Les paiements continuent, et vous pouvez vérifier leur statut à tout moment. Une fois votre serveur réparé, réactivez
l'adresse dans le tableau de bord, sous "Adresses de callback", et renvoyez les callbacks manqués.
`,
  };
}
