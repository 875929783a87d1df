import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { CONNECTION_ERROR_WORDS } from '../../parts/connection-error-words.ts';
import type { Kind } from '../../parts/kind-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';

type TestAddressButtonProps = { readonly kind: Kind; readonly url: string };

/** Posts a message about no payment, and shows what came back. */
export function TestAddressButton({ kind, url }: TestAddressButtonProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [isOpen, { open, close }] = useDisclosure();
  const test = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/callbacks/{kind}/test', {
          params: { path: { merchantId, kind } },
        }),
      ),
  });
  const start = () => {
    open();
    test.mutate(undefined);
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={start}>
        {said.test}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.title} centered>
        <Stack>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <div role="status" style={{ minHeight: 88 }}>
            {test.isPending && <Loader size="sm" aria-label={said.waiting} />}
            {test.isSuccess && <Result result={test.data} />}
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
              {said.again}
            </Button>
            <Button onClick={close}>{said.close}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Result({ result }: { readonly result: AnswerOf<'testCallbackAddress'> }) {
  const said = useWords(WORDS);
  const errors = useWords(CONNECTION_ERROR_WORDS);
  const { isAcknowledged, httpStatus, error, durationMs } = result;
  return (
    <Stack gap="xs" align="flex-start">
      <StateBadge
        state={isAcknowledged ? 'ACKNOWLEDGED' : 'REFUSED'}
        tone={isAcknowledged ? 'success' : 'failure'}
      >
        {isAcknowledged ? said.acknowledged : said.notAcknowledged}
      </StateBadge>
      <Text>
        {httpStatus === null ? said.noAnswer : said.answered(httpStatus, durationMs)}{' '}
        {!isAcknowledged &&
          (said.advice[error ?? 'STATUS'] ?? said.otherwise(errors[error ?? ''] ?? error ?? ''))}
      </Text>
    </Stack>
  );
}

type Words = Readonly<Record<Named, string>> & {
  readonly answered: (status: number, ms: number) => string;
  readonly otherwise: (code: string) => string;
  /** By the code of a connection that failed; STATUS is for answers other than 2xx. */
  readonly advice: Readonly<Record<string, string>>;
};
type Named =
  | 'test'
  | 'title'
  | 'waiting'
  | 'again'
  | 'close'
  | 'acknowledged'
  | 'notAcknowledged'
  | 'noAnswer';

const WORDS = words<Words>({
  en: {
    test: 'Test',
    title: 'Test callback',
    waiting: 'Waiting for your server',
    again: 'Test again',
    close: 'Close',
    acknowledged: 'Delivered',
    notAcknowledged: 'Not delivered',
    answered: (status: number, ms: number) => `Your server answered ${status} in ${ms} ms.`,
    noAnswer: 'Your server did not answer.',
    otherwise: (code: string) => `The connection failed: ${code}.`,
    advice: {
      STATUS: 'A callback is delivered only when your server returns 2xx. Redirects are not followed.',
      TIMEOUT: 'It has ten seconds. Answer first, then process the callback.',
      ECONNREFUSED: 'Nothing listens at this address. Check that the server runs, and its port.',
      ENOTFOUND: 'The server name was not found. Check its spelling.',
      FORBIDDEN_ADDRESS: 'The address is in a private network. Callbacks are not sent there.',
      FORBIDDEN_PORT: 'Callbacks are not sent to this port. Use port 443.',
    },
  },
  fr: {
    test: 'Tester',
    title: 'Callback de test',
    waiting: 'En attente de votre serveur',
    again: 'Tester à nouveau',
    close: 'Fermer',
    acknowledged: 'Livré',
    notAcknowledged: 'Non livré',
    answered: (status: number, ms: number) => `Votre serveur a répondu ${status} en ${ms} ms.`,
    noAnswer: 'Votre serveur n’a pas répondu.',
    otherwise: (code: string) => `La connexion a échoué : ${code}.`,
    advice: {
      STATUS:
        'Un callback n’est livré que si votre serveur répond 2xx. Les redirections ne sont pas suivies.',
      TIMEOUT: 'Il a dix secondes. Répondez d’abord, puis traitez le callback.',
      ECONNREFUSED: 'Rien n’écoute à cette adresse. Vérifiez que le serveur tourne, et son port.',
      ENOTFOUND: 'Le nom du serveur est introuvable. Vérifiez son orthographe.',
      FORBIDDEN_ADDRESS: 'L’adresse est dans un réseau privé. Les callbacks n’y sont pas envoyés.',
      FORBIDDEN_PORT: 'Les callbacks ne sont pas envoyés à ce port. Utilisez le port 443.',
    },
  },
});
