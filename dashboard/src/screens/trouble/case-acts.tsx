import { Button, Code, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMe } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { RESOLUTION_WORDS, type Resolution } from './case-words.ts';
import type { Case } from './cases-screen.tsx';

type OfCase = { readonly found: Case };

/** What can be done about an open case: propose; or approve what another proposed; or take it off the table. */
export function CaseActs({ found }: OfCase) {
  const { email } = useMe();
  const isOwn = found.proposal?.by.toLowerCase() === email.toLowerCase();
  return (
    <Group gap="xs">
      <StatementButton found={found} />
      {found.proposal === null && <Propose found={found} />}
      {found.proposal !== null && !isOwn && <Approve found={found} />}
      {found.proposal !== null && <Reject found={found} />}
    </Group>
  );
}

/** What the operator said. It may name people, so that somebody asked is written down. */
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

function Propose({ found }: OfCase) {
  const said = useWords(WORDS);
  const resolutions = useWords(RESOLUTION_WORDS);
  const { caseId, allowed, needsAmount, payment } = found;
  const [resolution, setResolution] = useState<Resolution | undefined>(allowed[0]);
  const [amount, setAmount] = useState('');
  const propose = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/cases/{caseId}/proposal', {
          params: { path: { caseId } },
          body: {
            resolution: resolution ?? 'WRITE_OFF',
            reason,
            ...(needsAmount ? { amount: amount.trim() } : {}),
          },
        }),
      ),
    done: said.proposed,
  });
  return (
    <ReasonButton
      label={said.propose}
      isPending={propose.isPending}
      isIncomplete={resolution === undefined || (needsAmount && !/^\d+(\.\d{1,4})?$/.test(amount.trim()))}
      onConfirm={(reason) => propose.mutateAsync(reason)}
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

function Approve({ found: { caseId, proposal } }: OfCase) {
  const said = useWords(WORDS);
  const resolutions = useWords(RESOLUTION_WORDS);
  const approve = useAct({
    act: () => answer(api.POST('/console/api/host/cases/{caseId}/approve', { params: { path: { caseId } } })),
    done: said.approved,
  });
  return (
    <ConfirmButton
      label={said.approve}
      variant="filled"
      isDangerous={false}
      question={said.approveQuestion(proposal === null ? '' : resolutions[proposal.resolution])}
      isPending={approve.isPending}
      onConfirm={() => approve.mutateAsync(undefined)}
    />
  );
}

function Reject({ found: { caseId } }: OfCase) {
  const said = useWords(WORDS);
  const reject = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/cases/{caseId}/reject', {
          params: { path: { caseId } },
          body: { reason },
        }),
      ),
    done: said.rejected,
  });
  return (
    <ReasonButton
      label={said.reject}
      isDangerous
      isPending={reject.isPending}
      onConfirm={(reason) => reject.mutateAsync(reason)}
    />
  );
}

const WORDS = words({
  en: {
    statement: 'Statement',
    silent: 'Nothing was kept of what the operator said.',
    propose: 'Propose',
    resolution: 'Resolution',
    difference: (currency: string) => `Difference, in ${currency}`,
    differenceHint: 'Between the operator’s statement and our books; 0 where they agree after all.',
    proposed: 'Proposed. Another person has to approve it.',
    approve: 'Approve',
    approveQuestion: (what: string) => `${what}. The money moves at once, and the case is closed for good.`,
    approved: 'The case is resolved.',
    reject: 'Reject',
    rejected: 'The proposal is off the table.',
  },
  fr: {
    statement: 'Déclaration',
    silent: 'Rien n’a été conservé de ce que l’opérateur a dit.',
    propose: 'Proposer',
    resolution: 'Solution',
    difference: (currency: string) => `Différence, en ${currency}`,
    differenceHint: 'Entre le relevé de l’opérateur et nos livres ; 0 s’ils concordent finalement.',
    proposed: 'Proposé. Une autre personne doit l’approuver.',
    approve: 'Approuver',
    approveQuestion: (what: string) => `${what}. L’argent bouge aussitôt et le litige est clos pour de bon.`,
    approved: 'Le litige est résolu.',
    reject: 'Refuser',
    rejected: 'La proposition est écartée.',
  },
});
