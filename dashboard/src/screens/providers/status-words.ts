import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

export type Provider = AnswerOf<'listProviders'>['providers'][number];
export type OperationState = Provider['operations'][number];
export type Status = OperationState['status'];

export const STATUSES = ['OPERATIONAL', 'DELAYED', 'CLOSED'] as const satisfies readonly Status[];

/** What an availability is called. */
export const STATUS_WORDS = words<Readonly<Record<Status, string>>>({
  en: { OPERATIONAL: 'Operational', DELAYED: 'Delayed', CLOSED: 'Closed' },
  fr: { OPERATIONAL: 'Opérationnel', DELAYED: 'Retardé', CLOSED: 'Fermé' },
});
