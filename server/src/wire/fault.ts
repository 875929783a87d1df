// Finds the one error of a request that the specification wants reported: UNSUPPORTED_PARAMETER before
// MISSING_PARAMETER before INVALID_PARAMETER, then in the order of the schema's fields, depth first. It never changes
// or coerces a value, and no message contains one: values may be personal data.
import { IsArray, IsObject, type TArray, type TObject, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { FailureCode } from '../domain/failure.ts';
import { causeOf, type Keywords } from './cause.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** Codes of requests that do not fit the specification, all answered with 400. */
export type FaultCode = Extract<
  FailureCode,
  | 'INVALID_INPUT'
  | 'UNSUPPORTED_PARAMETER'
  | 'MISSING_PARAMETER'
  | 'INVALID_PARAMETER'
  | 'DUPLICATE_METADATA_FIELD'
>;

export type Fault = {
  readonly code: FaultCode;
  /** Dotted, with array positions from zero: `payer.accountDetails.provider`, `metadata[3]`. Empty for the body. */
  readonly parameter: string;
  /** Completes the sentence "… is not valid: it must be a string". */
  readonly cause: string;
};

/** A parsed request, or the one error to report. */
export type Parsed<Request> =
  | { readonly type: 'PARSED'; readonly request: Request }
  | { readonly type: 'FAULT'; readonly fault: Fault };

const GRAVEST_FIRST: readonly FaultCode[] = [
  'INVALID_INPUT',
  'UNSUPPORTED_PARAMETER',
  'MISSING_PARAMETER',
  'INVALID_PARAMETER',
  'DUPLICATE_METADATA_FIELD',
];

/** An unknown name is repeated in the answer, so its length is limited. */
const NAME_LENGTH_MAX = 64;

/**
 * The error to report, or null if `value` fits. `further` are errors that the schema cannot express, such as an unknown
 * provider. They are ordered like the schema's errors, and win over a schema error of the same field.
 */
export function findFault(schema: TObject, value: unknown, further: readonly Fault[] = []): Fault | null {
  if (further.length === 0 && isAccepted(schema, value)) return null;
  if (!isJsonObject(value)) return inputFault('it is not a JSON object');
  const faults = faultsAt(schema, value, {
    name: '',
    further: new Map(further.map((f) => [f.parameter, f])),
  });
  return gravest(faults) ?? further[0] ?? null;
}

export function inputFault(cause: string): Fault {
  return { code: 'INVALID_INPUT', parameter: '', cause };
}

export function missingFault(parameter: string): Fault {
  return { code: 'MISSING_PARAMETER', parameter, cause: 'it is required' };
}

export function invalidFault(parameter: string, cause: string): Fault {
  return { code: 'INVALID_PARAMETER', parameter, cause };
}

/** A name, shortened for display. */
export function shownName(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX).toWellFormed()}…`;
}

// Compiling takes about a millisecond and checking under a microsecond, so each schema is compiled once.
const validators = new WeakMap<TSchema, Validator>();

function isAccepted(schema: TSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema) as Validator;
    validators.set(schema, validator);
  }
  return validator.Check(value);
}

/** The error to report of several, which are in the order of the fields; null if there is none. */
export function gravest(faults: Iterable<Fault>): Fault | null {
  let found: Fault | null = null;
  for (const fault of faults) {
    if (found === null || gravity(fault) < gravity(found)) found = fault;
    // No other error has higher priority, and a hostile body may contain thousands more.
    if (found.code === 'UNSUPPORTED_PARAMETER') return found;
  }
  return found;
}

function gravity(fault: Fault): number {
  return GRAVEST_FIRST.indexOf(fault.code);
}

type Place = { readonly name: string; readonly further: ReadonlyMap<string, Fault> };

/** Follows the schema, never the value, so the depth of a hostile value does not matter. */
function* faultsAt(schema: TSchema, value: unknown, place: Place): Generator<Fault> {
  let isExplained = false;
  const told = place.further.get(place.name);
  if (told !== undefined) {
    isExplained = true;
    yield told;
  }
  for (const fault of faultsInside(schema, value, place)) {
    isExplained = true;
    yield fault;
  }
  if (isExplained || isAccepted(schema, value)) return;
  const cause = causeOf(schema, value);
  yield place.name === '' ? inputFault(cause) : invalidFault(place.name, cause);
}

function* faultsInside(schema: TSchema, value: unknown, place: Place): Generator<Fault> {
  if (IsObject(schema) && isJsonObject(value)) yield* faultsInObject(schema, value, place);
  if (IsArray(schema) && Array.isArray(value)) yield* faultsInArray(schema, value, place);
}

function* faultsInObject(schema: TObject, value: JsonObject, place: Place): Generator<Fault> {
  const { additionalProperties, required = [] } = schema as Keywords;
  if (additionalProperties === false) {
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(schema.properties, key)) yield unsupportedFault(nameInside(place, shownName(key)));
    }
  }
  for (const [key, property] of Object.entries(schema.properties)) {
    const name = nameInside(place, key);
    if (Object.hasOwn(value, key) && value[key] !== undefined) {
      yield* faultsAt(property, value[key], { ...place, name });
    } else if (required.includes(key)) {
      yield missingFault(name);
    } else {
      const told = place.further.get(name);
      if (told !== undefined) yield told;
    }
  }
}

function* faultsInArray(schema: TArray, value: readonly unknown[], place: Place): Generator<Fault> {
  const { maxItems = Infinity } = schema as Keywords;
  // Too many items is one error of the whole array; its items are not checked.
  if (value.length > maxItems) return;
  for (const [index, element] of value.entries()) {
    yield* faultsAt(schema.items, element, { ...place, name: `${place.name}[${index}]` });
  }
}

function nameInside(place: Place, key: string): string {
  return place.name === '' ? key : `${place.name}.${key}`;
}

function unsupportedFault(parameter: string): Fault {
  return { code: 'UNSUPPORTED_PARAMETER', parameter, cause: 'it is not a field of this request' };
}
