import { Button, Code, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { ApprovalActs } from '../../parts/approval-acts.tsx';
import { RESOLUTION_WORDS, type Resolution } from '../../parts/case-words.ts';
import { ReasonButton } from '../../parts/reason-button.tsx';
import type { Case } from './cases-screen.tsx';

type OfCase = { readonly found: Case };

/** What can be done about an open case: request a resolution; or approve, reject or withdraw what was requested. */
export function CaseActs({ found }: OfCase) {
  return (
    <Group gap="xs">
      <StatementButton found={found} />
      {found.approval === null ? <Request found={found} /> : <ApprovalActs approval={found.approval} />}
    </Group>
  );
}

/** What the operator said. It may name people, so each access is recorded. */
function StatementButton({ found: { caseId } }: OfCase) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const ask = useAct({
    act: () =>
      answer(api.POST('/console/api/host/cases/{caseId}/statement', { params: { path: { caseId } } })),
    onDone: open,
  });
  return (
    <>
      <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
        {said.statement}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.statement} size="lg" centered>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {ask.data?.statement ?? said.silent}
        </Code>
      </Modal>
    </>
  );
}

function Request({ found }: OfCase) {
  const said = useWords(WORDS);
  const resolutions = useWords(RESOLUTION_WORDS);
  const { caseId, allowed, needsAmount, payment } = found;
  const [resolution, setResolution] = useState<Resolution | undefined>(allowed[0]);
  const [amount, setAmount] = useState('');
  const request = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/cases/{caseId}/resolution', {
          params: { path: { caseId } },
          body: {
            resolution: resolution ?? 'WRITE_OFF',
            reason,
            ...(needsAmount ? { amount: amount.trim() } : {}),
          },
        }),
      ),
    done: said.requested,
  });
  return (
    <ReasonButton
      label={said.request}
      isPending={request.isPending}
      isIncomplete={resolution === undefined || (needsAmount && !/^\d+(\.\d{1,4})?$/.test(amount.trim()))}
      onConfirm={(reason) => request.mutateAsync(reason)}
    >
      <Stack>
        <NativeSelect
          label={said.resolution}
          data={allowed.map((value) => ({ value, label: resolutions[value] }))}
          value={resolution ?? ''}
          onChange={(event) => setResolution(allowed.find((one) => one === event.currentTarget.value))}
        />
        {needsAmount && (
          <TextInput
            label={said.difference(payment.currency)}
            description={said.differenceHint}
            required
            inputMode="decimal"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        )}
      </Stack>
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    statement: 'Operator response',
    silent: 'The operator’s response was not kept.',
    request: 'Resolve',
    resolution: 'Resolution',
    difference: (currency: string) => `Difference (${currency})`,
    differenceHint:
      'Between the operator’s record and our ledger, in this currency. Enter 0 if there is none.',
    requested: 'Sent for approval.',
  },
  fr: {
    statement: 'Réponse de l’opérateur',
    silent: 'La réponse de l’opérateur n’a pas été conservée.',
    request: 'Résoudre',
    resolution: 'Solution',
    difference: (currency: string) => `Différence (${currency})`,
    differenceHint:
      'Entre les données de l’opérateur et notre comptabilité, dans cette devise. Saisissez 0 s’il n’y en a pas.',
    requested: 'Envoyé pour approbation.',
  },
});
