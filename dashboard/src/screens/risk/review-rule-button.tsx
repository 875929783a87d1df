import { Button, Group, Modal, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from '../../parts/kind-words.ts';
import { useCatalogue } from '../../parts/names.tsx';
import {
  REVIEW_RULE_WORDS,
  reviewRuleParts,
  REVIEW_RULES,
  WITHOUT_ANSWER,
  type ReviewRule,
  type ReviewRuleValues,
} from '../../parts/review-words.ts';

type RuleKey = Pick<ReviewRule, 'rule' | 'subject'>;

type ReviewRuleButtonProps = {
  readonly merchantId: string;
  /** The rule that is changed; left out for a new one. */
  readonly rule?: ReviewRule;
};

export function ReviewRuleButton(props: ReviewRuleButtonProps) {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const isNew = props.rule === undefined;
  return (
    <>
      <Button variant={isNew ? 'filled' : 'default'} size={isNew ? 'sm' : 'xs'} onClick={open}>
        {isNew ? t.add : t.change}
      </Button>
      <Modal opened={isOpen} onClose={close} title={isNew ? t.add : t.change} centered>
        <RuleForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function RuleForm({ merchantId, rule, onClose }: ReviewRuleButtonProps & { readonly onClose: () => void }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const [key, setKey] = useState<RuleKey>(rule ?? { rule: 'FIRST_RECIPIENT', subject: '' });
  const [withoutAnswer, setWithoutAnswer] = useState(rule?.withoutAnswer ?? proposedAnswer(key.subject));
  const [amount, setAmount] = useState(rule?.amountAbove ?? '');
  const [hours, setHours] = useState<number | string>(rule?.hours ?? 24);
  const isScreening = key.rule === 'SCREENING';
  const hasHours = key.rule === 'COOLING_OFF';
  const values: ReviewRuleValues = {
    withoutAnswer: isScreening ? withoutAnswer : null,
    amountAbove: isScreening ? null : amount.trim(),
    hours: hasHours && hours !== '' ? Number(hours) : null,
  };
  const set = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/merchants/{merchantId}/review-rules', {
          params: { path: { merchantId } },
          body: { rule: key.rule, subject: key.subject, ...values },
        }),
      ),
    done: ({ outcome }) => (outcome === 'DONE' ? t.done : t.requested),
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {rule === undefined ? (
          <KeyFields
            value={key}
            onChange={(chosen) => {
              setKey(chosen);
              setWithoutAnswer(proposedAnswer(chosen.subject));
            }}
          />
        ) : (
          <Text fw={600}>{reviewRuleParts(rule, language)[0]}</Text>
        )}
        {isScreening ? (
          <AnswerField subject={key.subject} value={withoutAnswer} onChange={setWithoutAnswer} />
        ) : (
          <TextInput
            label={t.amount}
            description={t.hints[key.rule]}
            required
            inputMode="decimal"
            pattern="[0-9]+([.][0-9]{1,4})?"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        )}
        {hasHours && (
          <NumberInput
            label={t.hours}
            required
            min={1}
            max={720}
            allowDecimal={false}
            allowNegative={false}
            value={hours}
            onChange={setHours}
          />
        )}
        <Text size="sm" c="dimmed">
          {t.hint}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={set.isPending} disabled={key.subject === ''}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type KeyFieldsProps = { readonly value: RuleKey; readonly onChange: (key: RuleKey) => void };

/** The rule, and the kind of payment or the currency that it is about. */
function KeyFields({ value: { rule, subject }, onChange }: KeyFieldsProps) {
  const t = useWords(WORDS);
  const names = useWords(REVIEW_RULE_WORDS);
  const kinds = useWords(KIND_WORDS);
  const { data } = useCatalogue();
  const currencies = [...new Set(data?.providers.flatMap((one) => one.currencies))].toSorted();
  const isScreening = rule === 'SCREENING';
  const choices = isScreening
    ? PAYMENT_KINDS.map((one) => ({ value: one, label: kinds[one] }))
    : currencies.map((one) => ({ value: one, label: one }));
  return (
    <>
      <NativeSelect
        label={t.rule}
        data={REVIEW_RULES.map((one) => ({ value: one, label: names[one] }))}
        value={rule}
        onChange={({ currentTarget }) =>
          onChange({ rule: REVIEW_RULES.find((one) => one === currentTarget.value) ?? rule, subject: '' })
        }
      />
      <NativeSelect
        label={isScreening ? t.kind : t.currency}
        data={[{ value: '', label: '–' }, ...choices]}
        value={subject}
        onChange={(event) => onChange({ rule, subject: event.currentTarget.value })}
      />
    </>
  );
}

type Answer = NonNullable<ReviewRule['withoutAnswer']>;

type AnswerFieldProps = {
  readonly subject: string;
  readonly value: Answer;
  readonly onChange: (value: Answer) => void;
};

/** Money that leaves waits for a person. A deposit cannot be held: its payer is waiting. */
function proposedAnswer(subject: string): Answer {
  return subject === 'DEPOSIT' ? 'ALLOW' : 'HOLD';
}

/** What happens where the screening service does not answer. */
function AnswerField({ subject, value, onChange }: AnswerFieldProps) {
  const t = useWords(WORDS);
  const { answers } = useWords(REVIEW_RULE_WORDS);
  const choices = WITHOUT_ANSWER.filter((one) => subject !== 'DEPOSIT' || one !== 'HOLD');
  return (
    <NativeSelect
      label={t.withoutAnswer}
      data={choices.map((one) => ({ value: one, label: answers[one] }))}
      value={value}
      onChange={({ currentTarget }) =>
        onChange(WITHOUT_ANSWER.find((one) => one === currentTarget.value) ?? value)
      }
    />
  );
}

const WORDS = words({
  en: {
    add: 'Set rule',
    change: 'Change',
    rule: 'Rule',
    kind: 'Payments',
    currency: 'Currency',
    withoutAnswer: 'If the screening service does not answer',
    amount: 'Above this amount',
    hints: {
      SCREENING: '',
      FIRST_RECIPIENT:
        'Larger payouts wait for review, unless one to the number was completed a day ago or released by people.',
      COOLING_OFF: 'Larger payouts wait after a change of a token, callback URL or signature rule.',
    },
    hours: 'For how many hours',
    hint: 'A stricter rule counts within 10 seconds. In production another person must approve a looser one.',
    cancel: 'Cancel',
    save: 'Save',
    done: 'Rule set. It counts within 10 seconds.',
    requested: 'Sent for approval. The rule stays as it is until then.',
  },
  fr: {
    add: 'Fixer une règle',
    change: 'Modifier',
    rule: 'Règle',
    kind: 'Paiements',
    currency: 'Devise',
    withoutAnswer: 'Si le service de filtrage ne répond pas',
    amount: 'Au-dessus de ce montant',
    hints: {
      SCREENING: '',
      FIRST_RECIPIENT:
        'Les versements plus élevés attendent un contrôle, sauf si un versement au numéro a réussi il y a plus d’un ' +
        'jour ou a été libéré par des personnes.',
      COOLING_OFF:
        'Les versements plus élevés attendent après un changement de jeton, d’URL de callback ou de règle de ' +
        'signature.',
    },
    hours: 'Pendant combien d’heures',
    hint:
      'Une règle plus stricte vaut sous 10 secondes. En production, une autre personne doit approuver une règle plus ' +
      'souple.',
    cancel: 'Annuler',
    save: 'Enregistrer',
    done: 'Règle fixée. Elle vaut sous 10 secondes.',
    requested: 'Envoyé pour approbation. La règle reste inchangée d’ici là.',
  },
});
