import { expect, test } from 'vitest';
import { readPublishedIndex } from '../../../src/deliver/publish/live.ts';

const cli = { releases: [{ version: '1.0', isDeprecated: false }] };
const svc = { releases: [] };
const documents: Record<string, object> = {
  'all.json': { isComplete: false, parts: ['all/1.json', 'all/2.json'], components: {} },
  'all/1.json': { components: { cli } },
  'all/2.json': { components: { svc } },
};

test('the components of a site are those of all parts, where all.json lists parts', async () => {
  const read = await readPublishedIndex((path, schema) => schema.parse(documents[path]));

  expect(read).toEqual(new Map(Object.entries({ cli, svc })));
});

test('the components of a site are not taken for fewer where a part is missing', async () => {
  const read = readPublishedIndex((path, schema) =>
    schema.parse(path === 'all/2.json' ? undefined : documents[path]),
  );

  await expect(read).rejects.toThrow();
});
