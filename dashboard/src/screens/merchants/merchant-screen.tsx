import { Anchor, Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Copied } from '../../parts/copied.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { OPERATIONS, type Operation } from '../../parts/kind-words.ts';
import { FreezeButton } from '../../parts/freeze-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { MerchantProviders } from './merchant-providers.tsx';
import { OperationChoice } from './operation-choice.tsx';

const WAITING_KINDS = ['MERCHANT_RESUME'] as const;

export type Merchant = AnswerOf<'readMerchant'>;

/** One merchant, as the platform sees it. */
export function MerchantScreen() {
  const { merchantId = '' } = useParams({ strict: false });
  const said = useWords(WORDS);
  const merchant = useQuery(
    reading('/console/api/host/merchants/{merchantId}', { params: { path: { merchantId } } }),
  );
  return (
    <Loaded query={merchant} skeleton={<MerchantSkeleton />}>
      {(one) => (
        <Page title={one.name} hint={<AllMerchants />} actions={<MerchantActs merchant={one} />}>
          <Facts merchant={one} />
          <WaitingApprovals kinds={WAITING_KINDS} merchantId={merchantId} />
          <Section title={said.operations}>
            {/* Starts again with what was saved. */}
            <Operations key={one.operations.join()} merchant={one} />
          </Section>
          <Section title={said.providers}>
            <MerchantProviders merchant={one} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}

function AllMerchants() {
  const said = useWords(WORDS);
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to="/host/merchants" />}>
      {said.all}
    </Anchor>
  );
}

function Facts({ merchant }: { readonly merchant: Merchant }) {
  const said = useWords(WORDS);
  const { isSuspended } = merchant;
  return (
    <FieldList
      fields={[
        {
          label: said.state,
          value: (
            <StateBadge
              state={isSuspended ? 'SUSPENDED' : 'ACTIVE'}
              tone={isSuspended ? 'failure' : 'success'}
            >
              {isSuspended ? said.suspended : said.active}
            </StateBadge>
          ),
        },
        { label: said.id, value: <Copied value={merchant.merchantId} /> },
        { label: said.wallets, value: merchant.walletPerProvider ? said.perProvider : said.perCurrency },
        { label: said.signatures, value: merchant.signedRequestsOnly ? said.required : said.optional },
        { label: said.home, value: merchant.home },
      ]}
    />
  );
}

function MerchantActs({ merchant }: { readonly merchant: Merchant }) {
  const said = useWords(WORDS);
  const { may } = useHost();
  const { merchantId, isSuspended } = merchant;
  const change = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/merchants/{merchantId}/suspension', {
          params: { path: { merchantId } },
          body: { isSuspended: !isSuspended },
        }),
      ) as Promise<AnswerOf<'suspendMerchant'>>,
    done: ({ outcome }) => {
      if (outcome === 'REQUESTED') return said.requested;
      return isSuspended ? said.resumed : said.nowSuspended;
    },
  });
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/m/$merchantId" params={{ merchantId }} />}
      >
        {said.inside}
      </Button>
      {may('risk:write') && <FreezeButton merchant={{ merchantId, name: merchant.name }} />}
      {may('merchants:write') && (
        <ConfirmButton
          // The dialog of one act must not turn into that of its opposite while it closes.
          key={String(isSuspended)}
          label={isSuspended ? said.resume : said.suspend}
          size="sm"
          question={isSuspended ? said.resumeQuestion : said.suspendQuestion(merchant.name)}
          isDangerous={!isSuspended}
          isPending={change.isPending}
          onConfirm={() => change.mutateAsync(undefined)}
        />
      )}
    </>
  );
}

function Operations({ merchant }: { readonly merchant: Merchant }) {
  const said = useWords(WORDS);
  const { may } = useHost();
  const { merchantId } = merchant;
  const before = OPERATIONS.filter((one) => merchant.operations.includes(one));
  const [chosen, setChosen] = useState<readonly Operation[]>(before);
  const save = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/merchants/{merchantId}/operations', {
          params: { path: { merchantId } },
          body: { operations: [...chosen] },
        }),
      ),
    done: said.saved,
  });
  const mayChange = may('merchants:write');
  return (
    <Stack gap="sm" align="flex-start">
      <OperationChoice label={said.mayStart} chosen={chosen} onChange={setChosen} isDisabled={!mayChange} />
      {mayChange && (
        <Button
          size="xs"
          variant="default"
          disabled={chosen.join() === before.join()}
          loading={save.isPending}
          onClick={() => save.mutate(undefined)}
        >
          {said.save}
        </Button>
      )}
    </Stack>
  );
}

function MerchantSkeleton() {
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Skeleton height={30} width={220} />
        <Skeleton height={34} width={180} />
      </Group>
      <Skeleton height={120} />
      <Skeleton height={360} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    all: 'All merchants',
    state: 'Status',
    active: 'Active',
    suspended: 'Suspended',
    id: 'Merchant ID',
    wallets: 'Wallets',
    perProvider: 'One per provider',
    perCurrency: 'One per country and currency',
    signatures: 'Signed requests',
    required: 'Required',
    optional: 'Optional',
    home: 'Home cell',
    inside: 'View dashboard',
    suspend: 'Suspend',
    resume: 'Resume',
    suspendQuestion: (name: string) =>
      `All API tokens of ${name} stop working within 10 seconds. Payments in progress finish normally.`,
    resumeQuestion:
      'Its API tokens then work again, and payments that waited are sent. In production another person must approve ' +
      'this.',
    nowSuspended: 'Merchant suspended.',
    resumed: 'Merchant resumed.',
    requested: 'Sent for approval. The merchant stays suspended until another person approves.',
    operations: 'Products',
    mayStart: 'Enabled products',
    save: 'Save',
    saved: 'Products updated.',
    providers: 'Providers',
  },
  fr: {
    all: 'Tous les marchands',
    state: 'Statut',
    active: 'Actif',
    suspended: 'Suspendu',
    id: 'Identifiant',
    wallets: 'Portefeuilles',
    perProvider: 'Un par opérateur',
    perCurrency: 'Un par pays et devise',
    signatures: 'Requêtes signées',
    required: 'Obligatoires',
    optional: 'Facultatives',
    home: 'Cellule',
    inside: 'Ouvrir l’espace marchand',
    suspend: 'Suspendre',
    resume: 'Rétablir',
    suspendQuestion: (name: string) =>
      `Tous les jetons d’API de ${name} sont refusés sous 10 secondes. Les paiements en cours vont à leur terme.`,
    resumeQuestion:
      'Ses jetons d’API fonctionnent alors de nouveau et ses paiements en attente partent. En production, une autre ' +
      'personne doit approuver.',
    nowSuspended: 'Marchand suspendu.',
    resumed: 'Marchand rétabli.',
    requested:
      'Envoyé pour approbation. Le marchand reste suspendu jusqu’à ce qu’une autre personne approuve.',
    operations: 'Produits',
    mayStart: 'Produits activés',
    save: 'Enregistrer',
    saved: 'Produits mis à jour.',
    providers: 'Opérateurs',
  },
});
