// Risk events in words.
import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

export type RiskEvent = AnswerOf<'listRiskEvents'>['events'][number]['event'];

export const RISK_EVENTS = [
  'PLATFORM_LIMIT',
  'MERCHANT_LIMIT',
  'NUMBER_BLOCKED',
  'PAYMENT_HELD',
  'PAYMENT_RELEASED',
  'PAYMENT_REJECTED',
  'FROZEN',
  'FREEZE_LIFTED',
  'FUNDS_HELD',
  'FUNDS_RELEASED',
  'SIGN_IN_REFUSED',
  'TOKEN_REFUSED',
  'NOTIFICATION_FORGED',
] as const satisfies readonly RiskEvent[];

export const RISK_EVENT_WORDS = words<Readonly<Record<RiskEvent, string>>>({
  en: {
    PLATFORM_LIMIT: 'Platform limit reached',
    MERCHANT_LIMIT: 'Merchant limit reached',
    NUMBER_BLOCKED: 'Blocked number',
    PAYMENT_HELD: 'Payment held',
    PAYMENT_RELEASED: 'Held payment released',
    PAYMENT_REJECTED: 'Payment rejected',
    FROZEN: 'Frozen',
    FREEZE_LIFTED: 'Freeze lifted',
    FUNDS_HELD: 'Funds held',
    FUNDS_RELEASED: 'Funds released',
    SIGN_IN_REFUSED: 'Failed sign-in',
    TOKEN_REFUSED: 'Invalid API token',
    NOTIFICATION_FORGED: 'Forged notification',
  },
  fr: {
    PLATFORM_LIMIT: 'Limite de la plateforme atteinte',
    MERCHANT_LIMIT: 'Limite du marchand atteinte',
    NUMBER_BLOCKED: 'Numéro bloqué',
    PAYMENT_HELD: 'Paiement retenu',
    PAYMENT_RELEASED: 'Paiement retenu libéré',
    PAYMENT_REJECTED: 'Paiement refusé',
    FROZEN: 'Gelé',
    FREEZE_LIFTED: 'Gel levé',
    FUNDS_HELD: 'Fonds retenus',
    FUNDS_RELEASED: 'Fonds libérés',
    SIGN_IN_REFUSED: 'Connexion refusée',
    TOKEN_REFUSED: 'Jeton d’API invalide',
    NOTIFICATION_FORGED: 'Fausse notification',
  },
});
