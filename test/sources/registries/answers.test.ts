/** Checks what is read from registries' answers. The answers are examples from their documentation, shortened to the keys that matter. */
import { expect, test } from 'vitest';
import type { Source } from '../../../src/core/schema/written.ts';
import { findDatasource } from '../../../src/sources/index.ts';
import answers from '../../fixtures/answers.json' with { type: 'json' };
import descriptions from '../../fixtures/descriptions.json' with { type: 'json' };
import schedules from '../../fixtures/schedules.json' with { type: 'json' };
import { ask, askLines, withUpstream } from '../../harness/ask-source.ts';
import { json, text, type Documents } from '../../harness/upstream.ts';

/** Replaces the address https://registry.example/ of a fixture with the address of the running upstream. */
function locate<T>(value: T, url: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('https://registry.example/', url)) as T;
}

function readDocuments(documents: object, url: string): Documents {
  const entries = Object.entries(locate(documents, url) as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([path, body]) => [path, typeof body === 'string' ? text(body) : json(body)]),
  );
}

test.each(answers)(
  'the answer of a registry gives the expected releases: $title',
  async ({ source, standsFor, documents, releases, notes = [] }) => {
    const asked = await ask((url) => locate(source, url), {
      documents: (url) => readDocuments(documents, url),
      standsFor,
    });

    expect(asked.releases).toEqual(releases);
    expect(asked.notes).toEqual(notes);
  },
);

test.each(schedules)(
  'the answer of a source gives the expected release lines: $title',
  async ({ source, documents, lines }) => {
    const asked = await askLines((url) => locate(source, url), {
      documents: (url) => readDocuments(documents, url),
    });

    expect(asked).toEqual(lines);
  },
);

// If a case has `standsFor`, requests to this public address go to the local upstream. Otherwise, `registryUrl` is the upstream.
test.each(descriptions)(
  'the datasource $datasource reads the expected description of the package "$packageName"',
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
