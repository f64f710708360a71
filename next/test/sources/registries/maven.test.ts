import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { text, type Document, type Documents } from '../../harness/upstream.ts';

const folder = '/com/example/tools/agent';
const pom = `${folder}/1.10/agent-1.10.pom`;
const lastModified = 'Wed, 25 Mar 2026 10:20:30 GMT';
const listing = '<versioning><versions><version>1.10</version></versions></versioning>';

const askMetadata = (body: string, documents: Documents = {}) =>
  ask(
    (url) => ({ datasource: 'maven', packageName: 'com.example.tools:agent', registryUrl: url }),
    {
      documents: {
        [`${folder}/maven-metadata.xml`]: text(`<metadata>${body}</metadata>`, 'text/xml'),
        ...documents,
      },
    },
  );

test('maven reads versions as text, and their days by HEAD', async () => {
  const document = { ...text('<project/>'), headers: { 'last-modified': lastModified } };
  const { releases, asked } = await askMetadata(listing, { [pom]: document });

  expect(releases).toEqual([{ version: '1.10', releaseTimestamp: '2026-03-25T10:20:30Z' }]);
  expect(asked).toEqual([`GET ${folder}/maven-metadata.xml`, `HEAD ${pom}`]);
});

test.each<[string, Document | undefined, RegExp[]]>([
  [
    'a web page in place of a POM',
    { ...text('', 'text/html'), headers: { 'last-modified': lastModified } },
    [/^the day of 1\.10 could not be asked for \(.+ is a web page/],
  ],
  ['a POM that is not there', undefined, []],
])('maven takes no day of %s', async (_, document, expected) => {
  const { releases, notes } = await askMetadata(listing, document ? { [pom]: document } : {});

  expect(releases).toEqual([{ version: '1.10' }]);
  expect(notes).toEqual(expected.map((form) => expect.stringMatching(form)));
});

test.each(['<groupId>a</groupId>', '<versioning/>', '<versioning><versions/></versioning>'])(
  'maven says that a document lists nothing: %j',
  async (body) => {
    await expect(askMetadata(body)).rejects.toThrow('maven-metadata.xml: lists no version');
  },
);

test('maven rejects a document that is not well-formed, and coordinates with empty parts', async () => {
  await expect(askMetadata('<versioning>')).rejects.toThrow(
    /cannot be read as XML: .+ \(line 1\)$/,
  );
  const odd = { datasource: 'maven', packageName: 'com..example:..' };
  await expect(ask((registryUrl) => ({ ...odd, registryUrl }))).rejects.toThrow(
    '"com//example/../maven-metadata.xml" is no path below it',
  );
});
