// The simulated phone, and the operator's own page.
import { randomUUID } from 'node:crypto';
import { order, type Screen, type Stage } from './screen.ts';

export const PHONE_SCREENS: readonly Screen[] = [
  {
    name: 'phones',
    sizes: ['phone'],
    play: (stage) => stage.page.goto(phonesOf(stage)).then(() => undefined),
  },
  { name: 'phone', sizes: ['phone'], only: '#screen', play: playPrompt },
  { name: 'phone-prompt', sizes: ['phone', 'desk'], play: playPrompt },
  { name: 'phone-prompt-dark', sizes: ['desk'], colours: 'dark', play: playPrompt },
  {
    name: 'phone-wrong-pin',
    sizes: ['phone'],
    play: async (stage) => {
      await pickUp(stage, nextNumber());
      await ring(stage, { amount: '1500', customerMessage: 'Order 1042' });
      await stage.page.fill('#pin', '0000');
      await stage.page.getByRole('button', { name: 'Send' }).click();
      await stage.page.getByText('Wrong PIN').waitFor();
    },
  },
  {
    name: 'phone-messages',
    sizes: ['phone', 'desk'],
    play: async (stage) => {
      await pickUp(stage, nextNumber());
      await payAndApprove(stage, { amount: '2400', customerMessage: 'Order 1041' });
      await ring(stage, { amount: '1500', customerMessage: 'Order 1042' });
      await stage.page.getByRole('button', { name: 'Decline' }).click();
      await stage.page.getByText('you declined it').waitFor();
    },
  },
  {
    name: 'phone-code-menu',
    sizes: ['phone'],
    play: async (stage) => {
      await pickUp(stage, '22607345678');
      await stage.page.getByRole('link', { name: '*144*4*6#' }).click();
      await stage.page.fill('#amount', '2500');
    },
  },
  {
    name: 'operator-page',
    sizes: ['phone', 'desk'],
    play: async (stage) => {
      const { page } = stage;
      await pickUp(stage, '221773456789');
      await deposit(stage, {
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

const phonesOf = ({ sandbox }: Stage) => `${sandbox.baseUrl}/sandbox/phone`;

async function playPrompt(stage: Stage): Promise<void> {
  await pickUp(stage, nextNumber());
  await payAndApprove(stage, { amount: '2400', customerMessage: 'Order 1041' });
  await ring(stage, { amount: '1500', customerMessage: 'Order 1042' });
  await stage.page.fill('#pin', '12');
}

let numbers = 0;

/** Another one for each screen, so that none shows what happened on the last. */
function nextNumber(): string {
  numbers += 1;
  return String(250_783_456_200 + numbers);
}

async function pickUp(stage: Stage, phoneNumber: string): Promise<void> {
  await stage.page.goto(`${phonesOf(stage)}/${phoneNumber}`);
}

/** A deposit of the phone that is shown; done when it asks for the PIN. */
async function ring(stage: Stage, changes: Record<string, unknown>): Promise<void> {
  const phoneNumber = new URL(stage.page.url()).pathname.split('/').at(-1);
  const accountDetails = { phoneNumber, provider: 'MTN_MOMO_RWA' };
  await deposit(stage, { currency: 'RWF', payer: { type: 'MMO', accountDetails }, ...changes });
  await stage.page.locator('#pin').waitFor();
}

async function payAndApprove(stage: Stage, changes: Record<string, unknown>): Promise<void> {
  await ring(stage, changes);
  await stage.page.fill('#pin', '1234');
  await stage.page.keyboard.press('Enter');
  await stage.page.getByText('You have paid').waitFor();
}

async function deposit(stage: Stage, request: Record<string, unknown>): Promise<void> {
  await order(stage, '/v2/deposits', { depositId: randomUUID(), ...request });
}
