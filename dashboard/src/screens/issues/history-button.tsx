import { Alert, Button, Code, Modal, Stack, Text, Timeline } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { EVIDENCE_WORDS } from '../../parts/case-words.ts';
import { EVENT_WORDS, useDetailText } from '../../parts/payment-event-words.ts';
import { STATE_WORDS, stateName } from '../../parts/state-words.ts';
import { Time } from '../../parts/time.tsx';
import type { Unresolved } from './unresolved-payments.tsx';

type Evidence = AnswerOf<'readEvidence'>;

/** What operators said, word by word. It may name people, so each access is recorded. */
export function HistoryButton({ payment }: { readonly payment: Unresolved }) {
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
        {said.history}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.history} size="lg" centered>
        {ask.data !== undefined && <Told evidence={ask.data as Evidence} />}
      </Modal>
    </>
  );
}

function Told({ evidence }: { readonly evidence: Evidence }) {
  const said = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const events = useWords(EVENT_WORDS);
  const detailText = useDetailText();
  const evidences = useWords(EVIDENCE_WORDS);
  const findings: Readonly<Record<string, string>> = said.findings;
  const titleOf = ({ event, detail }: Evidence['events'][number]) => {
    const what = events[event] ?? event;
    return detail === null ? what : detailText(detail, what);
  };
  return (
    <Stack>
      <Alert variant="light">{said.recorded}</Alert>
      <Timeline bulletSize={14} lineWidth={2}>
        {evidence.events.map((event) => (
          <Timeline.Item key={event.eventNo} title={titleOf(event)}>
            <Text size="xs" c="dimmed">
              <Time at={event.at} isExact /> · {stateName(event.toState, states)}
            </Text>
            {event.evidence !== null && <Words text={event.evidence} />}
          </Timeline.Item>
        ))}
      </Timeline>
      {evidence.reportLines.map(({ lineNo, finding, text }) => (
        <Stack key={`${lineNo} ${text}`} gap={2}>
          <Text size="sm">{said.line(lineNo, findings[finding] ?? finding)}</Text>
          <Words text={text} />
        </Stack>
      ))}
      {evidence.cases.map(({ caseId, evidence: kind, statement }) => (
        <Stack key={caseId} gap={2}>
          <Text size="sm">{said.case(evidences[kind] ?? kind)}</Text>
          {statement !== null && <Words text={statement} />}
        </Stack>
      ))}
    </Stack>
  );
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
    history: 'View history',
    recorded: 'This may contain personal data. Your access was recorded in the audit log.',
    line: (no: number, finding: string) => `Line ${no} of an operator report: ${finding}`,
    case: (kind: string) => `Case: ${kind}`,
    findings: {
      AGREES: 'agrees with ours',
      APPLIED: 'applied',
      CASE: 'case opened',
      RESOLVED: 'case resolved',
      UNMATCHED: 'payment lost by a restore',
      UNKNOWN: 'not ours',
      MISMATCHED: 'another provider, direction or amount',
      NOT_SENT: 'the payment was not sent',
      UNCONFIRMED: 'not confirmed by the operator',
      OTHER_CELL: 'merchant in another cell',
      TO_APPROVE: 'pending approval',
      REJECTED: 'the report was not approved',
      REQUESTED: 'pending approval',
    },
  },
  fr: {
    history: 'Voir l’historique',
    recorded: 'Ceci peut contenir des données personnelles. Votre accès a été inscrit au journal d’audit.',
    line: (no: number, finding: string) => `Ligne ${no} d’un relevé de l’opérateur : ${finding}`,
    case: (kind: string) => `Dossier : ${kind}`,
    findings: {
      AGREES: 'conforme à nos données',
      APPLIED: 'appliquée',
      CASE: 'dossier ouvert',
      RESOLVED: 'dossier résolu',
      UNMATCHED: 'paiement perdu par une restauration',
      UNKNOWN: 'pas de chez nous',
      MISMATCHED: 'autre opérateur, autre sens ou autre montant',
      NOT_SENT: 'le paiement n’a pas été envoyé',
      UNCONFIRMED: 'non confirmée par l’opérateur',
      OTHER_CELL: 'marchand d’une autre cellule',
      TO_APPROVE: 'en attente d’approbation',
      REJECTED: 'le relevé n’a pas été approuvé',
      REQUESTED: 'en attente d’approbation',
    },
  },
});
