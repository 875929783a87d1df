import { Text } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { CountryName } from '../../parts/country-name.tsx';
import { FieldList, type Field } from '../../parts/field-list.tsx';
import { FAILED_PAYMENT_WORDS } from '../../parts/failed-payment-words.ts';
import { Money } from '../../parts/money.tsx';
import { ProviderName, SmallCode, useNames } from '../../parts/names.tsx';
import { Time } from '../../parts/time.tsx';
import type { Story } from './payment-words.ts';

const copied = (value: string | null) => (value === null ? null : <Copied value={value} />);

/** What the payment is: who, how much, under which names. */
export function PaymentFields({ story }: { readonly story: Story }) {
  const said = useWords(WORDS);
  const failures = useWords(FAILED_PAYMENT_WORDS);
  const names = useNames();
  const { currency, recipient, failureCode } = story;
  const fields: readonly Field[] = [
    { label: said.phone, value: <span className="figures">{story.phoneNumber}</span> },
    { label: said.provider, value: <ProviderName code={story.provider} /> },
    {
      label: said.country,
      value: (
        <CountryName code={story.country}>
          {names.country(story.country)} ({currency})
        </CountryName>
      ),
    },
    { label: said.amount, value: <Money amount={story.amount} currency={currency} isStrong /> },
    { label: said.fee, value: <Money amount={story.fee} currency={currency} /> },
    { label: said.created, value: <Time at={story.createdAt} isExact /> },
    { label: said.ended, value: story.finalAt === null ? null : <Time at={story.finalAt} isExact /> },
    {
      label: said.next,
      value: story.nextActionAt === null ? null : <Time at={story.nextActionAt} isExact />,
    },
    {
      label: said.failure,
      value:
        failureCode === null ? null : (
          <>
            {failures[failureCode]}
            <SmallCode>{failureCode}</SmallCode>
          </>
        ),
    },
    { label: said.reference, value: copied(story.clientReferenceId) },
    { label: said.transaction, value: copied(story.providerTransactionId) },
    { label: said.ours, value: copied(story.reference) },
    { label: said.theirs, value: copied(story.providerReference) },
    { label: said.message, value: story.customerMessage },
    {
      label: said.recipient,
      value: recipient === null ? null : `${recipient.firstName} ${recipient.lastName}`,
    },
    ...story.sender.map(({ name, value }) => ({ label: said.sender(name), value })),
    ...story.metadata.map(({ name, value, isPersonal }) => ({
      label: name,
      value: (
        <>
          {value}
          {isPersonal && (
            <Text span c="dimmed" size="xs">
              {' '}
              {said.personal}
            </Text>
          )}
        </>
      ),
    })),
  ];
  return <FieldList fields={fields} />;
}

const WORDS = words({
  en: {
    phone: 'Phone number',
    provider: 'Provider',
    country: 'Country',
    amount: 'Amount',
    fee: 'Fee',
    created: 'Created',
    ended: 'Finished',
    next: 'Next status check',
    failure: 'Failure reason',
    reference: 'Your reference',
    transaction: 'Operator transaction ID',
    ours: 'Our reference',
    theirs: 'Operator reference',
    message: 'Message to the customer',
    recipient: 'Recipient',
    sender: (name: string) => `Sender: ${name}`,
    personal: '(personal data)',
  },
  fr: {
    phone: 'Numéro',
    provider: 'Opérateur',
    country: 'Pays',
    amount: 'Montant',
    fee: 'Frais',
    created: 'Créé',
    ended: 'Terminé',
    next: 'Prochaine vérification',
    failure: 'Motif de l’échec',
    reference: 'Votre référence',
    transaction: 'Identifiant de transaction de l’opérateur',
    ours: 'Notre référence',
    theirs: 'Référence de l’opérateur',
    message: 'Message au client',
    recipient: 'Bénéficiaire',
    sender: (name: string) => `Expéditeur : ${name}`,
    personal: '(donnée personnelle)',
  },
});
