import { Stack, Text } from '@mantine/core';
import { useWords, words } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';
import { restOf } from './approval-words.ts';
import { EVIDENCE_WORDS } from './case-words.ts';
import { RequestedNumbersButton } from './requested-numbers.tsx';
import { ROLE_WORDS } from './role-words.ts';

/** What else is to be known of a request before it is approved. */
export function ApprovalDetail({ approval }: { readonly approval: Approval }) {
  const names = { ...useWords(ROLE_WORDS), ...useWords(EVIDENCE_WORDS) };
  const t = useWords(WORDS);
  const { kind, approvalId, reason, confirmedBy, status } = approval;
  const confirmed = confirmedBy === null ? [] : [t.confirmed(confirmedBy)];
  const text = [...restOf(approval, names), ...(reason === null ? [] : [reason]), ...confirmed].join(' · ');
  const hasNumbers = kind === 'NUMBER_LIST' && status === 'PENDING';
  if (text === '' && !hasNumbers) return null;
  return (
    <Stack gap="xs" align="flex-start">
      {text !== '' && (
        <Text
          component="span"
          size="sm"
          maw={300}
          display="inline-block"
          style={{ overflowWrap: 'anywhere' }}
        >
          {text}
        </Text>
      )}
      {hasNumbers && <RequestedNumbersButton approvalId={approvalId} />}
    </Stack>
  );
}

const WORDS = words({
  en: { confirmed: (by: string) => `Approved by ${by}` },
  fr: { confirmed: (by: string) => `Approuvée par ${by}` },
});
