import { Tabs } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Page } from '../../parts/page.tsx';
import { Accounts } from './accounts.tsx';
import { Floats } from './floats.tsx';
import { TrialBalance } from './trial-balance.tsx';

export function LedgerScreen() {
  const said = useWords(WORDS);
  return (
    <Page title={said.title} hint={said.hint}>
      <Tabs defaultValue="balance" keepMounted={false}>
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
    hint: 'Every movement has a debit and a credit, so each currency adds up to zero. Minus is a debit.',
    balance: 'Trial balance',
    accounts: 'Accounts',
    floats: 'Float',
  },
  fr: {
    title: 'Grand livre',
    hint: 'Chaque mouvement a un débit et un crédit, donc chaque monnaie s’équilibre à zéro. Moins est un débit.',
    balance: 'Balance',
    accounts: 'Comptes',
    floats: 'Fonds',
  },
});
