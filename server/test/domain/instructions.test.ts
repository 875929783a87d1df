// What payers are told to do: who gets instructions, and that the texts say what the catalogue knows.
import { describe, expect, test } from 'vitest';
import textRows from '../../src/domain/catalogue/instructions.json' with { type: 'json' };
import { findProvider, listProviders } from '../../src/domain/operators/catalogue.ts';
import { parseInstructionTexts } from '../../src/domain/operators/catalogue/parse-instructions.ts';
import {
  createInstructions,
  fillTemplate,
  findInstructions,
} from '../../src/domain/checkouts/instructions.ts';

const texts = parseInstructionTexts(textRows);

const pairs = listProviders().flatMap((provider) =>
  provider.currencies.map((facts) => ({ name: `${provider.code} ${facts.currency}`, provider, facts })),
);

const headingOf = (provider: string, currency: string) =>
  findInstructions(provider, currency)!.channels[0]!.displayName.en;

/** The payer has to dial, or may dial to get the prompt again. */
const isPayerActive = ({ provider }: (typeof pairs)[number]) =>
  provider.pinPrompt === 'MANUAL' || provider.pinPromptRevivable === true;

/** Revivable, but no one has published the menu: the catalogue marks the fact as assumed. */
const MENU_NOT_PUBLISHED = ['AIRTEL_COD USD', 'MTN_MOMO_COG XAF'];

describe('instructions exist for', () => {
  test('every provider that asks for a PIN and expects the payer to dial, but two whose menu is not published', () => {
    const without = pairs.filter(
      (pair) => isPayerActive(pair) && findInstructions(pair.provider.code, pair.facts.currency) === null,
    );
    expect(without.map(({ name }) => name)).toEqual(MENU_NOT_PUBLISHED);
    for (const { facts } of without) expect(facts.assumed).toContain('pinPromptRevivable');
  });

  test('every provider with MANUAL prompts: without instructions payers could not pay', () => {
    const manual = pairs.filter(({ provider }) => provider.pinPrompt === 'MANUAL');
    expect(manual.length).toBeGreaterThan(0);
    for (const { provider, facts } of manual) {
      expect(findInstructions(provider.code, facts.currency)).not.toBeNull();
    }
  });

  test('no provider whose prompt comes automatically and only once', () => {
    const passive = pairs.filter((pair) => pair.provider.pinPrompt !== null && !isPayerActive(pair));
    expect(passive.length).toBeGreaterThan(0);
    for (const { provider, facts } of passive) {
      expect(findInstructions(provider.code, facts.currency)).toBeNull();
    }
  });

  test('every provider with a one-time code, and no provider with a page of its own', () => {
    const codes = pairs.filter(({ provider }) => provider.authType === 'PREAUTH');
    expect(codes.map(({ name }) => name)).toEqual(['ORANGE_BFA XOF']);
    for (const { provider, facts } of pairs.filter(({ provider: one }) => one.authType === 'REDIRECT_AUTH')) {
      expect(findInstructions(provider.code, facts.currency)).toBeNull();
    }
  });

  test('no provider that is not in the catalogue', () => {
    expect(findInstructions('NO_ONE_RWA', 'RWF')).toBeNull();
    expect(findInstructions('MTN_MOMO_RWA', 'USD')).toBeNull();
  });
});

describe('the instructions', () => {
  const menus = pairs.filter(({ facts }) => facts.ussd !== null);

  test.each(menus)(
    '$name: as many steps as the menu has, from its short code to the PIN',
    ({ provider, facts }) => {
      const { shortCode, quickLink, steps } = facts.ussd!;
      const [channel, ...others] = findInstructions(provider.code, facts.currency)!.channels;
      expect(others).toEqual([]);
      expect(channel!.type).toBe('USSD');
      expect(channel!.variables).toEqual({ shortCode });
      expect(channel!.quickLink ?? null).toBe(quickLink);
      const { en, fr } = channel!.instructions;
      expect([en.length, fr.length]).toEqual([steps, steps]);
      expect(en[0]).toEqual({ text: `Dial ${shortCode}`, template: 'Dial {{shortCode}}' });
      expect(fr[0]).toEqual({ text: `Composez ${shortCode}`, template: 'Composez {{shortCode}}' });
      expect(en.at(-1)!.text).toBe('Enter your PIN');
      expect(fr.at(-1)!.text).toBe('Saisissez votre code PIN');
      expect(new Set(en.map(({ text }) => text)).size).toBe(steps);
      expect(new Set(fr.map(({ text }) => text)).size).toBe(steps);
    },
  );

  test('Orange Burkina Faso: dial *144*4*6# to make a code', () => {
    expect(findInstructions('ORANGE_BFA', 'XOF')).toEqual({
      channels: [
        {
          type: 'USSD',
          displayName: { en: 'Make a one-time code by USSD', fr: 'Obtenir un code à usage unique par USSD' },
          variables: { shortCode: '*144*4*6#' },
          instructions: {
            en: [
              { text: 'Dial *144*4*6#', template: 'Dial {{shortCode}}' },
              { text: 'Enter the amount to pay', template: 'Enter the amount to pay' },
              { text: 'Enter your PIN', template: 'Enter your PIN' },
              {
                text: 'Come back here and enter the code you receive',
                template: 'Come back here and enter the code you receive',
              },
            ],
            fr: [
              { text: 'Composez *144*4*6#', template: 'Composez {{shortCode}}' },
              { text: 'Saisissez le montant à payer', template: 'Saisissez le montant à payer' },
              { text: 'Saisissez votre code PIN', template: 'Saisissez votre code PIN' },
              {
                text: 'Revenez ici et saisissez le code reçu',
                template: 'Revenez ici et saisissez le code reçu',
              },
            ],
          },
          stepNames: ['dial', 'enterAmount', 'enterPin', 'useCode'],
        },
      ],
    });
  });

  test('a prompt that comes automatically has another question than one the payer must go to', () => {
    expect(headingOf('MTN_MOMO_RWA', 'RWF')).toBe('No PIN prompt on your phone?');
    expect(headingOf('ORANGE_SEN', 'XOF')).toBe('Approve the payment by USSD');
  });

  test('no text is left with a placeholder, and every text is its template filled in', () => {
    for (const { provider, facts } of pairs) {
      for (const { variables, instructions } of findInstructions(provider.code, facts.currency)?.channels ??
        []) {
        for (const { text, template } of [...instructions.en, ...instructions.fr]) {
          expect(text).not.toMatch(/[{}]/);
          expect(text).toBe(fillTemplate(template, variables));
        }
      }
    }
  });
});

describe('filling a template', () => {
  test.each([
    ['Dial {{shortCode}}', 'Dial *1#'],
    ['{{shortCode}} or {{shortCode}}', '*1# or *1#'],
    ['Enter your PIN', 'Enter your PIN'],
  ])('%s', (template, text) => {
    expect(fillTemplate(template, { shortCode: '*1#' })).toBe(text);
  });

  test('a variable that looks like a replacement pattern is taken as it is', () => {
    expect(fillTemplate('Dial {{code}}', { code: "$&$'" })).toBe("Dial $&$'");
  });

  test.each(['Dial {{longCode}}', 'Dial {{}}'])('%s has no such variable', (template) => {
    expect(() => fillTemplate(template, { shortCode: '*1#' })).toThrow('has no variable');
  });
});

describe('what would leave a payer without help stops the gateway with its name', () => {
  const provider = findProvider('MTN_MOMO_RWA')!;

  test('a menu with a number of steps that there are no texts for', () => {
    const ussd = { shortCode: '*1#', quickLink: null, steps: 9 };
    expect(() => createInstructions(provider, { ussd }, texts)).toThrow('the 9 steps of MTN_MOMO_RWA');
  });

  test('a provider with one-time codes that no one can make', () => {
    const preauth = { ...provider, authType: 'PREAUTH' as const, pinPrompt: null, pinPromptRevivable: null };
    expect(() => createInstructions(preauth, { ussd: null }, texts)).toThrow('one-time code of MTN_MOMO_RWA');
  });

  const { steps, pinPrompt, authToken } = textRows;

  test.each<[string, object, string]>([
    ['a step without French', { steps: { ...steps, dial: { en: 'Dial' } } }, "instructions.dial lacks 'fr'"],
    ['an empty text', { steps: { ...steps, dial: { en: '', fr: '' } } }, "instructions.dial has a bad 'en'"],
    [
      'a step that has no text',
      { authToken: { ...authToken, steps: ['sing'] } },
      "authToken.steps has the step 'sing', which has no text",
    ],
    [
      'a list of another length than its name says',
      { pinPrompt: { ...pinPrompt, stepsByCount: { 3: ['dial', 'enterPin'] } } },
      'pinPrompt.stepsByCount.3 has 2 steps',
    ],
    [
      'a code no one can dial',
      { authToken: { ...authToken, shortCodes: { ORANGE_BFA: '144' } } },
      "authToken.shortCodes has a bad 'ORANGE_BFA'",
    ],
    ['a misspelt field', { pinprompt: {} }, "instructions has the unknown field 'pinprompt'"],
  ])('%s', (_, changes, problem) => {
    expect(() => parseInstructionTexts({ ...textRows, ...changes })).toThrow(problem);
  });
});
