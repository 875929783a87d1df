import { Alert, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { groupDigits, Money } from '../../parts/money.tsx';
import { Page, Section } from '../../parts/page.tsx';

type Limit = AnswerOf<'listPayoutLimits'>['limits'][number];

export function LimitsScreen() {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const limits = useQuery(
    reading('/console/api/merchants/{merchantId}/payout-limits', { params: { path: { merchantId } } }),
  );
  return (
    <Page title={said.title} hint={said.hint}>
      <Loaded query={limits} skeleton={<Skeleton height={200} />}>
        {(data) => <Limits limits={data.limits} />}
      </Loaded>
      {may('settings:write') && (
        <Section title={said.change}>
          <LimitForm />
        </Section>
      )}
    </Page>
  );
}

function Limits({ limits }: { readonly limits: readonly Limit[] }) {
  const said = useWords(WORDS);
  if (limits.length === 0) {
    return (
      <EmptyState icon="approve" title={said.none}>
        {said.noneHint}
      </EmptyState>
    );
  }
  return (
    <Stack>
      <FieldList
        fields={limits.map(({ currency, amount }) => ({
          label: currency,
          value: amount === '0' ? said.always : <Money amount={amount} currency={currency} />,
        }))}
      />
      {limits.map((limit) => limit.proposal !== null && <Proposal key={limit.currency} limit={limit} />)}
    </Stack>
  );
}

function Proposal({ limit }: { readonly limit: Limit }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const { merchantId, may } = useMerchant();
  const { currency, proposal } = limit;
  const amount = proposal?.amount ?? '';
  const approve = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payout-limits/{currency}/approve', {
          params: { path: { merchantId, currency } },
          body: { amount },
        }),
      ),
    done: said.raised,
  });
  if (proposal === null) return null;
  const shown = `${groupDigits(amount, language)} ${currency}`;
  return (
    <Alert variant="default" icon={<Icon name="approve" />} title={said.proposed(proposal.by, shown)}>
      <Stack gap="sm" align="flex-start">
        {proposal.isOwn ? said.own : said.other}
        {may('settings:write') && !proposal.isOwn && (
          <ConfirmButton
            label={said.approve}
            variant="filled"
            isDangerous={false}
            question={said.question(shown)}
            isPending={approve.isPending}
            onConfirm={() => approve.mutateAsync(undefined)}
          />
        )}
      </Stack>
    </Alert>
  );
}

function LimitForm() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [currency, setCurrency] = useState('');
  const [amount, setAmount] = useState('');
  const change = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/payout-limits/{currency}', {
          params: { path: { merchantId, currency: currency.trim().toUpperCase() } },
          body: { amount: amount.trim() },
        }),
      ),
    done: said.saved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={480}>
        <Group grow align="flex-start">
          <TextInput
            label={said.currency}
            placeholder="RWF"
            required
            maxLength={3}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
          <TextInput
            label={said.amount}
            inputMode="decimal"
            required
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        </Group>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {said.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Payout approval',
    hint: 'Up to these amounts in a day, payouts from the dashboard need no second person. What is above needs one.',
    none: 'Every payout needs a second person',
    noneHint:
      'Whoever prepares a payout cannot approve it. An amount below which one person is enough can be set.',
    always: 'always two people',
    change: 'Change a limit',
    currency: 'Currency',
    amount: 'Amount in a day',
    save: 'Save',
    saved: 'Saved. A higher limit counts when another person has approved it.',
    proposed: (by: string, amount: string) => `${by} proposes ${amount} in a day`,
    own: 'You proposed it, so another person must approve it.',
    other: 'It counts when you approve it.',
    approve: 'Approve limit',
    question: (amount: string) => `From now on one person alone can pay out up to ${amount} in a day.`,
    raised: 'The limit was raised.',
  },
  fr: {
    title: 'Approbation des versements',
    hint: 'Jusqu’à ces montants par jour, les versements du tableau de bord se passent d’une seconde personne.',
    none: 'Chaque versement demande une seconde personne',
    noneHint:
      'Qui prépare un versement ne peut l’approuver. Un montant jusqu’auquel une personne suffit peut être fixé.',
    always: 'toujours deux personnes',
    change: 'Changer une limite',
    currency: 'Devise',
    amount: 'Montant par jour',
    save: 'Enregistrer',
    saved: 'Enregistré. Une limite plus haute compte quand une autre personne l’a approuvée.',
    proposed: (by: string, amount: string) => `${by} propose ${amount} par jour`,
    own: 'Vous l’avez proposée : une autre personne doit l’approuver.',
    other: 'Elle compte quand vous l’approuvez.',
    approve: 'Approuver la limite',
    question: (amount: string) => `Désormais une personne seule peut verser jusqu’à ${amount} par jour.`,
    raised: 'La limite a été relevée.',
  },
});
