import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { text } from '../../harness/upstream.ts';

const folder = '/com/example/tools/agent';

const askMetadata = (body: string, pom = text('')) =>
  askRegistry(
    { datasource: 'maven', packageName: 'com.example.tools:agent' },
    {
      [`${folder}/maven-metadata.xml`]: text(`<metadata>${body}</metadata>`, 'text/xml'),
      [`${folder}/1.10/agent-1.10.pom`]: pom,
    },
  );

test('maven does not read a date from a web page that the server sends instead of a POM', async () => {
  const listing = '<versioning><versions><version>1.10</version></versions></versioning>';
  const headers = { 'last-modified': 'Wed, 25 Mar 2026 10:20:30 GMT' };
  const { releases, notes } = await askMetadata(listing, { ...text('', 'text/html'), headers });

  expect(releases).toEqual([{ version: '1.10' }]);
  expect(notes).toEqual([expect.stringContaining('is a web page')]);
});

test('maven reports a metadata document that lists no version', async () => {
  await expect(askMetadata('<groupId>a</groupId>')).rejects.toThrow(
    'maven-metadata.xml lists no version',
  );
});

test('maven rejects coordinates with empty parts', async () => {
  const odd = { datasource: 'maven', packageName: 'com..example:..' };
  await expect(askRegistry(odd, {})).rejects.toThrow(
    '"com//example/../maven-metadata.xml" is not a path below it',
  );
});
