import { NativeSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAct } from '../api/acts.ts';
import { answer, api, type AnswerOf } from '../api/client.ts';
import { useLanguage, useWords, words } from '../language.tsx';
import { notifyChanged } from './cells-notice.ts';
import { ExpirySelect, expiryFields, type Expiry } from './expiry-select.tsx';
import { FREEZE_SCOPES, FREEZE_SCOPE_WORDS, type FreezeScope } from './limit-words.ts';
import { MerchantSelect, type ChosenMerchant } from './merchant-select.tsx';
import { useCatalogue, useNames } from './names.tsx';
import { ReasonButton } from './reason-button.tsx';

type FreezeButtonProps = {
  /** Freezes this merchant, and asks for nothing else. */
  readonly merchant?: ChosenMerchant;
  readonly variant?: 'filled' | 'default';
};

/** Stops outgoing payments: what, why, and until when. */
export function FreezeButton({ merchant: fixed, variant = 'default' }: FreezeButtonProps) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const [scope, setScope] = useState<FreezeScope>('MERCHANT');
  const [chosen, setMerchant] = useState<ChosenMerchant | null>(null);
  const [subject, setSubject] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('day');
  const merchant = fixed ?? chosen;
  const named = scope === 'MERCHANT' ? (merchant?.merchantId ?? '') : subject.trim();
  const freeze = useAct({
    act: (reason: string) => {
      const what = scope === 'NUMBER' ? { phoneNumber: named } : scope === 'ALL' ? {} : { subject: named };
      const body = { scope, ...what, reason, ...expiryFields(expiry) };
      return answer(api.POST('/console/api/host/freezes', { body })) as Promise<AnswerOf<'freeze'>>;
    },
    onDone: ({ isKnown, missingCells }) => {
      notifyChanged(t.done, missingCells, language);
      if (!isKnown) notifications.show({ message: t.unknown, color: 'yellow', autoClose: false });
    },
  });
  const choose = (next: FreezeScope) => {
    setScope(next);
    setSubject('');
  };
  return (
    <ReasonButton
      label={fixed === undefined ? t.freeze : t.freezePayments}
      size="sm"
      variant={variant}
      isDangerous
      isPending={freeze.isPending}
      isIncomplete={scope !== 'ALL' && named === ''}
      onConfirm={(reason) => freeze.mutateAsync(reason)}
    >
      <Stack>
        <Text size="sm">{fixed === undefined ? t.hint : t.merchantHint(fixed.name)}</Text>
        {fixed === undefined && (
          <Target {...{ scope, subject, merchant, setSubject, setMerchant }} setScope={choose} />
        )}
        <ExpirySelect value={expiry} onChange={setExpiry} none={t.untilLifted} />
      </Stack>
    </ReasonButton>
  );
}

type TargetProps = {
  readonly scope: FreezeScope;
  readonly setScope: (scope: FreezeScope) => void;
  readonly subject: string;
  readonly setSubject: (subject: string) => void;
  readonly merchant: ChosenMerchant | null;
  readonly setMerchant: (merchant: ChosenMerchant | null) => void;
};

function Target({ scope, setScope, subject, setSubject, merchant, setMerchant }: TargetProps) {
  const t = useWords(WORDS);
  const scopes = useWords(FREEZE_SCOPE_WORDS);
  return (
    <>
      <NativeSelect
        label={t.what}
        data={FREEZE_SCOPES.map((value) => ({ value, label: scopes[value] }))}
        value={scope}
        onChange={(event) => {
          const next = FREEZE_SCOPES.find((one) => one === event.currentTarget.value);
          if (next !== undefined) setScope(next);
        }}
      />
      {scope === 'MERCHANT' && <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />}
      {scope === 'PROVIDER' && <ProviderField value={subject} onChange={setSubject} />}
      {(scope === 'TOKEN' || scope === 'NUMBER') && (
        <TextInput
          label={scope === 'TOKEN' ? t.token : t.number}
          description={scope === 'NUMBER' ? t.numberHint : undefined}
          inputMode={scope === 'NUMBER' ? 'tel' : 'text'}
          required
          autoComplete="off"
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
      )}
    </>
  );
}

type ProviderFieldProps = { readonly value: string; readonly onChange: (provider: string) => void };

function ProviderField({ value, onChange }: ProviderFieldProps) {
  const scopes = useWords(FREEZE_SCOPE_WORDS);
  const names = useNames();
  const { data } = useCatalogue();
  return (
    <Select
      label={scopes.PROVIDER}
      required
      searchable
      data={(data?.providers ?? []).map(({ provider }) => ({
        value: provider,
        label: names.provider(provider),
      }))}
      value={value === '' ? null : value}
      onChange={(provider) => onChange(provider ?? '')}
    />
  );
}

const WORDS = words({
  en: {
    freeze: 'Freeze',
    freezePayments: 'Freeze payments',
    hint: 'Payouts, refunds and remittances stop at once and wait. Two people can lift the freeze.',
    merchantHint: (name: string) =>
      `Payouts, refunds and remittances of ${name} stop at once and wait. Two people can lift the freeze.`,
    what: 'What to freeze',
    token: 'API token ID',
    number: 'Phone number',
    numberHint: 'With country code, e.g. 250783456789',
    untilLifted: 'Never: until it is lifted',
    done: 'Frozen. Nothing of it is sent any more.',
    unknown: 'No cell knows this merchant or token. Check it: nothing is stopped by this freeze.',
  },
  fr: {
    freeze: 'Geler',
    freezePayments: 'Geler les paiements',
    hint:
      'Les versements, remboursements et transferts s’arrêtent aussitôt et attendent. Deux personnes peuvent lever ' +
      'le gel.',
    merchantHint: (name: string) =>
      `Les versements, remboursements et transferts de ${name} s’arrêtent aussitôt et attendent. Deux personnes ` +
      'peuvent lever le gel.',
    what: 'À geler',
    token: 'Identifiant du jeton d’API',
    number: 'Numéro de téléphone',
    numberHint: 'Avec l’indicatif, par exemple 250783456789',
    untilLifted: 'Jamais : jusqu’à ce qu’il soit levé',
    done: 'Gelé. Plus rien n’est envoyé.',
    unknown: 'Aucune cellule ne connaît ce marchand ou ce jeton. Vérifiez-le : ce gel n’arrête rien.',
  },
});
