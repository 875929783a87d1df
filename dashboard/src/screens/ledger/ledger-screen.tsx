import { Tabs } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Page } from '../../parts/page.tsx';
import { useTab } from '../../parts/tab.ts';
import { Accounts } from './accounts.tsx';
import { Floats } from './floats.tsx';
import { TrialBalance } from './trial-balance.tsx';

export function LedgerScreen() {
  const said = useWords(WORDS);
  const [tab, setTab] = useTab(['balance', 'accounts', 'floats']);
  return (
    <Page title={said.title} hint={said.hint}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="balance">{said.balance}</Tabs.Tab>
          <Tabs.Tab value="accounts">{said.accounts}</Tabs.Tab>
          <Tabs.Tab value="floats">{said.floats}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="balance">
          <TrialBalance />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Accounts />
        </Tabs.Panel>
        <Tabs.Panel value="floats">
          <Floats />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Ledger',
    hint: 'Every transfer has a debit and a credit, so each currency balances to zero. Debits are negative.',
    balance: 'Trial balance',
    accounts: 'Accounts',
    floats: 'Float',
  },
  fr: {
    title: 'Comptabilité',
    hint: 'Chaque transfert a un débit et un crédit : chaque devise s’équilibre à zéro. Les débits sont négatifs.',
    balance: 'Balance',
    accounts: 'Comptes',
    floats: 'Fonds',
  },
});
