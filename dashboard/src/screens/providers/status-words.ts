import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

export type Provider = AnswerOf<'listProviders'>['providers'][number];
export type OperationState = Provider['operations'][number];
export type Status = OperationState['status'];

export const STATUSES = ['OPERATIONAL', 'DELAYED', 'CLOSED'] as const satisfies readonly Status[];

/** What an availability is called. */
export const STATUS_WORDS = words<Readonly<Record<Status, string>>>({
  en: { OPERATIONAL: 'operational', DELAYED: 'delayed', CLOSED: 'closed' },
  fr: { OPERATIONAL: 'opérationnel', DELAYED: 'retardé', CLOSED: 'fermé' },
});
