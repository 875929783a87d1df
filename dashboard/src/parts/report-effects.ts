// What the lines of an operator's report do when it is approved, in words.
import type { AnswerOf } from '../api/client.ts';
import { words } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';
import { groupDigits } from './money.tsx';
import type { Reader } from './detail-values.ts';

export type LineEffect = AnswerOf<'listProposedLines'>['rows'][number]['effect'];

type EffectWords = {
  /** Of one line. */
  readonly line: string;
  /** Of all that have this effect; `sums`: what their payments add up to. */
  readonly all: (count: string, sums: string) => string;
};

export const EFFECT_WORDS = words<Readonly<Record<LineEffect, EffectWords>>>({
  en: {
    END_COMPLETED: {
      line: 'Ends the payment as completed',
      all: (count, sums) => `Ends ${count} as completed (${sums})`,
    },
    END_FAILED: {
      line: 'Ends the payment as failed',
      all: (count, sums) => `Ends ${count} as failed (${sums})`,
    },
    CASE: {
      line: 'Opens a case',
      all: (count, sums) => `Opens cases about ${count} (${sums})`,
    },
    REVERSAL: {
      line: 'Opens a case: completed, then taken back',
      all: (count, sums) => `Reverses ${count} that completed (${sums})`,
    },
    LOST_PAYMENT: {
      line: 'Posts a payment lost in a restore',
      all: (count, sums) => `Posts ${count} lost in a restore (${sums})`,
    },
    FLOAT_TOP_UP: {
      line: 'Posts a float top-up',
      all: (count, sums) => `Posts ${count} float top-ups (${sums})`,
    },
    FLOAT_WITHDRAWAL: {
      line: 'Posts a float withdrawal',
      all: (count, sums) => `Posts ${count} float withdrawals (${sums})`,
    },
    OPERATOR_CHARGE: {
      line: 'Posts a charge of the operator',
      all: (count, sums) => `Posts ${count} charges of the operator (${sums})`,
    },
  },
  fr: {
    END_COMPLETED: {
      line: 'Clôt le paiement comme réussi',
      all: (count, sums) => `Clôt ${count} comme réussis (${sums})`,
    },
    END_FAILED: {
      line: 'Clôt le paiement comme échoué',
      all: (count, sums) => `Clôt ${count} comme échoués (${sums})`,
    },
    CASE: {
      line: 'Ouvre un dossier',
      all: (count, sums) => `Ouvre des dossiers sur ${count} (${sums})`,
    },
    REVERSAL: {
      line: 'Ouvre un dossier : réussi, puis annulé',
      all: (count, sums) => `Annule ${count} qui avaient réussi (${sums})`,
    },
    LOST_PAYMENT: {
      line: 'Comptabilise un paiement perdu lors d’une restauration',
      all: (count, sums) => `Comptabilise ${count} perdus lors d’une restauration (${sums})`,
    },
    FLOAT_TOP_UP: {
      line: 'Comptabilise un approvisionnement chez l’opérateur',
      all: (count, sums) => `Comptabilise ${count} approvisionnements chez l’opérateur (${sums})`,
    },
    FLOAT_WITHDRAWAL: {
      line: 'Comptabilise un retrait de fonds chez l’opérateur',
      all: (count, sums) => `Comptabilise ${count} retraits de fonds chez l’opérateur (${sums})`,
    },
    OPERATOR_CHARGE: {
      line: 'Comptabilise des frais de l’opérateur',
      all: (count, sums) => `Comptabilise ${count} frais de l’opérateur (${sums})`,
    },
  },
});

/** By the names that the details of a request have. */
const EFFECT_OF_DETAIL = {
  endsCompleted: 'END_COMPLETED',
  endsFailed: 'END_FAILED',
  opensCases: 'CASE',
  reverses: 'REVERSAL',
  postsLost: 'LOST_PAYMENT',
  topsUp: 'FLOAT_TOP_UP',
  withdraws: 'FLOAT_WITHDRAWAL',
  charges: 'OPERATOR_CHARGE',
} as const satisfies Readonly<Record<string, LineEffect>>;

/** "Ends 12 as completed (15,000 RWF)", one for each effect that the report has. */
export function reportEffects(details: Approval['details'], { language }: Reader): readonly string[] {
  return Object.entries(EFFECT_OF_DETAIL).flatMap(([name, effect]) => {
    const [count, sums] = (details[name] ?? '').split(': ');
    if (count === undefined || sums === undefined) return [];
    const grouped = sums.replaceAll(NUMBER, (one) => groupDigits(one, language));
    return EFFECT_WORDS[language][effect].all(groupDigits(count, language), grouped);
  });
}

const NUMBER = /\d+(?:\.\d+)?/g;
