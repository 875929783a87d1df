// The simulated phone, and the operator's own page. They are in English alone.
import { randomUUID } from 'node:crypto';
import { order, type Screen, type Shown } from './screen.ts';

const PHONES: readonly Screen[] = [
  {
    name: 'phones',
    play: (shown) => shown.page.goto(phonesOf(shown)).then(() => undefined),
  },
  { name: 'phone', only: '#screen', play: playPrompt },
  { name: 'phone-prompt', play: playPrompt },
  {
    name: 'phone-wrong-pin',
    play: async (shown) => {
      await pickUp(shown, nextNumber());
      await ring(shown, { amount: '1500', customerMessage: 'Order 1042' });
      await shown.page.fill('#pin', '0000');
      await shown.page.getByRole('button', { name: 'Send' }).click();
      await shown.page.getByText('Tries left').waitFor();
    },
  },
  {
    name: 'phone-messages',
    play: async (shown) => {
      await pickUp(shown, nextNumber());
      await payAndApprove(shown, { amount: '2400', customerMessage: 'Order 1041' });
      await ring(shown, { amount: '1500', customerMessage: 'Order 1042' });
      await shown.page.getByRole('button', { name: 'Decline' }).click();
      await shown.page.getByText('you declined it').waitFor();
    },
  },
  {
    name: 'phone-code-menu',
    play: async (shown) => {
      await pickUp(shown, '22607345678');
      await shown.page.getByRole('link', { name: '*144*4*6#' }).click();
      await shown.page.fill('#amount', '2500');
    },
  },
  {
    name: 'operator-page',
    play: async (shown) => {
      const { page } = shown;
      await pickUp(shown, '221773456789');
      await deposit(shown, {
        amount: '5000',
        currency: 'XOF',
        customerMessage: 'Order 1043',
        successfulUrl: 'http://127.0.0.1/ok',
        failedUrl: 'http://127.0.0.1/failed',
        payer: { type: 'MMO', accountDetails: { phoneNumber: '221773456789', provider: 'WAVE_SEN' } },
      });
      await page.getByRole('link', { name: 'Open page' }).click();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
];

export const PHONE_SCREENS: readonly Screen[] = PHONES.map((screen) => ({ ...screen, isOneLanguage: true }));

const phonesOf = ({ sandbox }: Shown) => `${sandbox.baseUrl}/sandbox/phone`;

async function playPrompt(shown: Shown): Promise<void> {
  await pickUp(shown, nextNumber());
  await payAndApprove(shown, { amount: '2400', customerMessage: 'Order 1041' });
  await ring(shown, { amount: '1500', customerMessage: 'Order 1042' });
  await shown.page.fill('#pin', '12');
}

let numbers = 0;

/** Another number for each screen, so that none shows earlier messages. */
function nextNumber(): string {
  numbers += 1;
  return String(250_783_456_200 + numbers);
}

async function pickUp(shown: Shown, phoneNumber: string): Promise<void> {
  await shown.page.goto(`${phonesOf(shown)}/${phoneNumber}`);
}

/** A deposit of the phone that is shown; done when it asks for the PIN. */
async function ring(shown: Shown, changes: Record<string, unknown>): Promise<void> {
  const phoneNumber = new URL(shown.page.url()).pathname.split('/').at(-1);
  const accountDetails = { phoneNumber, provider: 'MTN_MOMO_RWA' };
  await deposit(shown, { currency: 'RWF', payer: { type: 'MMO', accountDetails }, ...changes });
  await shown.page.locator('#pin').waitFor();
}

async function payAndApprove(shown: Shown, changes: Record<string, unknown>): Promise<void> {
  await ring(shown, changes);
  await shown.page.fill('#pin', '1234');
  await shown.page.keyboard.press('Enter');
  await shown.page.getByText('You have paid').waitFor();
}

async function deposit(shown: Shown, request: Record<string, unknown>): Promise<void> {
  await order(shown, '/v2/deposits', { depositId: randomUUID(), ...request });
}
