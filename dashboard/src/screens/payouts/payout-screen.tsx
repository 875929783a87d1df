import { Alert, Button, Group, NativeSelect, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { groupDigits } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { useUsualPlace, type UsualPlace } from '../../parts/usual-place.ts';
import type { Prepared } from './batch-words.ts';
import { FAULT_WORDS, wordFault } from './fault-words.ts';
import { HolderCheck } from './holder.tsx';
import { PreparedAnswer } from './prepared-answer.tsx';

type Option = AnswerOf<'readPayoutOptions'>['providers'][number];

export function PayoutScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const options = useQuery(
    reading('/console/api/merchants/{merchantId}/payout-options', { params: { path: { merchantId } } }),
  );
  const usual = useUsualPlace();
  const skeleton = <Skeleton height={420} maw={480} />;
  return (
    <Page title={said.title} hint={said.hint}>
      <Loaded query={options} skeleton={skeleton}>
        {({ providers }) =>
          usual === undefined ? skeleton : <PayoutForm providers={providers} usual={usual} />
        }
      </Loaded>
    </Page>
  );
}

/** Named as the API names them, so that what is wrong finds its field. */
const EMPTY = {
  country: '',
  phoneNumber: '',
  recipientName: '',
  amount: '',
  currency: '',
  provider: '',
  customerMessage: '',
  clientReferenceId: '',
};
type Form = typeof EMPTY;

type PayoutFormProps = { readonly providers: readonly Option[]; readonly usual: UsualPlace };

function PayoutForm({ providers, usual }: PayoutFormProps) {
  const said = useWords(WORDS);
  const names = useNames();
  const countries = [...new Set(providers.map(({ country }) => country))];
  const [form, setForm] = useState<Form>(() => inCountry(EMPTY, countryOf(providers, usual), providers));
  const { prepare, faults } = usePrepare(form);
  const fieldOf = (name: keyof Form) => ({
    value: form[name],
    error: faults.get(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      prepare.reset();
      setForm((before) => changed(before, name, value, providers));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prepare.mutate({ repeatsAreMeant: false });
  };
  const { phoneNumber, provider } = form;
  const there = providers.filter(({ country }) => country === form.country);
  const offered = there.filter(({ currency }) => currency === form.currency);
  const byName = countries.toSorted((a, b) => names.country(a).localeCompare(names.country(b)));
  return (
    <Stack>
      <form onSubmit={submit}>
        <Stack maw={480}>
          {faults.has('') && <Alert variant="default">{faults.get('')}</Alert>}
          <NativeSelect
            label={said.country}
            data={byName.map((value) => ({ value, label: names.country(value) }))}
            {...fieldOf('country')}
          />
          <TextInput
            label={said.number}
            description={said.numberHint}
            inputMode="tel"
            autoComplete="off"
            required
            {...fieldOf('phoneNumber')}
          />
          <TextInput label={said.name} maxLength={100} autoComplete="off" {...fieldOf('recipientName')} />
          <Group grow align="flex-start">
            <TextInput label={said.amount} inputMode="decimal" required {...fieldOf('amount')} />
            <NativeSelect
              label={said.currency}
              data={[...new Set(there.map(({ currency }) => currency))]}
              {...fieldOf('currency')}
            />
          </Group>
          <ProviderSelect offered={offered} {...fieldOf('provider')} />
          <HolderCheck
            key={`${form.country} ${provider} ${phoneNumber}`}
            phoneNumber={phoneNumber}
            country={form.country}
            provider={provider}
          />
          <TextInput label={said.message} description={said.messageHint} {...fieldOf('customerMessage')} />
          <TextInput label={said.reference} maxLength={1_000} {...fieldOf('clientReferenceId')} />
          <Group>
            <Button type="submit" loading={prepare.isPending}>
              {said.prepare}
            </Button>
          </Group>
        </Stack>
      </form>
      {prepare.data?.batchId === null && (
        <PreparedAnswer
          of="FORM"
          prepared={prepare.data}
          isPending={prepare.isPending}
          onMeant={() => prepare.mutate({ repeatsAreMeant: true })}
        />
      )}
    </Stack>
  );
}

/** Checks and creates, and says what is wrong with which field. */
function usePrepare(form: Form) {
  const t = useWords(FAULT_WORDS);
  const names = useNames();
  const { merchantId } = useMerchant();
  const navigate = useNavigate();
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
  const { error } = prepare;
  const refused = error instanceof Failure ? error.reason?.parameters['parameter'] : undefined;
  const faults = new Map([
    ...(prepare.data?.faults ?? []).map((fault) => [fault.column, wordFault(fault, t, names)] as const),
    ...(refused === undefined ? [] : [[refused, t.invalid[refused] ?? t.otherwise] as const]),
  ]);
  return { prepare, faults };
}

/** Where most payments go, else where the currency is used, else the first. */
function countryOf(providers: readonly Option[], usual: UsualPlace): string {
  const first =
    providers.find(({ provider }) => provider === usual.provider) ??
    providers.find(({ currency }) => currency === usual.currency) ??
    providers[0];
  return first?.country ?? '';
}

/** The first currency of a country; the provider is detected. */
function inCountry(form: Form, country: string, providers: readonly Option[]): Form {
  const currency = providers.find((one) => one.country === country)?.currency ?? '';
  return { ...form, country, currency, provider: '' };
}

function changed(form: Form, name: keyof Form, value: string, providers: readonly Option[]): Form {
  if (name === 'country') return inCountry(form, value, providers);
  return { ...form, [name]: value, ...(name === 'currency' && { provider: '' }) };
}

type ProviderSelectProps = {
  readonly offered: readonly Option[];
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: { currentTarget: { value: string } }) => void;
};

function ProviderSelect({ offered, ...field }: ProviderSelectProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const chosen = offered.find(({ provider }) => provider === field.value);
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
        ...offered.map(({ provider, name }) => ({ value: provider, label: name })),
      ]}
      {...field}
    />
  );
}

function bodyOf({ phoneNumber, amount, currency, country, ...optional }: Form) {
  const filled = Object.entries(optional).flatMap(([name, value]) =>
    value.trim() === '' ? [] : [[name, value.trim()] as const],
  );
  return {
    phoneNumber: phoneNumber.trim(),
    amount: amount.trim(),
    currency,
    country,
    ...Object.fromEntries(filled),
  };
}

const WORDS = words({
  en: {
    title: 'New payout',
    hint: 'We check it first. You or another person confirm it on the next screen.',
    country: 'Country',
    number: 'Phone number',
    numberHint: 'Local or international: 0783 456 789 or +250 783 456 789.',
    name: 'Recipient’s name (optional)',
    amount: 'Amount',
    currency: 'Currency',
    provider: 'Provider',
    predicted: 'Detect automatically',
    limits: (min: string, max: string) => `From ${min} to ${max}.`,
    message: 'Message to the recipient',
    messageHint: 'Optional: 4 to 22 letters, digits and spaces.',
    reference: 'Your reference (optional)',
    prepare: 'Check payout',
  },
  fr: {
    title: 'Nouveau versement',
    hint: 'Nous le vérifions d’abord. Vous ou une autre personne le confirmez à l’écran suivant.',
    country: 'Pays',
    number: 'Numéro de téléphone',
    numberHint: 'Local ou international : 0783 456 789 ou +250 783 456 789.',
    name: 'Nom du bénéficiaire (facultatif)',
    amount: 'Montant',
    currency: 'Devise',
    provider: 'Opérateur',
    predicted: 'Détecter automatiquement',
    limits: (min: string, max: string) => `De ${min} à ${max}.`,
    message: 'Message au bénéficiaire',
    messageHint: 'Facultatif : 4 à 22 lettres, chiffres et espaces.',
    reference: 'Votre référence (facultative)',
    prepare: 'Vérifier le versement',
  },
});
