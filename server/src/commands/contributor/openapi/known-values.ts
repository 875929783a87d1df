// The providers and currencies of the catalogue as types of the SDK. Both stay open: a gateway may know more than the
// SDK that was released before it.
import { listProviders } from '../../../domain/operators/catalogue.ts';

export function knownValues(): string {
  const providers = listProviders();
  const codes = providers.map(({ code }) => code);
  const currencies = providers.flatMap((provider) => provider.currencies.map(({ currency }) => currency));
  return [
    '// Made from the catalogue of providers by `npm run generate:openapi`. Do not edit.\n',
    ...openUnion('Provider', 'The code of a mobile-money provider.', codes),
    '',
    ...openUnion('Currency', 'An ISO 4217 code.', currencies),
    '',
  ].join('\n');
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
