import { words } from '../../language.tsx';
import type { Role } from '../../me.ts';

/** What a role is for, in a sentence. */
export const ROLE_HINTS = words<Readonly<Record<Role, string>>>({
  en: {
    OWNER: 'May do everything, also invite and remove people.',
    DEVELOPER: 'Sees payments, resends callbacks, and changes settings.',
    FINANCE: 'Refunds, prepares and approves payouts, sees wallets, makes statements.',
    SUPPORT: 'Finds payments, shows phone numbers, cancels, resends callbacks.',
    READ_ONLY: 'Sees payments and wallets, with personal data hidden.',
    OPERATOR_ADMIN: 'Runs the gateway: merchants, providers, fees, money, people.',
    OPERATOR_SUPPORT: 'Looks at everything with personal data hidden, and changes nothing.',
    BREAK_GLASS: 'Signs in without single sign-on. Sees everything, switches providers, approves nothing.',
  },
  fr: {
    OWNER: 'Peut tout faire, aussi inviter et retirer des personnes.',
    DEVELOPER: 'Voit les paiements, renvoie les notifications et modifie les réglages.',
    FINANCE: 'Rembourse, prépare et approuve les versements, voit les portefeuilles, établit les relevés.',
    SUPPORT: 'Trouve les paiements, affiche les numéros, annule, renvoie les notifications.',
    READ_ONLY: 'Voit les paiements et les portefeuilles, données personnelles masquées.',
    OPERATOR_ADMIN: 'Exploite la passerelle : marchands, opérateurs, frais, argent, personnes.',
    OPERATOR_SUPPORT: 'Regarde tout, données personnelles masquées, et ne modifie rien.',
    BREAK_GLASS:
      'Se connecte sans authentification unique. Voit tout, active les opérateurs, n’approuve rien.',
  },
});
