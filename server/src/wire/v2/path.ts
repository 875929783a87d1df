// The path of a request about one payment: its identifier.
import { Type } from 'typebox';
import { findFault, type Parsed } from '../fault.ts';
import type { IdentifierSchema } from './identifier.ts';

export type PathSchema = ReturnType<typeof pathSchema>;

export function pathSchema(idName: string, idSchema: IdentifierSchema) {
  return Type.Object({ [idName]: idSchema }, { additionalProperties: false });
}

/** Returns the identifier as written in the path. */
export function parsePath(schema: PathSchema, path: unknown): Parsed<string> {
  const fault = findFault(schema, path);
  if (fault !== null) return { type: 'FAULT', fault };
  const [writtenId = ''] = Object.values(path as Readonly<Record<string, string>>);
  return { type: 'PARSED', request: writtenId };
}
