// Notices as mails, in both languages of the gateway. They contain hosts and kinds, never a payment or a person.
import type { Mail } from './mail.ts';

export type MailedNotice = {
  readonly companyName: string;
  readonly noticedAt: Date;
  readonly detail: Readonly<Record<string, string>>;
};

/** The endpoint of a merchant was disabled. */
export function renderSwitchedOff({ companyName, noticedAt, detail }: MailedNotice): Omit<Mail, 'to'> {
  const { kind = '', host = '', because = '' } = detail;
  const isGone = because === 'GONE';
  const reason = isGone
    ? 'Your server answered 410 Gone.'
    : 'For days your server has not acknowledged a single callback.';
  const motif = isGone
    ? 'Votre serveur a répondu 410 Gone.'
    : "Depuis plusieurs jours, votre serveur n'a confirmé aucun rappel.";
  return {
    // Only characters that every mail program shows.
    subject: `Callbacks to ${host} are switched off`,
    text: `${companyName}

Since ${noticedAt.toISOString()} no ${kind} callbacks are sent to ${host}. ${reason}
Payments go on as before, and their status can be asked for at any time. When your server is fixed, ask your
gateway's operator to switch callbacks on again and to send those you have missed.

Depuis le ${noticedAt.toISOString()}, aucun rappel ${kind} n'est envoyé à ${host}. ${motif}
Les paiements continuent, et leur statut peut être demandé à tout moment. Une fois votre serveur réparé, demandez
à l'opérateur de votre passerelle de réactiver les rappels et de renvoyer ceux que vous avez manqués.
`,
  };
}
