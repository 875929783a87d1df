import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
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
        {!isAcknowledged && (said.advice[error ?? 'STATUS'] ?? said.otherwise(error ?? ''))}
      </Text>
    </Stack>
  );
}

type Words = Readonly<Record<Named, string>> & {
  readonly answered: (status: number, ms: number) => string;
  readonly otherwise: (code: string) => string;
  /** By the code of a connection that failed; STATUS is for answers that are no 2xx. */
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
    title: 'Test of the address',
    waiting: 'Waiting for your server',
    again: 'Test again',
    close: 'Close',
    acknowledged: 'acknowledged',
    notAcknowledged: 'not acknowledged',
    answered: (status: number, ms: number) => `Your server answered ${status} in ${ms} ms.`,
    noAnswer: 'Your server did not answer.',
    otherwise: (code: string) => `The connection ended with ${code}.`,
    advice: {
      STATUS: 'A callback counts as received only when the answer is a 2xx. Redirects are not followed.',
      TIMEOUT: 'It has ten seconds. Answer first, and work afterwards.',
      ECONNREFUSED: 'Nothing listens at this address. Is the server running, and the port right?',
      ENOTFOUND: 'The name of the server is not known. Check how it is written.',
      FORBIDDEN_ADDRESS: 'The address leads into a private network, where callbacks do not go.',
      FORBIDDEN_PORT: 'Callbacks do not go to this port. Use port 443.',
    },
  },
  fr: {
    test: 'Tester',
    title: 'Test de l’adresse',
    waiting: 'En attente de votre serveur',
    again: 'Tester encore',
    close: 'Fermer',
    acknowledged: 'reçu',
    notAcknowledged: 'non reçu',
    answered: (status: number, ms: number) => `Votre serveur a répondu ${status} en ${ms} ms.`,
    noAnswer: 'Votre serveur n’a pas répondu.',
    otherwise: (code: string) => `La connexion a fini par ${code}.`,
    advice: {
      STATUS: 'Une notification n’est reçue que si la réponse est 2xx. Les redirections ne sont pas suivies.',
      TIMEOUT: 'Il a dix secondes. Répondez d’abord, travaillez ensuite.',
      ECONNREFUSED: 'Rien n’écoute à cette adresse. Le serveur tourne-t-il, le port est-il le bon ?',
      ENOTFOUND: 'Le nom du serveur est inconnu. Vérifiez son écriture.',
      FORBIDDEN_ADDRESS: 'L’adresse mène dans un réseau privé, où les notifications ne vont pas.',
      FORBIDDEN_PORT: 'Les notifications ne vont pas à ce port. Utilisez le port 443.',
    },
  },
});
