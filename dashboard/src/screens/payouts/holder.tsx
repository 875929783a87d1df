import { Button, Group, Stack, Text } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { StateBadge, type Tone } from '../../parts/state-badge.tsx';

export type Holder = AnswerOf<'lookUpBatchHolder'>;

/** What is said of an answer: a name can come without a status, and a status without a name. */
type Finding = Holder['status'] | 'NAME_ONLY' | 'STATUS_ONLY';

const TONES: Readonly<Record<Finding, Tone>> = {
  ACTIVE: 'success',
  STATUS_ONLY: 'success',
  NAME_ONLY: 'trouble',
  NOT_ACTIVE: 'failure',
  UNKNOWN: 'trouble',
  NOT_OFFERED: 'quiet',
};

function findingOf({ status, name }: Holder): Finding {
  if (status === 'ACTIVE' && name === null) return 'STATUS_ONLY';
  return status === 'UNKNOWN' && name !== null ? 'NAME_ONLY' : status;
}

/** What the operator says about who would be paid. It informs people, and stops nothing. */
export function HolderLine({ holder }: { readonly holder: Holder }) {
  const said = useWords(WORDS);
  const finding = findingOf(holder);
  return (
    <Group component="span" gap="xs">
      {holder.name !== null && (
        <Text component="span" size="sm" fw={400}>
          {said.holder} {holder.name}
        </Text>
      )}
      <StateBadge state={finding} tone={TONES[finding]}>
        {said.findings[finding]}
      </StateBadge>
    </Group>
  );
}

type HolderCheckProps = {
  readonly phoneNumber: string;
  readonly country: string;
  /** Empty: detected from the number. */
  readonly provider: string;
};

/** Beside the fields of a payout. What it found is about these values: give it a key of them. */
export function HolderCheck({ phoneNumber, country, provider }: HolderCheckProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const body = { phoneNumber: phoneNumber.trim(), country, ...(provider !== '' && { provider }) };
  const check = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payouts/holder', {
          params: { path: { merchantId } },
          body,
        }),
      ) as Promise<Holder>,
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        disabled={body.phoneNumber === ''}
        loading={check.isPending}
        onClick={() => check.mutate(undefined)}
      >
        {said.check}
      </Button>
      <div role="status">
        {check.data !== undefined && (
          <Stack gap={4}>
            <HolderLine holder={check.data} />
            <Text size="xs" c="dimmed">
              {said.hints[findingOf(check.data)]}
            </Text>
          </Stack>
        )}
      </div>
    </Stack>
  );
}

type Words = Readonly<Record<'check' | 'holder', string>> &
  Readonly<Record<'findings' | 'hints', Readonly<Record<Finding, string>>>>;

const WORDS = words<Words>({
  en: {
    check: 'Check account holder',
    holder: 'Account holder:',
    findings: {
      ACTIVE: 'Active account',
      STATUS_ONLY: 'Active account, no name',
      NAME_ONLY: 'Status not known',
      NOT_ACTIVE: 'No active account',
      UNKNOWN: 'Not known',
      NOT_OFFERED: 'Not available',
    },
    hints: {
      ACTIVE: 'These are the first letters of the name. Compare them with the person you want to pay.',
      STATUS_ONLY:
        'The operator confirms the account, but gives no name. Check the number with the recipient.',
      NAME_ONLY:
        'These are the first letters of the name. The operator does not say whether the account is active.',
      NOT_ACTIVE:
        'The operator has no active account for this number. You can still send; it will probably fail.',
      UNKNOWN: 'The operator gave no clear answer. You can still send; check the number with the recipient.',
      NOT_OFFERED: 'This provider does not say who holds an account. Check the number with the recipient.',
    },
  },
  fr: {
    check: 'Vérifier le titulaire',
    holder: 'Titulaire :',
    findings: {
      ACTIVE: 'Compte actif',
      STATUS_ONLY: 'Compte actif, sans nom',
      NAME_ONLY: 'Statut inconnu',
      NOT_ACTIVE: 'Pas de compte actif',
      UNKNOWN: 'Inconnu',
      NOT_OFFERED: 'Non disponible',
    },
    hints: {
      ACTIVE: 'Ce sont les premières lettres du nom. Comparez-les avec la personne à payer.',
      STATUS_ONLY: 'L’opérateur confirme le compte, sans nom. Vérifiez le numéro avec le bénéficiaire.',
      NAME_ONLY: 'Ce sont les premières lettres du nom. L’opérateur ne dit pas si le compte est actif.',
      NOT_ACTIVE:
        'L’opérateur n’a pas de compte actif pour ce numéro. Vous pouvez envoyer, mais cela échouera probablement.',
      UNKNOWN:
        'L’opérateur n’a pas donné de réponse claire. Vous pouvez envoyer ; vérifiez le numéro avec le bénéficiaire.',
      NOT_OFFERED:
        'Cet opérateur ne dit pas qui est titulaire d’un compte. Vérifiez le numéro avec le bénéficiaire.',
    },
  },
});
