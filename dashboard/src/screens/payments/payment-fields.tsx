import { Text } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { FieldList, type Field } from '../../parts/field-list.tsx';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import type { Story } from './payment-words.ts';

const copied = (value: string | null) => (value === null ? null : <Copied value={value} />);

/** What the payment is: who, how much, under which names. */
export function PaymentFields({ story }: { readonly story: Story }) {
  const said = useWords(WORDS);
  const { currency, recipient } = story;
  const fields: readonly Field[] = [
    { label: said.phone, value: <span className="figures">{story.phoneNumber}</span> },
    { label: said.provider, value: `${story.provider} (${story.country})` },
    { label: said.amount, value: <Money amount={story.amount} currency={currency} isStrong /> },
    { label: said.fee, value: <Money amount={story.fee} currency={currency} /> },
    { label: said.created, value: <Time at={story.createdAt} isExact /> },
    { label: said.ended, value: story.finalAt === null ? null : <Time at={story.finalAt} isExact /> },
    {
      label: said.next,
      value: story.nextActionAt === null ? null : <Time at={story.nextActionAt} isExact />,
    },
    { label: said.failure, value: story.failureCode === null ? null : <code>{story.failureCode}</code> },
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
    amount: 'Amount',
    fee: 'Fee',
    created: 'Created',
    ended: 'Ended',
    next: 'Looked at again',
    failure: 'Failure',
    reference: 'Your reference',
    transaction: 'Transaction of the operator',
    ours: 'Our reference at the operator',
    theirs: 'Reference of the operator',
    message: 'Message to the customer',
    recipient: 'Recipient',
    sender: (name: string) => `Sender: ${name}`,
    personal: '(personal)',
  },
  fr: {
    phone: 'Numéro',
    provider: 'Opérateur',
    amount: 'Montant',
    fee: 'Frais',
    created: 'Créé',
    ended: 'Terminé',
    next: 'Prochain contrôle',
    failure: 'Échec',
    reference: 'Votre référence',
    transaction: 'Transaction de l’opérateur',
    ours: 'Notre référence chez l’opérateur',
    theirs: 'Référence de l’opérateur',
    message: 'Message au client',
    recipient: 'Destinataire',
    sender: (name: string) => `Expéditeur : ${name}`,
    personal: '(personnel)',
  },
});
