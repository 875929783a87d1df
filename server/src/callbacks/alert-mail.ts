// Mails to people about what they can act on, in the language of each. They contain hosts, dates and names of tokens,
// never a payment, a payer or a secret.
import type { Mail } from './mail.ts';
import { mailTime, mailWallet, type MailLanguage } from './mail-words.ts';

export type Alert = {
  readonly topic: 'TOKEN_EXPIRES' | 'ENDPOINT_FAILING' | 'WALLET_LOW' | 'APPROVAL_PENDING';
  readonly language: MailLanguage;
  /** The merchant, or the gateway for what the platform decides. */
  readonly team: string;
  /** The merchant's. */
  readonly timeZone: string;
  readonly detail: Readonly<Record<string, string>>;
  /** Where to act. */
  readonly link: string;
};

export function renderAlert({ topic, language, team, timeZone, detail, link }: Alert): Omit<Mail, 'to'> {
  const named = {
    ...detail,
    time: mailTime(new Date(detail['expiresAt'] ?? detail['since'] ?? 0), timeZone, language),
    wallet: mailWallet(detail, language),
  };
  const [subject, text] = TEXTS[language][topic](named);
  return { subject: `${team}: ${subject}`, text: `${team}\n\n${text}\n\n${link}\n` };
}

type Named = Alert['detail'] & { readonly time: string; readonly wallet: string };
type Render = (named: Named) => readonly [subject: string, text: string];

const TEXTS: Readonly<Record<MailLanguage, Readonly<Record<Alert['topic'], Render>>>> = {
  en: {
    TOKEN_EXPIRES: ({ name = '', days = '', time }) => [
      days === '1' ? 'an API token expires within a day' : `an API token expires in ${days} days`,
      `The API token "${name}" expires on ${time}. Requests with it are refused from then on. Create a ` +
        'new one, put it on your server, and then revoke the old one.',
    ],
    ENDPOINT_FAILING: ({ host = '', time }) => [
      `callbacks to ${host} are failing`,
      `Callbacks (webhooks) to ${host} have failed since ${time}. Each is retried for about three days. ` +
        'Check that your server returns 2xx.',
    ],
    WALLET_LOW: ({ currency = '', wallet }) => [
      `low balance in ${currency}`,
      `The wallet ${wallet} is below the amount that your team set. Top it up so ` +
        'that payouts do not fail.',
    ],
    APPROVAL_PENDING: () => [
      'a request needs your approval',
      'A request is pending approval. Check it, then approve or reject it.',
    ],
  },
  fr: {
    TOKEN_EXPIRES: ({ name = '', days = '', time }) => [
      days === '1' ? "un jeton d'API expire d'ici un jour" : `un jeton d'API expire dans ${days} jours`,
      `Le jeton d'API « ${name} » expire le ${time}. Les requêtes avec ce jeton seront alors refusées. ` +
        "Créez-en un nouveau, installez-le sur votre serveur, puis révoquez l'ancien.",
    ],
    ENDPOINT_FAILING: ({ host = '', time }) => [
      `les callbacks vers ${host} échouent`,
      `Les callbacks (webhooks) vers ${host} échouent depuis le ${time}. Chacun est renvoyé pendant environ ` +
        'trois jours. Vérifiez que votre serveur répond 2xx.',
    ],
    WALLET_LOW: ({ currency = '', wallet }) => [
      `solde bas en ${currency}`,
      `Le portefeuille ${wallet} est sous le montant fixé par votre équipe. ` +
        "Approvisionnez-le pour que les versements n'échouent pas.",
    ],
    APPROVAL_PENDING: () => [
      'une demande attend votre approbation',
      "Une demande est en attente d'approbation. Vérifiez-la, puis approuvez-la ou rejetez-la.",
    ],
  },
};
