import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';

type Covers = 'PAYMENTS' | 'PAGES';

type SignedRequestsProps = {
  readonly covers: Covers;
  readonly keys: AnswerOf<'readKeys'> | undefined;
  readonly mayChange: boolean;
};

/** Whether payments can be started, or pages opened, with signed requests only, and the switch for it. */
export function SignedRequests({ covers, keys, mayChange }: SignedRequestsProps) {
  const said = useWords(WORDS)[covers];
  const isRequired = (covers === 'PAGES' ? keys?.signedPagesOnly : keys?.signedRequestsOnly) ?? false;
  return (
    <Paper withBorder p="md" component="section" aria-label={said.title}>
      <Group justify="space-between" gap="sm">
        <Stack gap={4} maw={640}>
          <Group gap="xs">
            <Text fw={600}>{said.title}</Text>
            {keys === undefined ? (
              <Skeleton width={90} height={20} />
            ) : (
              <StateBadge
                state={isRequired ? 'REQUIRED' : 'OPTIONAL'}
                tone={isRequired ? 'success' : 'quiet'}
              >
                {isRequired ? said.required : said.optional}
              </StateBadge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {said.hint}
          </Text>
        </Stack>
        {mayChange && keys !== undefined && (
          <RequireButton covers={covers} isRequired={isRequired} hasKeys={keys.keys.length > 0} />
        )}
      </Group>
    </Paper>
  );
}

const PATHS = {
  PAYMENTS: '/console/api/merchants/{merchantId}/signed-requests-only',
  PAGES: '/console/api/merchants/{merchantId}/signed-pages-only',
} as const;

type RequireButtonProps = {
  readonly covers: Covers;
  readonly isRequired: boolean;
  readonly hasKeys: boolean;
};

function RequireButton({ covers, isRequired, hasKeys }: RequireButtonProps) {
  const said = useWords(WORDS)[covers];
  const { merchantId } = useMerchant();
  const change = useAct({
    act: () =>
      answer(
        api.PUT(PATHS[covers], {
          params: { path: { merchantId } },
          body: { isRequired: !isRequired },
        }),
      ),
    done: ({ outcome }) => (outcome === 'REQUESTED' ? said.asked : said.changed),
  });
  return (
    <ConfirmButton
      // The dialog of one act must not turn into that of its opposite while it closes.
      key={String(isRequired)}
      label={isRequired ? said.release : said.require}
      question={isRequired ? said.releaseQuestion : said.requireQuestion}
      isDisabled={!isRequired && !hasKeys}
      isPending={change.isPending}
      onConfirm={() => change.mutateAsync(undefined)}
    />
  );
}

const EN = { required: 'Required', optional: 'Optional', changed: 'Signature requirement updated.' };
const FR = {
  required: 'Obligatoire',
  optional: 'Facultatif',
  changed: 'Exigence de signature mise à jour.',
};

const WORDS = words({
  en: {
    PAYMENTS: {
      ...EN,
      title: 'Require signed requests',
      hint:
        'A leaked API token alone cannot start a deposit, payout, refund, remittance or split payment. Payment ' +
        'pages and checkouts are not covered.',
      require: 'Require signatures',
      release: 'Make optional',
      requireQuestion:
        'Unsigned requests that start payments will be refused. Make sure that all your servers sign first.',
      releaseQuestion: 'An API token alone will be enough to start payments.',
      asked: 'Sent for approval. Signatures stay required until another person has approved it.',
    },
    PAGES: {
      ...EN,
      title: 'Require signatures for payment pages and checkouts',
      hint:
        'A leaked API token alone cannot open payment pages, checkouts or widget sessions (API v1). Without this ' +
        'it can open a page, and a payer who pays there starts a deposit.',
      require: 'Require signatures for pages',
      release: 'Make optional for pages',
      requireQuestion:
        'Unsigned requests that open payment pages and checkouts will be refused. Make sure that all your servers ' +
        'sign first.',
      releaseQuestion: 'An API token alone will be enough to open payment pages and checkouts.',
      asked: 'Sent for approval. Signatures stay required for pages until another person has approved it.',
    },
  },
  fr: {
    PAYMENTS: {
      ...FR,
      title: 'Exiger des requêtes signées',
      hint:
        'Un jeton d’API divulgué ne suffit pas pour lancer un encaissement, versement, remboursement, transfert ou ' +
        'paiement partagé. Les pages et sessions de paiement ne sont pas couvertes.',
      require: 'Exiger les signatures',
      release: 'Rendre facultatif',
      requireQuestion:
        'Les requêtes non signées qui lancent des paiements seront refusées. Vérifiez d’abord que tous vos serveurs ' +
        'signent.',
      releaseQuestion: 'Un jeton d’API seul suffira pour lancer des paiements.',
      asked: 'Envoyé pour approbation. Signer reste obligatoire jusqu’à l’approbation d’une autre personne.',
    },
    PAGES: {
      ...FR,
      title: 'Exiger des signatures pour les pages et sessions de paiement',
      hint:
        'Un jeton d’API divulgué ne suffit pas pour ouvrir des pages, sessions de paiement ou sessions de widget ' +
        '(API v1). Sinon il peut ouvrir une page, et le payeur qui y paie lance un encaissement.',
      require: 'Exiger les signatures pour les pages',
      release: 'Rendre facultatif pour les pages',
      requireQuestion:
        'Les requêtes non signées qui ouvrent des pages et sessions de paiement seront refusées. Vérifiez d’abord ' +
        'que tous vos serveurs signent.',
      releaseQuestion: 'Un jeton d’API seul suffira pour ouvrir des pages et sessions de paiement.',
      asked:
        'Envoyé pour approbation. Signer reste obligatoire pour les pages jusqu’à l’approbation d’une autre personne.',
    },
  },
});
