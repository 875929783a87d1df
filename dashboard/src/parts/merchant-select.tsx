import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reading } from '../api/queries.ts';
import { useWords, words } from '../language.tsx';

export type ChosenMerchant = { readonly merchantId: string; readonly name: string };

type MerchantSelectProps = {
  readonly chosen: ChosenMerchant | null;
  readonly onChange: (chosen: ChosenMerchant | null) => void;
  /** Leave it out where a list can be about all merchants. */
  readonly isRequired?: boolean;
  /** What a list is about while none is chosen. */
  readonly all?: string;
};

/** One of the platform's merchants, found by a part of its name. */
export function MerchantSelect({ chosen, onChange, isRequired = false, all }: MerchantSelectProps) {
  const said = useWords(WORDS);
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  // What is chosen stands in the field as well; it is no search.
  const isSearch = name !== '' && name !== chosen?.name;
  const { data } = useQuery({
    ...reading('/console/api/host/merchants', { params: { query: isSearch ? { name } : {} } }),
    placeholderData: keepPreviousData,
  });
  const known = new Map((data?.merchants ?? []).map((one) => [one.merchantId, one.name]));
  if (chosen !== null) known.set(chosen.merchantId, chosen.name);
  return (
    <Select
      label={said.merchant}
      placeholder={isRequired ? said.choose : (all ?? said.all)}
      required={isRequired}
      searchable
      clearable={!isRequired}
      nothingFoundMessage={said.none}
      w="100%"
      maw={360}
      data={[...known].map(([value, label]) => ({ value, label }))}
      // The server has looked already.
      filter={({ options }) => options}
      value={chosen?.merchantId ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(merchantId) =>
        onChange(merchantId === null ? null : { merchantId, name: known.get(merchantId) ?? merchantId })
      }
    />
  );
}

const WORDS = words({
  en: {
    merchant: 'Merchant',
    choose: 'Select a merchant',
    all: 'All merchants',
    none: 'No matching merchants',
  },
  fr: {
    merchant: 'Marchand',
    choose: 'Sélectionner un marchand',
    all: 'Tous les marchands',
    none: 'Aucun marchand correspondant',
  },
});
