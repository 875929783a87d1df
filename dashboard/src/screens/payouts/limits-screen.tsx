import { Alert, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ApprovalActs, type Approval } from '../../parts/approval-acts.tsx';
import { titleOf } from '../../parts/approval-words.ts';
import { useReader } from '../../parts/detail-values.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { useUsualPlace } from '../../parts/usual-place.ts';

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
      {limits.map(
        ({ currency, approval }) => approval !== null && <Requested key={currency} approval={approval} />,
      )}
    </Stack>
  );
}

function Requested({ approval }: { readonly approval: Approval }) {
  const said = useWords(WORDS);
  const reader = useReader();
  const { requestedBy, isOwn } = approval;
  return (
    <Alert
      variant="default"
      icon={<Icon name="approve" />}
      title={said.requested(requestedBy, titleOf(approval, reader))}
    >
      <Stack gap="sm" align="flex-start">
        {isOwn ? said.own : said.other}
        <ApprovalActs approval={approval} />
      </Stack>
    </Alert>
  );
}

function LimitForm() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const usual = useUsualPlace();
  const [typed, setCurrency] = useState<string | null>(null);
  const currency = typed ?? usual?.currency ?? '';
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
    hint: 'Limit of payouts in 24 hours, everyone’s together. Payouts above it need a second approver.',
    none: 'Every payout needs a second approver',
    noneHint:
      'Set a limit below which one person is enough. The person who prepares a payout cannot approve it.',
    always: 'Always two people',
    change: 'Change a limit',
    currency: 'Currency',
    amount: 'Amount in 24 hours',
    save: 'Save',
    saved: 'Saved. A higher limit applies once another person has approved it.',
    requested: (by: string, amount: string) => `${by} requests ${amount} in 24 hours`,
    own: 'You requested it, so another person must approve it.',
    other: 'It applies once another person approves it.',
  },
  fr: {
    title: 'Approbation des versements',
    hint: 'Limite des versements en 24 heures, ceux de tous ensemble. Au-delà, une seconde personne doit approuver.',
    none: 'Chaque versement exige une seconde personne',
    noneHint:
      'Fixez une limite jusqu’à laquelle une personne suffit. La personne qui prépare un versement ne peut ' +
      'l’approuver.',
    always: 'Toujours deux personnes',
    change: 'Modifier une limite',
    currency: 'Devise',
    amount: 'Montant en 24 heures',
    save: 'Enregistrer',
    saved: 'Enregistré. Une limite plus haute s’applique dès qu’une autre personne l’a approuvée.',
    requested: (by: string, amount: string) => `${by} demande ${amount} en 24 heures`,
    own: 'Vous l’avez demandée : une autre personne doit l’approuver.',
    other: 'Elle s’applique dès qu’une autre personne l’approuve.',
  },
});
