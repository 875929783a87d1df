import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';
import type { Tone } from '../../parts/state-badge.tsx';

export type Batch = AnswerOf<'readPayoutBatch'>;
export type ListedBatch = AnswerOf<'listPayoutBatches'>['rows'][number];
export type BatchRow = AnswerOf<'listPayoutBatchRows'>['rows'][number];
export type Prepared = AnswerOf<'preparePayoutBatch'>;
export type BatchStatus = Batch['status'];

export const BATCH_TONES: Readonly<Record<BatchStatus, Tone>> = {
  WAITING: 'trouble',
  SENDING: 'info',
  DONE: 'success',
  STOPPED: 'failure',
  CANCELLED: 'quiet',
};

/** What the statuses of batches are called. */
export const BATCH_WORDS = words<Readonly<Record<BatchStatus, string>>>({
  en: {
    WAITING: 'Not sent',
    SENDING: 'Sending',
    DONE: 'Sent',
    STOPPED: 'Stopped',
    CANCELLED: 'Cancelled',
  },
  fr: {
    WAITING: 'Non envoyé',
    SENDING: 'Envoi en cours',
    DONE: 'Envoyé',
    STOPPED: 'Arrêté',
    CANCELLED: 'Annulé',
  },
});
