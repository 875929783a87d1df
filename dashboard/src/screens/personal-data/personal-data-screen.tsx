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
                { label: said.payments, value: said.forEver },
                { label: said.messages, value: said.days(notificationDays) },
                { label: said.attempts, value: said.days(callbackAttemptDays) },
              ]}
            />
          )}
        </Loaded>
      </Section>
      {may('personal-data:erase') && (
        <Section title={said.forget}>
          <Forget />
        </Section>
      )}
    </Page>
  );
}

function Forget() {
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
      ),
  });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" maw={720}>
        {said.forgetHint}
      </Text>
      <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />
      <TextInput
        label={said.number}
        description={said.numberHint}
        inputMode="tel"
        required
        w="100%"
        maw={320}
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
  const { erased, open, erasureId } = erasure;
  return (
    <Alert variant="light" color="teal" title={said.erased(erased)} role="status">
      <Stack gap="xs" align="flex-start">
        {open > 0 && <Text size="sm">{said.left(open)}</Text>}
        <Text size="sm">
          {said.proof} <Copied value={erasureId} />
        </Text>
      </Stack>
    </Alert>
  );
}

const WORDS = words({
  en: {
    title: 'Personal data',
    hint: 'What is kept about payers and recipients, for how long, and how one of them is forgotten.',
    kept: 'What is kept',
    payments: 'Payments, events, callbacks',
    forEver: 'for ever, sealed',
    messages: 'Operators’ messages as they came',
    attempts: 'Single attempts at callbacks',
    days: (count: number) => `${count} days`,
    forget: 'Forget a person',
    forgetHint:
      'Empties what final payments of one phone number at one merchant say about people, wherever it was written. ' +
      'Amounts, states and the books stay. It cannot be undone, and the payments can no longer be refunded.',
    number: 'Phone number',
    numberHint: 'With the country’s code, as the payments have it.',
    erase: 'Erase',
    fillIn: 'Choose a merchant and enter a phone number first.',
    eraseQuestion: (name: string) => `Payments of this number at ${name} will no longer say whose they were.`,
    erased: (count: number) => `${count} payments were emptied`,
    left: (count: number) =>
      `${count} payments are still open, or a case is: they keep theirs. Ask again when they have ended.`,
    proof: 'In the audit log as',
  },
  fr: {
    title: 'Données personnelles',
    hint: 'Ce qui est conservé sur les payeurs et bénéficiaires, combien de temps, et comment l’un d’eux est oublié.',
    kept: 'Ce qui est conservé',
    payments: 'Paiements, événements, rappels',
    forEver: 'pour toujours, scellés',
    messages: 'Messages bruts des opérateurs',
    attempts: 'Tentatives de rappel',
    days: (count: number) => `${count} jours`,
    forget: 'Oublier une personne',
    forgetHint:
      'Vide ce que les paiements terminés d’un numéro chez un marchand disent des personnes, partout où c’est écrit. ' +
      'Montants, états et livres restent. C’est irréversible, et ces paiements ne pourront plus être remboursés.',
    number: 'Numéro de téléphone',
    numberHint: 'Avec l’indicatif du pays, comme dans les paiements.',
    erase: 'Effacer',
    fillIn: 'Choisissez d’abord un marchand et saisissez un numéro.',
    eraseQuestion: (name: string) =>
      `Les paiements de ce numéro chez ${name} ne diront plus à qui ils étaient.`,
    erased: (count: number) => `${count} paiements ont été vidés`,
    left: (count: number) =>
      `${count} paiements sont encore ouverts ou en litige : ils gardent leurs données. Redemandez à leur fin.`,
    proof: 'Au journal d’audit sous',
  },
});
