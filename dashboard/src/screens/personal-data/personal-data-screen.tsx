import { Alert, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { Copied } from '../../parts/copied.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';

export function PersonalDataScreen() {
  const said = useWords(WORDS);
  const { may } = useHost();
  const retention = useQuery(reading('/console/api/host/retention', {}));
  return (
    <Page title={said.title} hint={said.hint}>
      <Section title={said.kept}>
        <Loaded query={retention} skeleton={<Skeleton height={90} />}>
          {({ notificationDays, callbackAttemptDays }) => (
            <FieldList
              fields={[
                { label: said.payments, value: said.indefinitely },
                { label: said.messages, value: said.days(notificationDays) },
                { label: said.attempts, value: said.days(callbackAttemptDays) },
              ]}
            />
          )}
        </Loaded>
      </Section>
      {may('personal-data:erase') && (
        <Section title={said.erasure}>
          <ErasePerson />
        </Section>
      )}
    </Page>
  );
}

function ErasePerson() {
  const said = useWords(WORDS);
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const [typed, setTyped] = useState('');
  const phoneNumber = typed.replaceAll(/[\s+()-]/g, '');
  const isNumber = /^[1-9][0-9]{5,18}$/.test(phoneNumber);
  const erase = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/erasures', {
          body: { merchantId: merchant?.merchantId ?? '', phoneNumber, reason },
        }),
      ) as Promise<AnswerOf<'erasePerson'>>,
  });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" maw={720}>
        {said.erasureHint}
      </Text>
      <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />
      <TextInput
        label={said.number}
        description={said.numberHint}
        inputMode="tel"
        required
        w="100%"
        maw={360}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ReasonButton
        label={said.erase}
        size="sm"
        isDangerous
        isPending={erase.isPending}
        isIncomplete={merchant === null || !isNumber}
        onConfirm={(reason) => erase.mutateAsync(reason)}
      >
        {merchant === null || !isNumber ? said.fillIn : said.eraseQuestion(merchant.name)}
      </ReasonButton>
      {erase.data !== undefined && <Erased erasure={erase.data} />}
    </Stack>
  );
}

function Erased({ erasure }: { readonly erasure: AnswerOf<'erasePerson'> }) {
  const said = useWords(WORDS);
  const { erased, open, erasureId, missingCells } = erasure;
  return (
    <Alert variant="light" color="teal" title={said.erased(erased)} role="status">
      <Stack gap="xs" align="flex-start">
        {open > 0 && <Text size="sm">{said.left(open)}</Text>}
        {missingCells.length > 0 && <Text size="sm">{said.missing(missingCells.join(', '))}</Text>}
        <Text size="sm">
          {said.recorded} <Copied value={erasureId} />
        </Text>
      </Stack>
    </Alert>
  );
}

const WORDS = words({
  en: {
    title: 'Personal data',
    hint: 'What is stored about payers and recipients, for how long, and how to erase it.',
    kept: 'Retention',
    payments: 'Payments, events, callbacks',
    indefinitely: 'Kept indefinitely, encrypted',
    messages: 'Operator messages',
    attempts: 'Callback attempts',
    days: (count: number) => `${count} days`,
    erasure: 'Erase a person’s data',
    erasureHint:
      'Anonymises the final payments of one phone number at one merchant. Amounts, statuses and the ledger stay. ' +
      'This cannot be undone, and these payments can no longer be refunded.',
    number: 'Phone number',
    numberHint: 'With country code, e.g. 250783456789.',
    erase: 'Erase',
    fillIn: 'Select a merchant and enter a phone number first.',
    eraseQuestion: (name: string) =>
      `Anonymise the payments of this number at ${name}? This cannot be undone.`,
    erased: (count: number) => `${count} ${count === 1 ? 'payment' : 'payments'} anonymised`,
    left: (count: number) =>
      `${count} ${count === 1 ? 'payment has' : 'payments have'} an open status, case or checkout and were kept. ` +
      'Erase again when these have ended.',
    missing: (cells: string) =>
      `Cell ${cells} did not answer. Its operator reports may still name the person. Erase again when it answers.`,
    recorded: 'Recorded in the audit log as',
  },
  fr: {
    title: 'Données personnelles',
    hint: 'Ce qui est conservé sur les payeurs et bénéficiaires, combien de temps, et comment l’effacer.',
    kept: 'Conservation',
    payments: 'Paiements, événements, callbacks',
    indefinitely: 'Conservés indéfiniment, chiffrés',
    messages: 'Messages des opérateurs',
    attempts: 'Tentatives de callback',
    days: (count: number) => `${count} jours`,
    erasure: 'Effacer les données d’une personne',
    erasureHint:
      'Anonymise les paiements terminés d’un numéro chez un marchand. Montants, statuts et comptabilité restent. ' +
      'C’est irréversible, et ces paiements ne pourront plus être remboursés.',
    number: 'Numéro de téléphone',
    numberHint: 'Avec l’indicatif du pays, p. ex. 250783456789.',
    erase: 'Effacer',
    fillIn: 'Sélectionnez d’abord un marchand et saisissez un numéro.',
    eraseQuestion: (name: string) =>
      `Anonymiser les paiements de ce numéro chez ${name} ? C’est irréversible.`,
    erased: (count: number) => `${count} ${count < 2 ? 'paiement anonymisé' : 'paiements anonymisés'}`,
    left: (count: number) =>
      `Conservés car encore ouverts, ou avec un dossier ou un checkout ouvert : ${count}. ` +
      'Recommencez quand ce sera terminé.',
    missing: (cells: string) =>
      `La cellule ${cells} n’a pas répondu. Ses relevés d’opérateur peuvent encore nommer la personne. ` +
      'Recommencez quand elle répond.',
    recorded: 'Inscrit au journal d’audit sous',
  },
});
