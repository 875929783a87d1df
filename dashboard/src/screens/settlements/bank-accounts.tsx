import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ApprovalActs, type Approval } from '../../parts/approval-acts.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { BankAccountButton } from './bank-account-button.tsx';

type Account = AnswerOf<'listBankAccounts'>['accounts'][number];

/** One for each currency, and what is pending approval. */
export function BankAccounts() {
  const t = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const accounts = useQuery(
    reading('/console/api/merchants/{merchantId}/bank-accounts', { params: { path: { merchantId } } }),
  );
  const hours = accounts.data?.coolingOffHours ?? null;
  return (
    <Section
      title={t.title}
      hint={hours === null ? t.hint : `${t.hint} ${t.cooling(hours)}`}
      actions={may('payouts:prepare') && <BankAccountButton />}
    >
      <Loaded query={accounts} skeleton={<Skeleton height={80} />}>
        {(data) => <Accounts accounts={data.accounts} />}
      </Loaded>
    </Section>
  );
}

function Accounts({ accounts }: { readonly accounts: readonly Account[] }) {
  const t = useWords(WORDS);
  const current = accounts.filter(({ status }) => status === 'CURRENT');
  return (
    <Stack>
      {current.length === 0 ? (
        <Text c="dimmed">{t.none}</Text>
      ) : (
        <FieldList
          fields={current.map((account) => ({
            label: account.currency,
            value: <Shown account={account} />,
          }))}
        />
      )}
      {accounts.map(
        (account) =>
          account.approval !== null && (
            <Requested key={account.currency} account={account} approval={account.approval} />
          ),
      )}
    </Stack>
  );
}

function Shown({ account }: { readonly account: Account }) {
  const t = useWords(WORDS);
  const { usableFrom } = account;
  const isWaiting = usableFrom !== null && Date.parse(usableFrom) > Date.now();
  return (
    <>
      {lineOf(account)}
      {isWaiting && (
        <Text size="sm" c="dimmed">
          {t.usableFrom} <Time at={usableFrom} />
        </Text>
      )}
    </>
  );
}

function Requested({ account, approval }: { readonly account: Account; readonly approval: Approval }) {
  const t = useWords(WORDS);
  return (
    <Alert
      variant="default"
      icon={<Icon name="approve" />}
      title={t.requested(approval.requestedBy, account.currency)}
    >
      <Stack gap="sm" align="flex-start">
        <span>{lineOf(account)}</span>
        {approval.isOwn ? t.own : t.other}
        <ApprovalActs approval={approval} />
      </Stack>
    </Alert>
  );
}

function lineOf({ bank, holder, number }: Account): string {
  return `${bank} · ${holder} · ${number}`;
}

const WORDS = words({
  en: {
    title: 'Bank accounts',
    hint: 'One for each currency. Another person must approve a new one.',
    cooling: (hours: number) => `After that, nothing is settled for ${hours} hours.`,
    none: 'No bank account is registered.',
    usableFrom: 'Settlement is possible from',
    requested: (by: string, currency: string) => `${by} requests a bank account for ${currency}`,
    own: 'You requested it, so another person must approve it.',
    other: 'Compare it with a document of the bank before you approve.',
  },
  fr: {
    title: 'Comptes bancaires',
    hint: 'Un par devise. Une autre personne doit approuver un nouveau compte.',
    cooling: (hours: number) => `Ensuite, aucun règlement n’est possible pendant ${hours} heures.`,
    none: 'Aucun compte bancaire enregistré.',
    usableFrom: 'Règlement possible à partir du',
    requested: (by: string, currency: string) => `${by} demande un compte bancaire en ${currency}`,
    own: 'Vous l’avez demandé : une autre personne doit l’approuver.',
    other: 'Comparez-le avec un document de la banque avant d’approuver.',
  },
});
