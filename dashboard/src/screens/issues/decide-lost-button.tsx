import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { BEARER_WORDS } from '../../parts/lost-payment-words.ts';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import type { LostPayment } from './lost-payments.tsx';

const BEARERS = ['MERCHANT', 'PLATFORM', 'OTHER_CELL'] as const;
type Bearer = (typeof BEARERS)[number];

/** Requests whose the money of a lost payment is; another person approves. */
export function DecideLostButton({ lost }: { readonly lost: LostPayment }) {
  const said = useWords(WORDS);
  const bearers = useWords(BEARER_WORDS);
  const { provider, reference, direction } = lost;
  const [bearer, setBearer] = useState<Bearer>('MERCHANT');
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const decide = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/lost-payments', {
          body: {
            provider,
            reference,
            direction,
            bearer,
            reason,
            ...(bearer === 'MERCHANT' && merchant !== null ? { merchantId: merchant.merchantId } : {}),
          },
        }),
      ),
    done: said.asked,
  });
  return (
    <ReasonButton
      label={said.decide}
      isPending={decide.isPending}
      isIncomplete={bearer === 'MERCHANT' && merchant === null}
      onConfirm={(reason) => decide.mutateAsync(reason)}
    >
      <Stack>
        <Text size="sm">{said.hint}</Text>
        <Radio.Group
          label={said.bearer}
          value={bearer}
          onChange={(value) => setBearer(BEARERS.find((one) => one === value) ?? 'MERCHANT')}
        >
          <Stack gap="xs" mt="xs">
            {BEARERS.map((one) => (
              <Radio key={one} value={one} label={bearers[one](direction)} />
            ))}
          </Stack>
        </Radio.Group>
        {bearer === 'MERCHANT' && <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />}
      </Stack>
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    decide: 'Decide',
    hint:
      'Only if its merchant will not send it again. Its money leaves the suspense account as soon as a second ' +
      'approver agrees. If the merchant sends it again after all, it completes, and this is posted back.',
    bearer: 'Whose the money is',
    asked: 'Sent for approval.',
  },
  fr: {
    decide: 'Décider',
    hint:
      'Seulement si son marchand ne le renvoie pas. Son argent quitte le compte d’attente dès qu’une seconde ' +
      'personne approuve. S’il le renvoie malgré tout, le paiement réussit, et ceci est contrepassé.',
    bearer: 'À qui est l’argent',
    asked: 'Envoyé pour approbation.',
  },
});
