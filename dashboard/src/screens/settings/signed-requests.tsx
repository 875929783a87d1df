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

const EN = { required: 'required', optional: 'optional', changed: 'That is set.' };
const FR = { required: 'obligatoire', optional: 'facultatif', changed: 'C’est enregistré.' };

const WORDS = words({
  en: {
    PAYMENTS: {
      ...EN,
      title: 'Signed requests only',
      hint:
        'Covers deposits, payouts, refunds, remittances and split payments: a stolen token alone ' +
        'starts none of them. Payment pages and checkouts are not covered.',
      require: 'Require signatures',
      release: 'Make optional',
      requireQuestion:
        'Unsigned requests that start payments are refused from now on. Make sure that all your servers sign.',
      releaseQuestion: 'From now on a token alone is enough to start payments.',
      asked: 'Signatures stay required until another person has approved it.',
    },
    PAGES: {
      ...EN,
      title: 'Signed payment pages and checkouts',
      hint:
        'Covers requests that open payment pages, checkouts and widget sessions (API v1). Without ' +
        'it a stolen token can open a page, and the person who presses Pay there starts a deposit.',
      require: 'Require signatures for pages',
      release: 'Make optional for pages',
      requireQuestion:
        'Unsigned requests that open payment pages and checkouts are refused from now on. Make ' +
        'sure that all your servers sign.',
      releaseQuestion: 'From now on a token alone is enough to open payment pages and checkouts.',
      asked: 'Signatures stay required for pages until another person has approved it.',
    },
  },
  fr: {
    PAYMENTS: {
      ...FR,
      title: 'Requêtes signées seulement',
      hint:
        'Couvre dépôts, versements, remboursements, transferts et paiements partagés : un jeton ' +
        'volé n’en lance aucun. Les pages de paiement et les checkouts ne sont pas couverts.',
      require: 'Exiger les signatures',
      release: 'Rendre facultatif',
      requireQuestion:
        'Les requêtes non signées qui lancent des paiements seront refusées. Vérifiez que tous vos ' +
        'serveurs signent.',
      releaseQuestion: 'Désormais, un jeton seul suffira pour lancer des paiements.',
      asked: 'Signer reste obligatoire jusqu’à l’approbation d’une autre personne.',
    },
    PAGES: {
      ...FR,
      title: 'Pages de paiement et checkouts signés',
      hint:
        'Couvre les requêtes qui ouvrent pages de paiement, checkouts et sessions de widget (API ' +
        'v1). Sans cela, un jeton volé peut ouvrir une page, et qui y appuie sur Payer lance un dépôt.',
      require: 'Exiger les signatures pour les pages',
      release: 'Rendre facultatif pour les pages',
      requireQuestion:
        'Les requêtes non signées qui ouvrent des pages de paiement et des checkouts seront ' +
        'refusées. Vérifiez que tous vos serveurs signent.',
      releaseQuestion: 'Désormais, un jeton seul suffira pour ouvrir des pages de paiement et des checkouts.',
      asked: 'Signer reste obligatoire pour les pages jusqu’à l’approbation d’une autre personne.',
    },
  },
});
