// Step-by-step instructions for payers, in English and French. Built from the catalogue's menu facts (what to dial, how
// many steps) and neutral texts, because the names of menu entries are not published.
import {
  listProviders,
  type CurrencyFacts,
  type ProviderFacts,
  type UssdMenu,
} from '../operators/catalogue.ts';
import textRows from '../catalogue/instructions.json' with { type: 'json' };
import {
  parseInstructionTexts,
  type InstructionTexts,
  type LocalText,
  type StepText,
} from '../operators/catalogue/parse-instructions.ts';

export type Instructions = { readonly channels: readonly InstructionChannel[] };

/** One way to do it: by dialling, or in the provider's app. */
export type InstructionChannel = {
  readonly type: 'USSD' | 'APP';
  readonly displayName: LocalText;
  /** The code that opens the waiting payments directly. */
  readonly quickLink?: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly instructions: { readonly en: readonly InstructionStep[]; readonly fr: readonly InstructionStep[] };
  /** The names of the steps, for pages in further languages. */
  readonly stepNames: readonly StepName[];
};

export type StepName = keyof (typeof textRows)['steps'];

/** `text` is the template with its variables filled in. */
export type InstructionStep = { readonly text: string; readonly template: string };

/** Null if the payer has nothing to dial, or the code is not published. */
export function findInstructions(provider: string, currency: string): Instructions | null {
  return instructionsByCurrency.get(`${provider} ${currency}`) ?? null;
}

/** Throws for a menu without texts: the gateway must not start and leave payers without help. */
export function createInstructions(
  provider: ProviderFacts,
  { ussd }: Pick<CurrencyFacts, 'ussd'>,
  texts: InstructionTexts,
): Instructions | null {
  switch (provider.authType) {
    case 'PROVIDER_AUTH':
      return ussd === null ? null : createPinPromptInstructions(provider, ussd, texts);
    case 'PREAUTH':
      return createAuthTokenInstructions(provider, texts);
    case 'REDIRECT_AUTH':
      return null;
  }
}

/** Replaces names in double braces by variables. A name without a variable throws. */
export function fillTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w*)\}\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`The instruction '${template}' has no variable '${name}'.`);
    return value;
  });
}

function createPinPromptInstructions(
  { code, pinPrompt }: Extract<ProviderFacts, { authType: 'PROVIDER_AUTH' }>,
  { shortCode, quickLink, steps }: UssdMenu,
  texts: InstructionTexts,
): Instructions {
  const templates = texts.pinPromptSteps.get(steps);
  if (templates === undefined)
    throw new Error(`There are no instructions for the ${steps} steps of ${code}.`);
  const channel = createUssdChannel(texts.pinPromptNames[pinPrompt], shortCode, templates);
  return { channels: [quickLink === null ? channel : { ...channel, quickLink }] };
}

function createAuthTokenInstructions({ code }: ProviderFacts, texts: InstructionTexts): Instructions {
  const shortCode = texts.authTokenShortCodes.get(code);
  if (shortCode === undefined) throw new Error(`There are no instructions for the one-time code of ${code}.`);
  return { channels: [createUssdChannel(texts.authTokenName, shortCode, texts.authTokenSteps)] };
}

function createUssdChannel(
  displayName: LocalText,
  shortCode: string,
  templates: readonly StepText[],
): InstructionChannel {
  const variables = { shortCode };
  const stepsIn = (language: keyof LocalText) =>
    templates.map(({ [language]: template }) => ({ text: fillTemplate(template, variables), template }));
  return {
    type: 'USSD',
    displayName,
    variables,
    instructions: { en: stepsIn('en'), fr: stepsIn('fr') },
    stepNames: templates.map(({ name }) => name as StepName),
  };
}

const instructionsByCurrency = readInstructions();

function readInstructions(): ReadonlyMap<string, Instructions> {
  const texts = parseInstructionTexts(textRows);
  const all = listProviders().flatMap((provider) =>
    provider.currencies.flatMap((facts) => {
      const instructions = createInstructions(provider, facts, texts);
      return instructions === null ? [] : [[`${provider.code} ${facts.currency}`, instructions] as const];
    }),
  );
  return new Map(all);
}
