// What the landing page says, in English and French.

const ENGLISH = {
  title: 'Sandbox',
  heading: 'Your sandbox is running',
  lead: 'The whole gateway, with simulated operators and play money.',
  dashboard: {
    name: 'Dashboard',
    about: 'Payments, wallets and callbacks, as a merchant or as the platform.',
  },
  merchant: 'Merchant',
  platform: 'Platform',
  password: 'Password',
  docs: { name: 'Docs', about: 'Tutorial, guides and reference, with an API viewer that sends requests.' },
  phones: { name: 'Test phones', about: 'Play the payer: enter the PIN, decline, or do nothing.' },
  building: 'Being built: ready in a minute or two.',
  api: {
    name: 'First API request',
    about: 'Ask a payer in Rwanda for 100 RWF. This number approves automatically after about 3 seconds.',
  },
  outcome: 'Then read the outcome:',
  more: 'Other numbers fail in other ways:',
  numbers: 'test numbers',
  reference: 'API reference',
};

export type LandingTexts = typeof ENGLISH;

const FRENCH: LandingTexts = {
  title: 'Bac à sable',
  heading: 'Votre bac à sable fonctionne',
  lead: 'Toute la passerelle, avec des opérateurs simulés et de l’argent fictif.',
  dashboard: {
    name: 'Tableau de bord',
    about: 'Paiements, portefeuilles et callbacks, comme marchand ou comme plateforme.',
  },
  merchant: 'Marchand',
  platform: 'Plateforme',
  password: 'Mot de passe',
  docs: {
    name: 'Documentation',
    about: 'Tutoriel, guides et référence, en anglais, avec un outil pour essayer l’API.',
  },
  phones: {
    name: 'Téléphones de test',
    about: 'Jouez le payeur : saisissez le PIN, refusez ou ne faites rien.',
  },
  building: 'En construction : prêt dans une minute ou deux.',
  api: {
    name: 'Première requête à l’API',
    about:
      'Demandez 100 RWF à un payeur au Rwanda. Ce numéro approuve automatiquement après environ 3 secondes.',
  },
  outcome: 'Puis lisez le résultat :',
  more: 'D’autres numéros échouent autrement :',
  numbers: 'numéros de test',
  reference: 'référence de l’API',
};

export const LANDING_TEXTS = { en: ENGLISH, fr: FRENCH };
