import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../api/acts.ts';
import { answer, api } from '../api/client.ts';
import { useLanguage, useWords, words } from '../language.tsx';
import { LimitFields } from './limit-fields.tsx';
import { limitTitle, type Limit, type LimitKey } from './limit-words.ts';

/** Whose limits are changed, and of which merchant. */
export type LimitOwner = { readonly merchantId: string; readonly setBy: Limit['setBy'] };

type Maxima = Pick<Limit, 'countMax' | 'amountMax'>;

type LimitButtonProps = {
  readonly owner: LimitOwner;
  /** The limit that is changed; left out for a new one. */
  readonly limit?: Limit;
};

export function LimitButton(props: LimitButtonProps) {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const isNew = props.limit === undefined;
  return (
    <>
      <Button variant={isNew ? 'filled' : 'default'} size={isNew ? 'sm' : 'xs'} onClick={open}>
        {isNew ? t.add : t.change}
      </Button>
      <Modal opened={isOpen} onClose={close} title={isNew ? t.add : t.change} centered>
        <LimitForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

const NEW: LimitKey = { kind: 'PAYOUT', scope: 'MERCHANT', subject: '', period: 'DAY', currency: '' };

function LimitForm({ owner, limit, onClose }: LimitButtonProps & { readonly onClose: () => void }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const [key, setKey] = useState<LimitKey>(limit === undefined ? NEW : keyOf(limit));
  const [count, setCount] = useState<number | string>(limit?.countMax ?? '');
  const [amount, setAmount] = useState(limit?.amountMax ?? '');
  const hasCurrency = key.currency !== '';
  const maxima: Maxima = {
    countMax: count === '' ? null : Number(count),
    amountMax: hasCurrency && amount.trim() !== '' ? amount.trim() : null,
  };
  const set = useAct({
    act: () => setLimit(owner, { ...key, ...maxima }),
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
        {limit === undefined ? (
          <LimitFields merchantId={owner.merchantId} value={key} onChange={setKey} />
        ) : (
          <Text fw={600}>{limitTitle(nameOf(limit), language)}</Text>
        )}
        <NumberInput
          label={t.count}
          description={t.countHint}
          min={0}
          max={999_999_999}
          allowDecimal={false}
          allowNegative={false}
          value={count}
          onChange={setCount}
        />
        <TextInput
          label={hasCurrency ? t.amount(key.currency) : t.amount('')}
          description={hasCurrency ? undefined : t.amountHint}
          disabled={!hasCurrency}
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,4})?"
          value={hasCurrency ? amount : ''}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {owner.setBy === 'PLATFORM' ? t.hint : t.ownHint}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            type="submit"
            loading={set.isPending}
            disabled={maxima.countMax === null && maxima.amountMax === null}
          >
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function keyOf({ kind, scope, subject, period, currency }: LimitKey): LimitKey {
  return { kind, scope, subject, period, currency };
}

function nameOf({ setBy, kind, scope, subject, period, currency }: Limit): string {
  return [
    setBy,
    kind,
    scope,
    subject === '' ? 'EACH' : subject,
    period,
    currency === '' ? 'ANY' : currency,
  ].join(' ');
}

function setLimit({ merchantId, setBy }: LimitOwner, body: LimitKey & Maxima) {
  const call = { params: { path: { merchantId } }, body };
  return setBy === 'PLATFORM'
    ? answer(api.PUT('/console/api/host/merchants/{merchantId}/limits', call))
    : answer(api.PUT('/console/api/merchants/{merchantId}/limits', call));
}

export function removeLimit({ merchantId, setBy }: LimitOwner, limit: LimitKey) {
  const call = { params: { path: { merchantId } }, body: keyOf(limit) };
  return setBy === 'PLATFORM'
    ? answer(api.POST('/console/api/host/merchants/{merchantId}/limits/remove', call))
    : answer(api.POST('/console/api/merchants/{merchantId}/limits/remove', call));
}

const WORDS = words({
  en: {
    add: 'Set limit',
    change: 'Change',
    count: 'Max payments',
    countHint: 'Leave empty to limit the amount only.',
    amount: (currency: string) => (currency === '' ? 'Max amount' : `Max amount (${currency})`),
    amountHint: 'Choose a currency to limit the amount.',
    hint: 'A stricter limit counts within 10 seconds. In production another person must approve a looser one.',
    ownHint:
      'A stricter limit counts within 10 seconds. In production the platform must approve a looser one.',
    cancel: 'Cancel',
    save: 'Save',
    done: 'Limit set. It counts within 10 seconds.',
    requested: 'Sent for approval. The limit stays as it is until then.',
  },
  fr: {
    add: 'Fixer une limite',
    change: 'Modifier',
    count: 'Paiements max.',
    countHint: 'Laissez vide pour ne limiter que le montant.',
    amount: (currency: string) => (currency === '' ? 'Montant max.' : `Montant max. (${currency})`),
    amountHint: 'Choisissez une devise pour limiter le montant.',
    hint:
      'Une limite plus stricte vaut sous 10 secondes. En production, une autre personne doit approuver une limite ' +
      'plus souple.',
    ownHint:
      'Une limite plus stricte vaut sous 10 secondes. En production, la plateforme doit approuver une limite plus ' +
      'souple.',
    cancel: 'Annuler',
    save: 'Enregistrer',
    done: 'Limite fixée. Elle vaut sous 10 secondes.',
    requested: 'Envoyé pour approbation. La limite reste inchangée d’ici là.',
  },
});
