import type { Words } from '../words.ts';

/** French puts a narrow no-break space before signs of two parts, and between groups of digits. */
const THIN = '\u202F';

export const words: Words = {
  languageName: 'Français',
  locale: 'fr',
  chooseLanguage: 'Langue',
  colon: `${THIN}:`,
  testMode: 'Mode test. Sans argent réel.',
  payTo: (merchant) => `Payer ${merchant}`,
  forReason: 'Pour',
  country: 'Pays',
  chooseCountry: `Dans quel pays est votre compte mobile money${THIN}?`,
  change: 'Modifier',
  otherNumber: 'Utiliser un autre numéro',
  continue: 'Continuer',
  phone: 'Votre numéro mobile money',
  phoneHint: (digits, prefix) => `${digits} chiffres après ${prefix}`,
  enterAmount: (currency) => `Montant en ${currency}`,
  limits: (min, max) => `De ${min} à ${max}.`,
  noDecimals: 'Sans décimales.',
  twoDecimals: 'Deux décimales au plus.',
  provider: 'Votre opérateur mobile money',
  providerHint: 'Choisi d’après votre numéro. Modifiez-le si vous avez changé d’opérateur.',
  review: 'Vérifier et payer',
  from: 'De',
  prompted: (merchant) => `Votre téléphone affichera une demande de ${merchant}.`,
  pay: (amount) => `Payer ${amount}`,
  payNow: 'Payer',
  code: 'Code à usage unique',
  codeHint: `Pour obtenir votre code${THIN}:`,
  trouble: (provider) =>
    `${provider} a des difficultés en ce moment. Choisissez un autre opérateur ou réessayez plus tard.`,
  ownTrouble: (provider) => `${provider} a des difficultés en ce moment. Réessayez plus tard.`,
  allTrouble: 'Le mobile money a des difficultés ici en ce moment. Réessayez dans quelques minutes.',
  inTrouble: 'indisponible',
  cancel: 'Annuler ce paiement',
  cancelled: 'Vous avez annulé ce paiement',
  noMoneyTaken: 'Rien n’a été débité.',
  timeLeft: `Temps restant pour payer${THIN}:`,
  checkPhone: 'Approuvez le paiement sur votre téléphone',
  promptSent: (amount, merchant, phone) =>
    `Une demande de ${amount} de ${merchant} arrive sur ${phone}. Saisissez-y votre code PIN.`,
  manualPrompt: (provider) => `Approuvez le paiement dans le menu de ${provider}${THIN}:`,
  noPrompt: `Pas de demande sur votre téléphone${THIN}? Faites ceci${THIN}:`,
  dialNow: 'Composer',
  redirecting: (provider) => `Nous vous dirigeons vers ${provider}`,
  goTo: (provider) => `Continuer vers ${provider}`,
  confirming: (provider) => `En attente de la confirmation de ${provider}`,
  uncertain: [
    'Votre opérateur n’a pas encore confirmé le paiement',
    'Ne payez pas une seconde fois. Nous continuons à vérifier et informerons la boutique. ' +
      'Vous pouvez fermer cette page.',
  ],
  disputed: [
    'Votre opérateur annonce un autre résultat',
    'Ne payez pas une seconde fois. Nous vérifions si de l’argent a été débité et informerons la boutique. ' +
      'Vous pouvez fermer cette page.',
  ],
  updates: 'Cette page se met à jour toute seule. Gardez-la ouverte.',
  reload: 'Vérifier maintenant',
  paid: 'Paiement reçu',
  paidTo: (amount, merchant) => `Vous avez payé ${amount} à ${merchant}.`,
  reference: 'Référence',
  returning: (merchant) => `Nous vous ramenons chez ${merchant}.`,
  returnTo: (merchant) => `Retourner chez ${merchant}`,
  failed: 'Le paiement n’a pas abouti',
  tryAgain: 'Réessayer',
  toTryAgain: (merchant) => `Pour réessayer, retournez chez ${merchant}.`,
  expired: 'Ce paiement a expiré',
  toStartAgain: (merchant) => `Retournez chez ${merchant} pour recommencer.`,
  linkNote:
    'Chaque fois que vous continuez depuis cette page, un nouveau paiement commence. Si vous avez déjà payé, ne ' +
    'payez pas une deuxième fois.',
  lastPayment: 'Voir votre dernier paiement',
  linkOver: ['Ce lien de paiement n’est plus actif', 'Demandez-en un nouveau à la boutique.'],
  unknownPage: ['Cette page n’existe pas', 'Rouvrez le lien ou demandez-en un nouveau à la boutique.'],
  notServed: ['Une erreur est survenue', 'Rechargez la page. Elle indique où en est votre paiement.'],
  noOffer: (merchant) => `${merchant} ne peut pas recevoir ce paiement`,
  noProvider: (merchant) => `${merchant} n’a pas d’opérateur mobile money pour ce paiement.`,
  contactShop: 'Contactez la boutique.',
  notAccepted: (merchant, provider) => `${merchant} n’accepte pas les paiements avec ${provider}.`,
  otherProvider: (provider) =>
    `Votre numéro semble être chez ${provider}. ` +
    'Choisissez un autre opérateur seulement si vous l’avez rejoint.',
  hostedBy: (host) => `Paiements par ${host}`,
  problem: `À vérifier${THIN}:`,
  problems: {
    phone: (country) => `Saisissez un numéro de mobile${THIN}: ${country}.`,
    amount: 'Saisissez un montant, par exemple 1000.',
    bounds: (provider, min, max) => `${provider} accepte des montants de ${min} à ${max}.`,
    decimals: (provider) => `${provider} n’accepte que des montants sans décimales.`,
    provider: 'Choisissez votre opérateur mobile money.',
    code: 'Saisissez le code à usage unique reçu.',
    prompts:
      'Aucune demande n’a été envoyée. Ce numéro en a une en attente, ou plusieurs n’ont pas ' +
      'été approuvées. Approuvez celle du téléphone ou réessayez plus tard.',
    notAllowed: (merchant) =>
      'Ce paiement n’est pas possible maintenant. Rien n’a été débité. ' +
      `Réessayez plus tard ou contactez ${merchant}.`,
    form: 'Cette page est restée ouverte trop longtemps. Appuyez encore une fois sur le bouton.',
    unknown: 'Nous ne savons pas encore si votre paiement a commencé. Attendez un instant puis vérifiez ici.',
  },
  failures: {
    PAYMENT_NOT_APPROVED: [
      'La demande n’a pas été approuvée à temps, ou a été refusée.',
      'Gardez votre téléphone à portée et saisissez votre code PIN quand la demande apparaît.',
    ],
    INSUFFICIENT_BALANCE: [
      'Le solde du compte est insuffisant.',
      'Rechargez-le ou utilisez un autre numéro.',
    ],
    PAYMENT_IN_PROGRESS: [
      'Une autre demande est ouverte sur votre téléphone.',
      'Répondez-y ou fermez-la d’abord, puis patientez quelques minutes.',
    ],
    PAYER_NOT_FOUND: [
      'Ce numéro n’a pas de compte chez cet opérateur.',
      'Vérifiez le numéro et l’opérateur choisi.',
    ],
    PAYER_LIMIT_REACHED: [
      'Le compte a atteint une limite de votre opérateur.',
      'Utilisez un autre numéro, ou demandez à votre opérateur.',
    ],
    UNSPECIFIED_FAILURE: [
      'Votre opérateur n’a pas terminé le paiement et n’a pas dit pourquoi.',
      'Patientez quelques minutes, ou utilisez un autre numéro.',
    ],
  },
  separators: [THIN, ','],
};
