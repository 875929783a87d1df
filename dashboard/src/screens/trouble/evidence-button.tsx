import { Alert, Button, Code, Modal, Stack, Text, Timeline } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { Time } from '../../parts/time.tsx';
import type { Unclear } from './unclear-payments.tsx';

type Evidence = AnswerOf<'readEvidence'>;

/** What operators said, word by word. It may name people, so that somebody asked is written down. */
export function EvidenceButton({ payment }: { readonly payment: Unclear }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const { merchantId, kind, paymentId } = payment;
  const ask = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/payments/{merchantId}/{kind}/{paymentId}/evidence', {
          params: { path: { merchantId, kind, paymentId } },
        }),
      ),
    onDone: open,
  });
  return (
    <>
      <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
        {said.evidence}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.evidence} size="lg" centered>
        {ask.data !== undefined && <Told evidence={ask.data as Evidence} />}
      </Modal>
    </>
  );
}

function Told({ evidence }: { readonly evidence: Evidence }) {
  const said = useWords(WORDS);
  return (
    <Stack>
      <Alert variant="light">{said.writtenDown}</Alert>
      <Timeline bulletSize={14} lineWidth={2}>
        {evidence.events.map((event) => (
          <Timeline.Item key={event.eventNo} title={titleOf(event)}>
            <Text size="xs" c="dimmed">
              <Time at={event.at} isExact /> · {event.toState.replaceAll('_', ' ').toLowerCase()}
            </Text>
            {event.evidence !== null && <Words text={event.evidence} />}
          </Timeline.Item>
        ))}
      </Timeline>
      {evidence.statementLines.map(({ lineNo, finding, text }) => (
        <Stack key={`${lineNo} ${text}`} gap={2}>
          <Text size="sm">{said.line(lineNo, finding.toLowerCase())}</Text>
          <Words text={text} />
        </Stack>
      ))}
      {evidence.cases.map(({ caseId, evidence: kind, statement }) => (
        <Stack key={caseId} gap={2}>
          <Text size="sm">{said.case(kind.replaceAll('_', ' ').toLowerCase())}</Text>
          {statement !== null && <Words text={statement} />}
        </Stack>
      ))}
    </Stack>
  );
}

function titleOf({ event, detail }: { readonly event: string; readonly detail: string | null }): string {
  const what = event.replaceAll('_', ' ').toLowerCase();
  return detail === null ? what : `${what}: ${detail}`;
}

function Words({ text }: { readonly text: string }) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Code>
  );
}

const WORDS = words({
  en: {
    evidence: 'Evidence',
    writtenDown: 'This may name people. That you read it is in the audit log.',
    line: (no: number, finding: string) => `Line ${no} of a statement: ${finding}`,
    case: (kind: string) => `Case: ${kind}`,
  },
  fr: {
    evidence: 'Preuves',
    writtenDown: 'Des personnes peuvent être nommées ici. Votre lecture est inscrite au journal.',
    line: (no: number, finding: string) => `Ligne ${no} d’un relevé : ${finding}`,
    case: (kind: string) => `Litige : ${kind}`,
  },
});
