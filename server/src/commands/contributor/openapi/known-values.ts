// The providers and currencies of the catalogue and the failure codes of an OpenAPI document as types of the SDK. All
// stay open: a gateway may know more than the SDK that was released before it.
import { listProviders } from '../../../domain/operators/catalogue.ts';

export function knownValues(document: object): string {
  const providers = listProviders();
  const codes = providers.map(({ code }) => code);
  const currencies = providers.flatMap((provider) => provider.currencies.map(({ currency }) => currency));
  return [
    '// Made from the providers and openapi/v2.json by `npm run generate:openapi`. Do not edit.\n',
    ...openUnion('Provider', 'The code of a mobile-money provider.', codes),
    '',
    ...openUnion('Currency', 'An ISO 4217 code.', currencies),
    '',
    ...openUnion('FailureCode', 'Why something was rejected, refused or failed.', failureCodes(document)),
    '',
  ].join('\n');
}

/** The document names them in the descriptions of the fields that hold them. */
function failureCodes(document: object): readonly string[] {
  const lists = JSON.stringify(document).matchAll(/Known codes: ([A-Z0-9_, ]+)\./g);
  return [...lists].flatMap(([, codes = '']) => codes.split(', '));
}

/** An editor proposes the values, and the compiler takes every text. */
function openUnion(name: string, comment: string, values: readonly string[]): readonly string[] {
  const literals = [...new Set(values)].toSorted().map((value) => `  | '${value}'`);
  return [
    `/** ${comment} The list is not complete. */`,
    `export type ${name} =`,
    ...literals,
    '  | (string & {});',
  ];
}
