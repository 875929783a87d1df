import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Icon } from '../../parts/icon.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { Time } from '../../parts/time.tsx';

type Endpoint = AnswerOf<'readCallbackAddresses'>['endpoints'][number];

/** Endpoints that need somebody, before everything else. Nothing is shown where all of them work. */
export function FailingEndpoints() {
  const t = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { data } = useQuery({
    ...reading('/console/api/merchants/{merchantId}/callbacks', { params: { path: { merchantId } } }),
    refetchInterval: 15_000,
  });
  const failing = (data?.endpoints ?? []).filter(({ state }) => state !== 'WORKING');
  if (failing.length === 0) return null;
  return (
    <Alert variant="default" icon={<Icon name="trouble" />} title={t.title(failing.length)}>
      <Stack gap="xs">
        {failing.map((endpoint) => (
          <FailingEndpoint key={endpoint.kind} endpoint={endpoint} />
        ))}
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/m/$merchantId/callback-addresses" params={{ merchantId }} {...props} />
          )}
        >
          {t.fix}
        </Anchor>
      </Stack>
    </Alert>
  );
}

function FailingEndpoint({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { kind, url, state, because, failureCount, since } = endpoint;
  const what = because === 'GONE' ? t.gone : state === 'FAILING' ? t.failing(failureCount) : t.disabled;
  return (
    <Group gap={6}>
      <Text size="sm" fw={600}>
        {kinds[kind]}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {new URL(url).host}
      </Text>
      <Text size="sm" c="dimmed">
        {what}
        {since !== null && (
          <>
            {' '}
            <Time at={since} isExact />
          </>
        )}
      </Text>
    </Group>
  );
}

const WORDS = words({
  en: {
    title: (count: number) => (count === 1 ? '1 endpoint is failing' : `${count} endpoints are failing`),
    failing: (count: number) => `${count} failed ${count === 1 ? 'attempt' : 'attempts'} since`,
    disabled: 'Disabled after days without a 2xx, since',
    gone: 'Disabled: your server answered 410 (Gone), since',
    fix: 'Test, change or enable endpoints',
  },
  fr: {
    title: (count: number) => (count === 1 ? '1 adresse en échec' : `${count} adresses en échec`),
    failing: (count: number) =>
      `${count} ${count === 1 ? 'tentative échouée' : 'tentatives échouées'} depuis le`,
    disabled: 'Désactivée après des jours sans réponse 2xx, depuis le',
    gone: 'Désactivée : votre serveur a répondu 410 (Gone), depuis le',
    fix: 'Tester, modifier ou réactiver les adresses',
  },
});
