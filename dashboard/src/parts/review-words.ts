// Reviews in words.
import type { AnswerOf } from '../api/client.ts';
import { words, type Language } from '../language.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from './kind-words.ts';
import { groupDigits } from './money.tsx';

export type Review = AnswerOf<'listReviews'>['rows'][number];
export type ReviewRule = AnswerOf<'listReviewRules'>['rules'][number];
export type ReviewRuleValues = Pick<ReviewRule, 'withoutAnswer' | 'amountAbove' | 'hours'>;
type Details = Readonly<Record<string, string>>;

export const REVIEW_RULES = ['SCREENING', 'FIRST_RECIPIENT', 'COOLING_OFF'] as const;
export const WITHOUT_ANSWER = ['NOT_ASKED', 'ALLOW', 'HOLD', 'REJECT'] as const;

/** Why people look at a payment. */
export const REVIEW_REASON_WORDS = words<Readonly<Record<Review['reasons'][number], string>>>({
  en: {
    SCREENED: 'Held by the screening service',
    NO_ANSWER: 'The screening service did not answer',
    FIRST_RECIPIENT: 'New recipient',
    COOLING_OFF: 'Recent change of a token, callback URL or signature rule',
  },
  fr: {
    SCREENED: 'Retenu par le service de filtrage',
    NO_ANSWER: 'Le service de filtrage n’a pas répondu',
    FIRST_RECIPIENT: 'Nouveau bénéficiaire',
    COOLING_OFF: 'Changement récent d’un jeton, d’une URL de callback ou d’une règle de signature',
  },
});

/** The names and values of review rules. */
export const REVIEW_RULE_WORDS = words({
  en: {
    RELEASE: 'Release',
    REJECT: 'Reject',
    SCREENING: 'Screening',
    FIRST_RECIPIENT: 'New recipients',
    COOLING_OFF: 'Cooling-off',
    removed: 'removed',
    above: (amount: string) => `above ${amount}`,
    hours: (hours: string) => `${hours} h`,
    withoutAnswer: (what: string) => `without an answer: ${what}`,
    answers: { NOT_ASKED: 'not screened', ALLOW: 'allowed', HOLD: 'held', REJECT: 'rejected' },
  },
  fr: {
    RELEASE: 'Libérer',
    REJECT: 'Refuser',
    SCREENING: 'Filtrage',
    FIRST_RECIPIENT: 'Nouveaux bénéficiaires',
    COOLING_OFF: 'Délai de précaution',
    removed: 'supprimé',
    above: (amount: string) => `au-dessus de ${amount}`,
    hours: (hours: string) => `${hours} h`,
    withoutAnswer: (what: string) => `sans réponse : ${what}`,
    answers: { NOT_ASKED: 'sans filtrage', ALLOW: 'autorisé', HOLD: 'retenu', REJECT: 'refusé' },
  },
});

/** "Release 250,000 RWF". */
export function reviewTitle({ decision, amount = '', currency = '' }: Details, language: Language): string {
  const verb = REVIEW_RULE_WORDS[language][decision === 'REJECT' ? 'REJECT' : 'RELEASE'];
  return `${verb} ${groupDigits(amount, language)} ${currency}`;
}

/** "New recipients · RWF → above 500,000". */
export function reviewRuleTitle(details: Details, language: Language): string {
  const { rule = '', withoutAnswer = 'none', amountAbove = 'none', hours = 'none' } = details;
  const t = REVIEW_RULE_WORDS[language];
  const answers: Details = t.answers;
  const [name = '', subject = ''] = rule.split(' ');
  const known = REVIEW_RULES.find((one) => one === name);
  const kind = PAYMENT_KINDS.find((one) => one === subject);
  const values = [
    ...(withoutAnswer === 'none' ? [] : [t.withoutAnswer(answers[withoutAnswer] ?? withoutAnswer)]),
    ...(amountAbove === 'none' ? [] : [t.above(groupDigits(amountAbove, language))]),
    ...(hours === 'none' ? [] : [t.hours(hours)]),
  ];
  const about = kind === undefined ? subject : KIND_WORDS[language][kind];
  const what = `${known === undefined ? name : t[known]} · ${about}`;
  return `${what} → ${values.length === 0 ? t.removed : values.join(', ')}`;
}

/** The two parts of its title: what it is about, and what it says. */
export function reviewRuleParts(
  { rule, subject, withoutAnswer, amountAbove, hours }: Omit<ReviewRule, 'isDefault' | 'approval'>,
  language: Language,
): readonly string[] {
  const details = {
    rule: `${rule} ${subject}`,
    withoutAnswer: withoutAnswer ?? 'none',
    amountAbove: amountAbove ?? 'none',
    hours: hours === null ? 'none' : String(hours),
  };
  return reviewRuleTitle(details, language).split(' → ');
}
