import { Button, Group, NativeSelect, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { groupDigits } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import type { Prepared } from './batch-words.ts';
import { PreparedAnswer } from './prepared-answer.tsx';

type Option = AnswerOf<'readPayoutOptions'>['providers'][number];

export function PayoutScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const options = useQuery(
    reading('/console/api/merchants/{merchantId}/payout-options', { params: { path: { merchantId } } }),
  );
  return (
    <Page title={said.title} hint={said.hint}>
      <Loaded query={options} skeleton={<Skeleton height={420} maw={480} />}>
        {({ providers }) => <PayoutForm providers={providers} />}
      </Loaded>
    </Page>
  );
}

const EMPTY = { phoneNumber: '', amount: '', currency: '', provider: '', message: '', reference: '' };

function PayoutForm({ providers }: { readonly providers: readonly Option[] }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const navigate = useNavigate();
  const currencies = [...new Set(providers.map(({ currency }) => currency))].toSorted();
  const [form, setForm] = useState({ ...EMPTY, currency: currencies[0] ?? '' });
  const prepare = useAct({
    act: ({ repeatsAreMeant }: { readonly repeatsAreMeant: boolean }) =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payouts', {
          params: { path: { merchantId } },
          body: { ...bodyOf(form), repeatsAreMeant },
        }),
      ) as Promise<Prepared>,
    onDone: ({ batchId }) => {
      if (batchId === null) return;
      void navigate({ to: '/m/$merchantId/payouts/$batchId', params: { merchantId, batchId } });
    },
  });
  const fieldOf = (name: keyof typeof EMPTY) => ({
    value: form[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      prepare.reset();
      setForm((before) => ({ ...before, [name]: value, ...(name === 'currency' && { provider: '' }) }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prepare.mutate({ repeatsAreMeant: false });
  };
  const offered = providers.filter(({ currency }) => currency === form.currency);
  return (
    <Stack>
      <form onSubmit={submit}>
        <Stack maw={480}>
          <TextInput
            label={said.number}
            description={said.numberHint}
            inputMode="tel"
            autoComplete="off"
            required
            {...fieldOf('phoneNumber')}
          />
          <Group grow align="flex-end">
            <TextInput label={said.amount} inputMode="decimal" required {...fieldOf('amount')} />
            <NativeSelect label={said.currency} data={currencies} {...fieldOf('currency')} />
          </Group>
          <ProviderSelect offered={offered} {...fieldOf('provider')} />
          <TextInput label={said.message} description={said.messageHint} {...fieldOf('message')} />
          <TextInput label={said.reference} maxLength={1_000} {...fieldOf('reference')} />
          <Group>
            <Button type="submit" loading={prepare.isPending}>
              {said.prepare}
            </Button>
          </Group>
        </Stack>
      </form>
      {prepare.data?.batchId === null && (
        <PreparedAnswer
          prepared={prepare.data}
          isPending={prepare.isPending}
          onMeant={() => prepare.mutate({ repeatsAreMeant: true })}
        />
      )}
    </Stack>
  );
}

type ProviderSelectProps = {
  readonly offered: readonly Option[];
  readonly value: string;
  readonly onChange: (event: { currentTarget: { value: string } }) => void;
};

function ProviderSelect({ offered, value, onChange }: ProviderSelectProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const chosen = offered.find(({ provider }) => provider === value);
  const limits =
    chosen === undefined
      ? undefined
      : said.limits(groupDigits(chosen.minAmount, language), groupDigits(chosen.maxAmount, language));
  return (
    <NativeSelect
      label={said.provider}
      {...(limits !== undefined && { description: limits })}
      data={[
        { value: '', label: said.predicted },
        ...offered.map(({ provider, name, country }) => ({ value: provider, label: `${name} · ${country}` })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

function bodyOf({ phoneNumber, amount, currency, provider, message, reference }: typeof EMPTY) {
  return {
    phoneNumber: phoneNumber.trim(),
    amount: amount.trim(),
    currency,
    ...(provider !== '' && { provider }),
    ...(message.trim() !== '' && { customerMessage: message.trim() }),
    ...(reference.trim() !== '' && { clientReferenceId: reference.trim() }),
  };
}

const WORDS = words({
  en: {
    title: 'One payout',
    hint: 'It is checked and prepared here. You or another person confirm it on the next screen.',
    number: 'Phone number',
    numberHint: 'With the country code: +250 783 456 789.',
    amount: 'Amount',
    currency: 'Currency',
    provider: 'Provider',
    predicted: 'Told from the number',
    limits: (min: string, max: string) => `From ${min} to ${max}.`,
    message: 'Message to the recipient',
    messageHint: 'Optional: 4 to 22 letters, digits and blanks.',
    reference: 'Your reference (optional)',
    prepare: 'Check and prepare',
  },
  fr: {
    title: 'Un versement',
    hint: 'Il est vérifié et préparé ici. Vous ou une autre personne le confirmez à l’écran suivant.',
    number: 'Numéro de téléphone',
    numberHint: 'Avec l’indicatif du pays : +250 783 456 789.',
    amount: 'Montant',
    currency: 'Devise',
    provider: 'Opérateur',
    predicted: 'Déduit du numéro',
    limits: (min: string, max: string) => `De ${min} à ${max}.`,
    message: 'Message au bénéficiaire',
    messageHint: 'Facultatif : 4 à 22 lettres, chiffres et espaces.',
    reference: 'Votre référence (facultative)',
    prepare: 'Vérifier et préparer',
  },
});
