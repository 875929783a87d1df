// Mails to people about what they can act on, in the language of each. They contain hosts, dates and names of tokens,
// never a payment, a payer or a secret.
import type { Mail } from './mail.ts';

export type AlertLanguage = 'en' | 'fr';

export type Alert = {
  readonly topic: 'TOKEN_EXPIRES' | 'ENDPOINT_FAILING' | 'WALLET_LOW' | 'APPROVAL_PENDING';
  readonly language: AlertLanguage;
  /** The merchant, or the gateway for what the platform decides. */
  readonly team: string;
  readonly detail: Readonly<Record<string, string>>;
  /** Where to act. */
  readonly link: string;
};

export function renderAlert({ topic, language, team, detail, link }: Alert): Omit<Mail, 'to'> {
  const [subject, text] = TEXTS[language][topic](detail);
  return { subject: `${team}: ${subject}`, text: `${team}\n\n${text}\n\n${link}\n` };
}

type Render = (detail: Readonly<Record<string, string>>) => readonly [subject: string, text: string];

const TEXTS: Readonly<Record<AlertLanguage, Readonly<Record<Alert['topic'], Render>>>> = {
  en: {
    TOKEN_EXPIRES: ({ name = '', days = '', expiresAt = '' }) => [
      days === '1' ? 'an API token expires within a day' : `an API token expires in ${days} days`,
      `The API token "${name}" expires on ${timeOf(expiresAt)}. Requests with it are refused from then on. Create a ` +
        'new one, put it on your server, and then revoke the old one.',
    ],
    ENDPOINT_FAILING: ({ host = '', since = '' }) => [
      `callbacks to ${host} are failing`,
      `Callbacks (webhooks) to ${host} have failed since ${timeOf(since)}. Each is retried for about three days. ` +
        'Check that your server returns 2xx.',
    ],
    WALLET_LOW: ({ country = '', currency = '', provider = '' }) => [
      `low balance in ${currency}`,
      `The wallet ${walletOf(country, currency, provider)} is below the amount that your team set. Top it up so ` +
        'that payouts do not fail.',
    ],
    APPROVAL_PENDING: () => [
      'a request needs your approval',
      'A request is pending approval. Check it, then approve or reject it.',
    ],
  },
  fr: {
    TOKEN_EXPIRES: ({ name = '', days = '', expiresAt = '' }) => [
      days === '1' ? "un jeton d'API expire d'ici un jour" : `un jeton d'API expire dans ${days} jours`,
      `Le jeton d'API « ${name} » expire le ${timeOf(expiresAt)}. Les requêtes avec ce jeton seront alors refusées. ` +
        "Créez-en un nouveau, installez-le sur votre serveur, puis révoquez l'ancien.",
    ],
    ENDPOINT_FAILING: ({ host = '', since = '' }) => [
      `les callbacks vers ${host} échouent`,
      `Les callbacks (webhooks) vers ${host} échouent depuis le ${timeOf(since)}. Chacun est renvoyé pendant environ ` +
        'trois jours. Vérifiez que votre serveur répond 2xx.',
    ],
    WALLET_LOW: ({ country = '', currency = '', provider = '' }) => [
      `solde bas en ${currency}`,
      `Le portefeuille ${walletOf(country, currency, provider)} est sous le montant fixé par votre équipe. ` +
        "Approvisionnez-le pour que les versements n'échouent pas.",
    ],
    APPROVAL_PENDING: () => [
      'une demande attend votre approbation',
      "Une demande est en attente d'approbation. Vérifiez-la, puis approuvez-la ou rejetez-la.",
    ],
  },
};

function timeOf(text: string): string {
  return `${text.slice(0, 16).replace('T', ' ')} UTC`;
}

function walletOf(country: string, currency: string, provider: string): string {
  return `${country} (${currency})${provider === '' ? '' : `, ${provider}`}`;
}
