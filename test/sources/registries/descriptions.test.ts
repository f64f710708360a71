import { expect, test } from 'vitest';
import type { Source } from '../../../src/core/schema/definition.ts';
import { findDatasource } from '../../../src/sources/index.ts';
import descriptions from '../../fixtures/descriptions.json' with { type: 'json' };
import { withUpstream } from '../../harness/ask-source.ts';
import { json, text, type Documents } from '../../harness/upstream.ts';

/** The documents of an upstream, which may name its own address as that of registry.example. */
function readDocuments(documents: object, url: string): Documents {
  const located = JSON.stringify(documents).replaceAll('https://registry.example/', url);
  const entries = Object.entries(JSON.parse(located) as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([path, body]) => [path, typeof body === 'string' ? text(body) : json(body)]),
  );
}

// In the form of the registries' own documentation, without most keys. Public ones are named by their addresses.
test.each(descriptions)(
  '$datasource says what its registry says of $packageName',
  async ({ datasource, packageName, standsFor, documents, expected }) => {
    const question = { documents: (url: string) => readDocuments(documents, url), standsFor };
    const { result } = await withUpstream(question, (url, context) => {
      const registryUrl = standsFor === undefined ? url : undefined;
      const source = { datasource, packageName, registryUrl, url: `${standsFor}x.json` };
      return findDatasource(source as Source).describe!(source as Source, context);
    });

    expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
  },
);
