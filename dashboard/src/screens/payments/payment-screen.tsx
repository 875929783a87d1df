import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Copied } from '../../parts/copied.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { groupDigits } from '../../parts/money.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { STATE_WORDS } from '../../parts/state-words.ts';
import { PaymentActs } from './payment-acts.tsx';
import { PaymentFields } from './payment-fields.tsx';
import { ONE_OF_KIND, type Kind, type Story } from './payment-words.ts';
import { RelatedTable } from './related-table.tsx';
import { supportSentence } from './support-words.ts';
import { Timeline } from './timeline.tsx';

export function PaymentScreen() {
  const { merchantId } = useMerchant();
  const { kind, paymentId } = useParams({ from: '/signed-in/m/$merchantId/payments/$kind/$paymentId' });
  const path = { merchantId, kind: kind as Kind, paymentId };
  const query = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}', { params: { path } }),
    // A person who looks at a payment in progress waits for its result.
    refetchInterval: ({ state }) => (state.data?.isResendable === false ? 3_000 : false),
  });
  return (
    <Loaded query={query} skeleton={<StorySkeleton />}>
      {(story) => <PaymentStory key={paymentId} story={story} path={path} />}
    </Loaded>
  );
}

type PaymentStoryProps = {
  readonly story: Story;
  readonly path: PaymentPath;
};

type PaymentPath = { readonly merchantId: string; readonly kind: Kind; readonly paymentId: string };

function PaymentStory({ story, path }: PaymentStoryProps) {
  const said = useWords(WORDS);
  const kinds = useWords(ONE_OF_KIND);
  const states = useWords(STATE_WORDS);
  const { language } = useLanguage();
  const { may } = useMerchant();
  // What was asked for is shown until the screen is left, and kept nowhere.
  const [revealed, setRevealed] = useState<Story | null>(null);
  const reveal = useAct({ act: () => askForStory(path), onDone: setRevealed });
  const shown = revealed === null ? story : { ...story, ...personalOf(revealed) };
  const { kind, amount, currency, state, related } = shown;
  return (
    <Page
      title={`${kinds[kind]} · ${groupDigits(amount, language)}\u00A0${currency}`}
      hint={
        <Group gap="xs" component="span">
          <StateBadge state={state}>{states[state]}</StateBadge>
          <Copied value={shown.paymentId} />
        </Group>
      }
      back={
        <Anchor
          renderRoot={(props) => <Link {...props} to="/m/$merchantId/payments" params={path} />}
          size="sm"
          w="fit-content"
        >
          {said.back}
        </Anchor>
      }
      actions={<PaymentActs story={story} path={path} />}
    >
      <Support story={story} />
      <Section
        title={said.facts}
        actions={
          may('payments:reveal') &&
          revealed === null && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="eye" sizePx={16} />}
              loading={reveal.isPending}
              onClick={() => reveal.mutate()}
            >
              {said.reveal}
            </Button>
          )
        }
      >
        {revealed !== null && (
          <Text size="xs" c="dimmed">
            {said.recorded}
          </Text>
        )}
        <PaymentFields story={shown} />
      </Section>
      {related.length > 0 && (
        <Section title={said.related}>
          <RelatedTable related={related} currency={currency} />
        </Section>
      )}
      <Section title={said.story}>
        <Timeline story={shown} />
      </Section>
    </Page>
  );
}

/** The same shape as the payment that is read by everybody, with what is hidden from them. */
async function askForStory(path: PaymentPath): Promise<Story> {
  const reveal = '/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/reveal';
  return (await answer(api.POST(reveal, { params: { path } }))) as unknown as Story;
}

/** Everything that is hidden from others. The rest goes on changing. */
function personalOf(story: Story) {
  const { phoneNumber, metadata, recipient, sender, events, traffic, callbacks, isRevealed } = story;
  return { phoneNumber, metadata, recipient, sender, events, traffic, callbacks, isRevealed };
}

/** What a support person can say, in the language of the screen and in the other one. */
function Support({ story }: { readonly story: Story }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const other = language === 'en' ? 'fr' : 'en';
  const support = supportSentence(story);
  return (
    <Alert variant="light" title={said.say} icon={<Icon name="person" />}>
      <Stack gap={4}>
        <Text size="md">{support[language]}</Text>
        <Text size="sm" c="dimmed" lang={other}>
          {support[other]}
        </Text>
      </Stack>
    </Alert>
  );
}

function StorySkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={28} width={260} />
      <Skeleton height={84} />
      <Skeleton height={220} />
      <Skeleton height={320} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    back: '← All payments',
    say: 'What to tell the customer',
    facts: 'Details',
    reveal: 'Show personal data',
    recorded: 'Personal data shown. This was recorded in the audit log.',
    related: 'Related payments',
    story: 'Timeline',
  },
  fr: {
    back: '← Tous les paiements',
    say: 'Que dire au client',
    facts: 'Détails',
    reveal: 'Afficher les données personnelles',
    recorded: 'Données personnelles affichées. L’accès a été inscrit au journal d’audit.',
    related: 'Paiements liés',
    story: 'Historique',
  },
});
