import { Group } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import type { Kind } from '../../parts/kind-words.ts';
import { SetAddressButton } from './set-address-button.tsx';
import { TestAddressButton } from './test-address-button.tsx';

type CallbackActsProps = {
  readonly kind: Kind;
  readonly endpoint: AnswerOf<'readCallbackAddresses'>['endpoints'][number] | null;
};

/** What can be done about one address. */
export function CallbackActs({ kind, endpoint }: CallbackActsProps) {
  const said = useWords(WORDS);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {endpoint?.state === 'SWITCHED_OFF' && <EnableButton kind={kind} />}
      {endpoint !== null && <TestAddressButton kind={kind} url={endpoint.url} />}
      <SetAddressButton
        label={endpoint === null ? said.set : said.change}
        kinds={[kind]}
        url={endpoint?.url ?? ''}
        size="xs"
      />
    </Group>
  );
}

function EnableButton({ kind }: { readonly kind: Kind }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const enable = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/callbacks/{kind}/enable', {
          params: { path: { merchantId, kind } },
        }),
      ),
    done: said.enabled,
  });
  return (
    <ConfirmButton
      label={said.enable}
      question={said.question}
      isDangerous={false}
      isPending={enable.isPending}
      onConfirm={() => enable.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    set: 'Set',
    change: 'Change',
    enable: 'Enable',
    question:
      'New callbacks are sent to this endpoint again. Test it first. Missed ones can be resent under Callbacks.',
    enabled: 'Endpoint enabled.',
  },
  fr: {
    set: 'Définir',
    change: 'Modifier',
    enable: 'Réactiver',
    question:
      'Les nouveaux callbacks seront de nouveau envoyés à cette adresse. Testez-la d’abord. Ceux qui ont été manqués ' +
      'peuvent être renvoyés sous Callbacks.',
    enabled: 'Adresse réactivée.',
  },
});
