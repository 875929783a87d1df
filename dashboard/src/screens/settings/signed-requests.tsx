import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';

type SignedRequestsProps = {
  readonly keys: AnswerOf<'readKeys'> | undefined;
  readonly mayChange: boolean;
};

/** Whether payments can be started with signed requests only, and the switch for it. */
export function SignedRequests({ keys, mayChange }: SignedRequestsProps) {
  const said = useWords(WORDS);
  const isRequired = keys?.signedRequestsOnly ?? false;
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
          <RequireButton isRequired={isRequired} hasKeys={keys.keys.length > 0} />
        )}
      </Group>
    </Paper>
  );
}

type RequireButtonProps = { readonly isRequired: boolean; readonly hasKeys: boolean };

function RequireButton({ isRequired, hasKeys }: RequireButtonProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const change = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/signed-requests-only', {
          params: { path: { merchantId } },
          body: { isRequired: !isRequired },
        }),
      ),
    done: ({ outcome }) => (outcome === 'ASKED' ? said.asked : said.changed),
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

const WORDS = words({
  en: {
    title: 'Signed requests only',
    required: 'required',
    optional: 'optional',
    hint: 'When required, a stolen token alone starts no payment: a signature by one of the keys must be with it.',
    require: 'Require signatures',
    release: 'Make optional',
    requireQuestion:
      'Unsigned requests that start payments are refused from now on. Make sure that all your servers sign.',
    releaseQuestion: 'From now on a token alone is enough to start payments.',
    changed: 'That is set.',
    asked: 'Signatures stay required until another person has approved it.',
  },
  fr: {
    title: 'Requêtes signées seulement',
    required: 'obligatoire',
    optional: 'facultatif',
    hint: 'Si c’est obligatoire, un jeton volé ne lance aucun paiement : il y faut la signature d’une des clés.',
    require: 'Exiger les signatures',
    release: 'Rendre facultatif',
    requireQuestion:
      'Les requêtes non signées qui lancent des paiements seront refusées. Vérifiez que tous vos serveurs signent.',
    releaseQuestion: 'Désormais, un jeton seul suffira pour lancer des paiements.',
    changed: 'C’est enregistré.',
    asked: 'Signer reste obligatoire jusqu’à l’approbation d’une autre personne.',
  },
});
