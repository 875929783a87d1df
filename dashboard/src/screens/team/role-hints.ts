import { words } from '../../language.tsx';
import type { Role } from '../../me.ts';

/** What a role is for, in a sentence. */
export const ROLE_HINTS = words<Readonly<Record<Role, string>>>({
  en: {
    OWNER: 'Full access, including inviting and removing people.',
    DEVELOPER: 'Sees payments, resends callbacks (webhooks), changes settings.',
    FINANCE:
      'Refunds payments, creates payment links, prepares and approves payouts, sees wallets, creates statements.',
    SUPPORT:
      'Finds and cancels payments, sees phone numbers, creates payment links, resends callbacks (webhooks).',
    READ_ONLY: 'Sees payments and wallets, with personal data hidden.',
    OPERATOR_ADMIN: 'Administers the platform: merchants, providers, fees, money, people.',
    OPERATOR_SUPPORT: 'Sees everything with personal data hidden. Can’t change anything.',
    BREAK_GLASS: 'Signs in without single sign-on. Sees everything, enables providers. Can’t approve.',
  },
  fr: {
    OWNER: 'Accès complet, y compris inviter et retirer des personnes.',
    DEVELOPER: 'Voit les paiements, renvoie les callbacks (webhooks), modifie les réglages.',
    FINANCE:
      'Rembourse, crée des liens de paiement, prépare et approuve les versements, voit les portefeuilles, ' +
      'crée les relevés.',
    SUPPORT:
      'Trouve et annule les paiements, voit les numéros, crée des liens de paiement, renvoie les callbacks (webhooks).',
    READ_ONLY: 'Voit les paiements et les portefeuilles, données personnelles masquées.',
    OPERATOR_ADMIN: 'Administre la plateforme : marchands, opérateurs, frais, argent, personnes.',
    OPERATOR_SUPPORT: 'Voit tout, données personnelles masquées. Ne peut rien modifier.',
    BREAK_GLASS:
      'Se connecte sans authentification unique. Voit tout, active les opérateurs. Ne peut pas approuver.',
  },
});
