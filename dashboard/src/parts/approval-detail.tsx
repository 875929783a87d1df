import { Stack, Text } from '@mantine/core';
import { useWords, words } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';
import { ApprovalEffect } from './approval-effect.tsx';
import { restOf } from './approval-words.ts';
import { useReader } from './detail-values.ts';
import { ProposedLinesButton } from './proposed-lines.tsx';
import { RequestedNumbersButton } from './requested-numbers.tsx';

/** What else is to be known of a request before it is approved. */
export function ApprovalDetail({ approval }: { readonly approval: Approval }) {
  const reader = useReader();
  const t = useWords(WORDS);
  const { kind, approvalId, subject, reason, confirmedBy, status } = approval;
  const confirmed = confirmedBy === null ? [] : [t.confirmed(confirmedBy)];
  const text = [...restOf(approval, reader), ...(reason === null ? [] : [reason]), ...confirmed].join(' · ');
  const hasNumbers = kind === 'NUMBER_LIST' && status === 'PENDING';
  const hasLines = kind === 'OPERATOR_REPORT' && status === 'PENDING';
  if (text === '' && !hasNumbers && !hasLines && approval.effect === null) return null;
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
      <ApprovalEffect approval={approval} />
      {hasNumbers && <RequestedNumbersButton approvalId={approvalId} />}
      {hasLines && <ProposedLinesButton reportId={subject} />}
    </Stack>
  );
}

const WORDS = words({
  en: { confirmed: (by: string) => `Approved by ${by}` },
  fr: { confirmed: (by: string) => `Approuvée par ${by}` },
});
