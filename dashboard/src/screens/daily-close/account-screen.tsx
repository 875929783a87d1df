import { Anchor, Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useWords, words } from '../../language.tsx';
import { useNames } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { useTab } from '../../parts/tab.ts';
import { Days } from './days.tsx';
import { Mappings } from './mappings.tsx';
import { Uploads } from './uploads.tsx';

/** One operator account: its days, the files that were uploaded, and how they are read. */
export function CloseAccountScreen() {
  const t = useWords(WORDS);
  const { provider = '', currency = '' } = useParams({ strict: false });
  const names = useNames();
  const [tab, setTab] = useTab(['days', 'files', 'columns']);
  const account = { provider, currency };
  return (
    <Page
      title={`${names.provider(provider)} (${currency})`}
      hint={
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/host/daily-close" />}>
          {t.back}
        </Anchor>
      }
    >
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="days">{t.days}</Tabs.Tab>
          <Tabs.Tab value="files">{t.files}</Tabs.Tab>
          <Tabs.Tab value="columns">{t.columns}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="days">
          <Days account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <Uploads account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="columns">
          <Mappings account={account} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const WORDS = words({
  en: { back: 'Daily close', days: 'Days', files: 'Files', columns: 'Columns' },
  fr: { back: 'Clôture journalière', days: 'Journées', files: 'Fichiers', columns: 'Colonnes' },
});
