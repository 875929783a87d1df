import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IS_SANDBOX } from '../../host.ts';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { Money } from '../../parts/money.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import type { PaymentLink } from './payment-links-screen.tsx';

export function ShareButton({ link }: { readonly link: PaymentLink }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label={`${said.share} · ${link.description}`}>
        {said.share}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.share} centered>
        <SharedLink link={link} />
      </Modal>
    </>
  );
}

/** What people share: the address, and the same as a QR code. */
export function SharedLink({ link }: { readonly link: PaymentLink }) {
  const said = useWords(WORDS);
  return (
    <Stack>
      <Text>
        {link.description} · <Money amount={link.amount} currency={link.currency} />
      </Text>
      {IS_SANDBOX && <Alert variant="light">{said.test}</Alert>}
      <QrCode text={link.url} label={said.qr} />
      <Copied value={link.url} />
      <Text size="sm" c="dimmed">
        {said.hint}
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: {
    share: 'Share',
    test: 'Test mode. No real money moves.',
    qr: 'QR code of the payment link',
    hint: 'Each visit starts a new payment. Check under Payments who has paid.',
  },
  fr: {
    share: 'Partager',
    test: 'Mode test. Aucun argent réel n’est transféré.',
    qr: 'Code QR du lien de paiement',
    hint: 'Chaque visite commence un nouveau paiement. Vérifiez dans Paiements qui a payé.',
  },
});
