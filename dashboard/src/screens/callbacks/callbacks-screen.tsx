import { Stack } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Page } from '../../parts/page.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { ReplayButton } from './replay-button.tsx';

export function CallbacksScreen() {
  const t = useWords(WORDS);
  const { may } = useMerchant();
  return (
    <Page title={t.title} hint={t.hint} actions={may('callbacks:resend') && <ReplayButton />}>
      <Stack gap="lg">
        {may('settings:read') && <FailingEndpoints />}
        <DeliveryList />
      </Stack>
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Callbacks',
    hint: 'Every callback (webhook) to your endpoints, newest first. Failed ones are retried for three days.',
  },
  fr: {
    title: 'Callbacks',
    hint:
      'Tous les callbacks (webhooks) vers vos adresses, du plus récent au plus ancien. En cas d’échec, ils sont ' +
      'retentés pendant trois jours.',
  },
});
