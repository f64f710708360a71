import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, askDescription } from '../../harness/asking.ts';
import type { Document } from '../../harness/upstream.ts';

const source = (registryUrl: string): TypedSource => ({
  datasource: 'maven',
  packageName: 'com.example.tools:agent',
  registryUrl,
});
const folder = '/com/example/tools/agent';

function metadata(body: string, type = 'application/xml'): Record<string, Document> {
  return {
    [`${folder}/maven-metadata.xml`]: {
      type,
      body: `<?xml version="1.0"?>\n<metadata>${body}</metadata>`,
    },
  };
}

function listing(...versions: string[]): string {
  const elements = versions.map((version) => `<version>${version}</version>`).join('');
  return `<versioning><versions>${elements}</versions></versioning>`;
}

function pom(version: string, headers: Record<string, string> = {}): Record<string, Document> {
  const document = { type: 'application/octet-stream', body: '<project/>', headers };
  return { [`${folder}/${version}/agent-${version}.pom`]: document };
}

const lastModified = 'Wed, 25 Mar 2026 10:20:30 GMT';

it('maven reads versions as text, and asks for days with HEAD before extractVersion', async () => {
  const type = 'application/octet-stream';
  const { releases, requests } = await ask(source, {
    documents: {
      ...metadata(listing('v1.10'), type),
      ...pom('v1.10', { 'last-modified': lastModified }),
    },
    offer: (listed) => listed.slice(1),
  });

  expect(releases).toEqual([{ version: '1.10', releaseTimestamp: lastModified }]);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET ${folder}/maven-metadata.xml`,
    `HEAD ${folder}/v1.10/agent-v1.10.pom`,
  ]);
});

it('maven takes no day from a web page in place of a POM', async () => {
  const page = { type: 'text/html', body: '', headers: { 'last-modified': lastModified } };
  const { releases, postponed } = await ask(source, {
    documents: { ...metadata(listing('1.0')), [`${folder}/1.0/agent-1.0.pom`]: page },
  });

  expect(releases).toEqual([{ version: '1.0' }]);
  expect(postponed).toEqual([
    ['1.0', expect.stringContaining('agent-1.0.pom has the unexpected type text/html')],
  ]);
});

it.each([
  '',
  '<versioning/>',
  '<versioning><versions/></versioning>',
  '<versioning><versions>\n</versions></versioning>',
])('maven says that a document lists nothing: %j', async (body) => {
  const asked = ask(source, { documents: metadata(`<groupId>com.example.tools</groupId>${body}`) });

  await expect(asked).rejects.toThrow(/maven-metadata\.xml lists no version$/);
});

it.each([
  [
    'of another group',
    `<groupId>com.example</groupId>${listing('1.0')}`,
    /maven-metadata\.xml: expected the document of "com\.example\.tools"; got that of "com\.example"$/,
  ],
  [
    'that is not well-formed',
    '<versioning><versions></versioning>',
    /maven-metadata\.xml: is not well-formed XML: .+ \(line 2\)$/,
  ],
])('maven rejects a document %s', async (_, body, message) => {
  await expect(ask(source, { documents: metadata(body) })).rejects.toThrow(message);
});

it('maven rejects coordinates with empty parts', async () => {
  const odd = (url: string): TypedSource =>
    ({ ...source(url), packageName: 'com..example:..' }) as TypedSource;

  await expect(ask(odd)).rejects.toThrow(
    /"com\/\/example\/\.\.\/maven-metadata\.xml" is no path below it$/,
  );
});

it('maven describes a package by its newest POM, and knows no property or entity but those of Maven and XML', async () => {
  const body = [
    '<project><name>${pom.artifactId} &lt;${project.version}&gt; &constructor;</name>',
    '<description>An agent ${project.constructor}</description><scm><url>${forge}/agent</url>',
    '<connection>scm:git:https://example.com/agent.git</connection></scm></project>',
  ].join('');

  const described = await askDescription(source, {
    documents: {
      ...metadata(listing('1.9', '1.10')),
      [`${folder}/1.10/agent-1.10.pom`]: { type: 'text/xml', body },
    },
  });

  expect(described).toMatchObject({
    title: 'agent <1.10> &constructor;',
    repository: 'scm:git:https://example.com/agent.git',
  });
  expect(described).not.toHaveProperty('description');
});
