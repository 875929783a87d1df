// The operations in the committed OpenAPI documents, from which requests are generated.
import { readFileSync } from 'node:fs';
import type { Schema } from './schema.ts';

export type ApiVersion = 'v2' | 'v1' | 'console';

export type Parameter = { readonly name: string; readonly schema: Schema };

export type Operation = {
  readonly apiVersion: ApiVersion;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly inPath: readonly Parameter[];
  readonly inQuery: readonly Parameter[];
  readonly body: Schema | null;
  /** Whether it needs no token. */
  readonly isOpen: boolean;
};

type Described = {
  readonly parameters?: readonly (Parameter & { readonly in: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>>;
  };
  readonly security?: readonly unknown[];
};

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

export const API_VERSIONS: readonly ApiVersion[] = ['v2', 'v1', 'console'];

export function readOperations(): readonly Operation[] {
  return API_VERSIONS.flatMap((apiVersion) => {
    const { paths } = readDocument(apiVersion);
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operationOf(apiVersion, method, path, described)),
    );
  });
}

function readDocument(apiVersion: ApiVersion): Document {
  const url = new URL(`../../openapi/${apiVersion}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Document;
}

function operationOf(apiVersion: ApiVersion, method: string, path: string, described: Described): Operation {
  const { parameters = [], requestBody, security } = described;
  const where = (place: string) =>
    parameters.filter((one) => one.in === place).map(({ name, schema }) => ({ name, schema }));
  return {
    apiVersion,
    method: method.toUpperCase(),
    path,
    inPath: where('path'),
    inQuery: where('query'),
    body: requestBody?.content['application/json']?.schema ?? null,
    isOpen: security?.length === 0,
  };
}
