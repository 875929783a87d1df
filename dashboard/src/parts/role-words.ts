import { words } from '../language.tsx';
import type { Role } from '../me.ts';

/** What roles are called. */
export const ROLE_WORDS = words<Readonly<Record<Role, string>>>({
  en: {
    OWNER: 'Owner',
    DEVELOPER: 'Developer',
    FINANCE: 'Finance',
    SUPPORT: 'Support',
    READ_ONLY: 'Read only',
    OPERATOR_ADMIN: 'Platform administrator',
    OPERATOR_SUPPORT: 'Platform support',
    BREAK_GLASS: 'Break-glass account',
  },
  fr: {
    OWNER: 'Propriétaire',
    DEVELOPER: 'Développement',
    FINANCE: 'Finances',
    SUPPORT: 'Assistance',
    READ_ONLY: 'Lecture seule',
    OPERATOR_ADMIN: 'Administration de la plateforme',
    OPERATOR_SUPPORT: 'Assistance de la plateforme',
    BREAK_GLASS: 'Compte de secours',
  },
});
