import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { reviewRuleParts, reviewRuleTitle, type ReviewRule } from '../../parts/review-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { ReviewRuleButton } from './review-rule-button.tsx';

const WAITING_KINDS = ['REVIEW_RULE'] as const;

/** Which payments of the merchant that is chosen are screened, or held for people. */
export function ReviewRules() {
  const t = useWords(WORDS);
  const { may } = useHost();
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const merchantId = merchant?.merchantId ?? '';
  const rules = useQuery({
    ...reading('/console/api/host/merchants/{merchantId}/review-rules', { params: { path: { merchantId } } }),
    enabled: merchant !== null,
  });
  const columns = useColumns(merchantId, may('risk:write'));
  return (
    <Stack gap="lg">
      <Group gap="sm" align="flex-end">
        <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />
        {may('risk:write') && merchant !== null && <ReviewRuleButton merchantId={merchantId} />}
      </Group>
      {merchant === null ? (
        <EmptyState icon="merchants" title={t.choose}>
          {t.chooseHint}
        </EmptyState>
      ) : (
        <DataTable
          label={t.label}
          columns={columns}
          rows={rules.data?.rules}
          rowKey={({ rule, subject }) => `${rule} ${subject}`}
          skeletonRows={3}
          error={rules.error}
          onRetry={() => void rules.refetch()}
          empty={
            <EmptyState icon="shield" title={t.none}>
              {t.noneHint}
            </EmptyState>
          }
        />
      )}
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Stack>
  );
}

function useColumns(merchantId: string, mayChange: boolean): readonly Column<ReviewRule>[] {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'rule',
        header: t.rule,
        isHeading: true,
        cell: (rule) => (
          <Stack gap={0}>
            <span>{reviewRuleParts(rule, language)[0]}</span>
            {rule.isDefault && (
              <Text component="span" size="xs" c="dimmed" fw={400}>
                {t.default}
              </Text>
            )}
          </Stack>
        ),
      },
      {
        id: 'value',
        header: t.value,
        onPhone: 'plain',
        cell: (rule) => (
          <Stack gap={2} align="flex-start">
            <span>{reviewRuleParts(rule, language)[1]}</span>
            {rule.approval !== null && (
              <StateBadge state="PENDING" tone="trouble">
                {t.pending(reviewRuleTitle(rule.approval.details, language).split(' → ')[1] ?? '')}
              </StateBadge>
            )}
          </Stack>
        ),
      },
      ...(mayChange
        ? [
            {
              id: 'acts',
              header: t.acts,
              isActions: true,
              cell: (rule: ReviewRule) => <RuleActs merchantId={merchantId} rule={rule} />,
            },
          ]
        : []),
    ],
    [t, language, merchantId, mayChange],
  );
}

function RuleActs({ merchantId, rule }: { readonly merchantId: string; readonly rule: ReviewRule }) {
  const t = useWords(WORDS);
  const remove = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/merchants/{merchantId}/review-rules/remove', {
          params: { path: { merchantId } },
          body: { rule: rule.rule, subject: rule.subject },
        }),
      ),
    done: ({ outcome }) => (outcome === 'DONE' ? t.removed : t.requested),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <ReviewRuleButton merchantId={merchantId} rule={rule} />
      {!rule.isDefault && (
        <ConfirmButton
          label={t.remove}
          question={t.removeQuestion}
          isPending={remove.isPending}
          onConfirm={() => remove.mutateAsync(undefined)}
        />
      )}
    </Group>
  );
}

const WORDS = words({
  en: {
    label: 'Review rules',
    rule: 'Rule',
    value: 'Held or screened',
    default: 'Default of the platform',
    pending: (wanted: string) => `Pending approval: ${wanted}`,
    acts: 'Actions',
    choose: 'Select a merchant',
    chooseHint: 'The rules by which its payments are screened or held are shown here.',
    none: 'No review rules',
    noneHint: 'Payments of this merchant are sent without screening and without review.',
    remove: 'Remove',
    removeQuestion:
      'A default rule counts again where there is one. In production another person must approve this.',
    removed: 'Rule removed.',
    requested: 'Sent for approval. The rule holds until another person approves.',
  },
  fr: {
    label: 'Règles de contrôle',
    rule: 'Règle',
    value: 'Retenu ou filtré',
    default: 'Valeur par défaut',
    pending: (wanted: string) => `En attente d’approbation : ${wanted}`,
    acts: 'Actions',
    choose: 'Sélectionnez un marchand',
    chooseHint: 'Les règles selon lesquelles ses paiements sont filtrés ou retenus s’affichent ici.',
    none: 'Aucune règle de contrôle',
    noneHint: 'Les paiements de ce marchand partent sans filtrage et sans contrôle.',
    remove: 'Supprimer',
    removeQuestion:
      'La règle par défaut vaut à nouveau s’il y en a une. En production, une autre personne doit approuver.',
    removed: 'Règle supprimée.',
    requested: 'Envoyé pour approbation. La règle tient jusqu’à ce qu’une autre personne approuve.',
  },
});
