import type { AnswerOf } from '../api/client.ts';
import { words } from '../language.tsx';

type State = AnswerOf<'listPayments'>['payments'][number]['state'];

/** What the statuses of payments are called. */
export const STATE_WORDS = words<Readonly<Record<State, string>>>({
  en: {
    ACCEPTED: 'Accepted',
    ENQUEUED: 'Queued',
    PROCESSING: 'Processing',
    IN_RECONCILIATION: 'In reconciliation',
    COMPLETED: 'Completed',
    FAILED: 'Failed',
  },
  fr: {
    ACCEPTED: 'Accepté',
    ENQUEUED: 'En file d’attente',
    PROCESSING: 'En cours',
    IN_RECONCILIATION: 'En rapprochement',
    COMPLETED: 'Réussi',
    FAILED: 'Échoué',
  },
});

/** One that a newer server has is shown by its code. */
export function stateName(state: string, names: Readonly<Record<string, string>>): string {
  return names[state] ?? state;
}
