// Whether a value fits a schema of the documents. Written for the drill alone and after JSON Schema, so that it shares
// no mistake with the library by which the server checks.

export type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
};

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only what an object has itself: JSON knows no prototypes. */
export function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

export function fits(schema: Schema, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => fits(one, value));
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case 'object':
      return isObject(value) && fitsObject(schema, value);
    case 'array':
      return Array.isArray(value) && fitsArray(schema, value);
    case 'string':
      return typeof value === 'string' && fitsString(schema, value);
    case 'integer':
      return Number.isInteger(value) && fitsNumber(schema, value as number);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case undefined:
    default:
      throw new Error(`the drill cannot check a schema of type ${schema.type ?? 'nothing'}`);
  }
}

function fitsObject(schema: Schema, value: JsonObject): boolean {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const names = Object.keys(value);
  if (names.length < (schema.minProperties ?? 0) || names.length > (schema.maxProperties ?? Infinity))
    return false;
  if (required.some((name) => !Object.hasOwn(value, name))) return false;
  return names.every((name) => {
    if (Object.hasOwn(properties, name)) return fits(properties[name] ?? {}, value[name]);
    return typeof additionalProperties === 'boolean'
      ? additionalProperties
      : fits(additionalProperties, value[name]);
  });
}

function fitsArray({ items, minItems = 0, maxItems = Infinity }: Schema, value: readonly unknown[]): boolean {
  if (value.length < minItems || value.length > maxItems) return false;
  return items === undefined || value.every((item) => fits(items, item));
}

/** JSON Schema counts characters as Unicode does: by code points. */
function fitsString({ minLength = 0, maxLength = Infinity, pattern, format }: Schema, text: string): boolean {
  const length = text.length > maxLength * 2 ? Infinity : Array.from(text).length;
  if (length < minLength || length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return format === undefined || fitsFormat(format, text);
}

function fitsNumber({ minimum = -Infinity, maximum = Infinity }: Schema, value: number): boolean {
  return value >= minimum && value <= maximum;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** RFC 3339, section 5.6. */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function fitsFormat(format: string, text: string): boolean {
  switch (format) {
    case 'uuid':
      return UUID.test(text);
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text);
    case 'date':
      return isDay(text);
    case 'date-time': {
      const [, day = '', hours, minutes, seconds] = DATE_TIME.exec(text) ?? [];
      return isDay(day) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
    }
    default:
      throw new Error(`the drill cannot check the format ${format}`);
  }
}

export function isDay(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lengths[month - 1] ?? 0);
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
