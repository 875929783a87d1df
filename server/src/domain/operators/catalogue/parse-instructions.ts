// Parses the instruction texts for payers. An invalid text throws with its name.
import { fail, parseList, parseRow, parseText, type Row } from './row.ts';

export type LocalText = { readonly en: string; readonly fr: string };

/** A step with the name that it has in the file. */
export type StepText = LocalText & { readonly name: string };

export type InstructionTexts = {
  /** The headings of PIN prompt steps: MANUAL if the payer must dial, AUTOMATIC if dialling may help. */
  readonly pinPromptNames: { readonly AUTOMATIC: LocalText; readonly MANUAL: LocalText };
  /** Step templates for a menu, by its number of steps. */
  readonly pinPromptSteps: ReadonlyMap<number, readonly StepText[]>;
  readonly authTokenName: LocalText;
  readonly authTokenSteps: readonly StepText[];
  /** What payers dial to get a one-time code, by provider. */
  readonly authTokenShortCodes: ReadonlyMap<string, string>;
};

export function parseInstructionTexts(value: unknown): InstructionTexts {
  const row = parseRow(value, 'instructions', { required: ['steps', 'pinPrompt', 'authToken'] });
  const steps = new Map(
    entriesIn(row, 'steps').map(([name, text]) => [
      name,
      { name, ...parseLocalText(text, `${row.name}.${name}`) },
    ]),
  );
  const pinPrompt = parseRow(row.fields['pinPrompt'], `${row.name}.pinPrompt`, {
    required: ['displayName', 'stepsByCount'],
  });
  const authToken = parseRow(row.fields['authToken'], `${row.name}.authToken`, {
    required: ['displayName', 'steps', 'shortCodes'],
  });
  return {
    pinPromptNames: parsePromptNames(pinPrompt),
    pinPromptSteps: parseStepsByCount(pinPrompt, steps),
    authTokenName: parseLocalText(authToken.fields['displayName'], `${authToken.name}.displayName`),
    authTokenSteps: parseSteps(authToken.fields['steps'], `${authToken.name}.steps`, steps),
    authTokenShortCodes: parseShortCodes(authToken),
  };
}

function parsePromptNames(pinPrompt: Row): InstructionTexts['pinPromptNames'] {
  const row = parseRow(pinPrompt.fields['displayName'], `${pinPrompt.name}.displayName`, {
    required: ['AUTOMATIC', 'MANUAL'],
  });
  return {
    AUTOMATIC: parseLocalText(row.fields['AUTOMATIC'], `${row.name}.AUTOMATIC`),
    MANUAL: parseLocalText(row.fields['MANUAL'], `${row.name}.MANUAL`),
  };
}

type StepTexts = ReadonlyMap<string, StepText>;

function parseStepsByCount(pinPrompt: Row, texts: StepTexts): InstructionTexts['pinPromptSteps'] {
  const lists = entriesIn(pinPrompt, 'stepsByCount').map(([count, names]) => {
    const name = `${pinPrompt.name}.stepsByCount.${count}`;
    const steps = parseSteps(names, name, texts);
    return steps.length === Number(count)
      ? ([steps.length, steps] as const)
      : fail(name, `has ${steps.length} steps`);
  });
  return new Map(lists);
}

function parseSteps(value: unknown, name: string, texts: StepTexts): readonly StepText[] {
  return parseList(value, name, (step) => {
    const text = typeof step === 'string' ? texts.get(step) : undefined;
    return text ?? fail(name, `has the step '${String(step)}', which has no text`);
  });
}

function parseShortCodes(authToken: Row): ReadonlyMap<string, string> {
  const row = {
    name: `${authToken.name}.shortCodes`,
    fields: Object.fromEntries(entriesIn(authToken, 'shortCodes')),
  };
  return new Map(Object.keys(row.fields).map((code) => [code, parseText(row, code, /^[*#][0-9*]+#$/)]));
}

function parseLocalText(value: unknown, name: string): LocalText {
  const row = parseRow(value, name, { required: ['en', 'fr'] });
  return { en: parseText(row, 'en', /./), fr: parseText(row, 'fr', /./) };
}

function entriesIn(row: Row, field: string): readonly (readonly [string, unknown])[] {
  const value = row.fields[field];
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
    : fail(row.name, `has a bad '${field}'`);
}
