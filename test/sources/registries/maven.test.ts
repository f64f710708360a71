import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { text, type Documents } from '../../harness/upstream.ts';

const folder = '/com/example/tools/agent';
const pom = `${folder}/1.10/agent-1.10.pom`;
const lastModified = 'Wed, 25 Mar 2026 10:20:30 GMT';
const listing = '<versioning><versions><version>1.10</version></versions></versioning>';

const askMetadata = (body: string, documents: Documents = {}) =>
  askRegistry(
    { datasource: 'maven', packageName: 'com.example.tools:agent' },
    {
      [`${folder}/maven-metadata.xml`]: text(`<metadata>${body}</metadata>`, 'text/xml'),
      ...documents,
    },
  );
const dated = (type: string): Documents => ({
  [pom]: { ...text('', type), headers: { 'last-modified': lastModified } },
});

test.each<[string, Documents, string | undefined, string]>([
  ['is that of its POM', dated('text/xml'), '2026-03-25T10:20:30Z', ''],
  ['is not that of a web page in place of a POM', dated('text/html'), undefined, 'is a web page'],
  ['is not known without a POM', {}, undefined, ''],
])('maven reads versions as text, and the day of one %s', async (_, documents, day, note) => {
  const { releases, notes } = await askMetadata(listing, documents);

  expect(releases).toEqual([{ version: '1.10', ...(day && { releaseTimestamp: day }) }]);
  expect(notes).toEqual(note ? [expect.stringContaining(note)] : []);
});

test('maven says that a document is no list of versions', async () => {
  const asked = askMetadata('<groupId>a</groupId>');

  await expect(asked).rejects.toThrow('maven-metadata.xml: lists no version');
});

test('maven rejects coordinates with empty parts', async () => {
  const odd = { datasource: 'maven', packageName: 'com..example:..' };
  await expect(askRegistry(odd, {})).rejects.toThrow(
    '"com//example/../maven-metadata.xml" is no path below it',
  );
});
