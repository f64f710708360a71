import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask } from '../../harness/asking.ts';
import type { Document } from '../../harness/upstream.ts';

const source = (registryUrl: string): Source => ({
  datasource: 'maven',
  packageName: 'com.example.tools:agent',
  registryUrl,
});
const folder = '/com/example/tools/agent';

function metadata(body: string, type = 'application/xml'): Record<string, Document> {
  return {
    [`${folder}/maven-metadata.xml`]: { type, body: `<?xml version="1.0"?>\n<metadata>${body}</metadata>` },
  };
}

function pom(version: string, headers: Record<string, string> = {}): Record<string, Document> {
  return {
    [`${folder}/${version}/agent-${version}.pom`]: {
      type: 'application/octet-stream',
      body: '<project/>',
      headers,
    },
  };
}

const lastModified = 'Wed, 25 Mar 2026 10:20:30 GMT';

const odd = (registryUrl: string): Source => ({
  datasource: 'maven',
  packageName: 'com..example:..',
  registryUrl,
});

describe('maven', () => {
  it('reads versions as text, and their days from POMs with HEAD requests', async () => {
    const { releases, requests } = await ask(source, {
      documents: {
        ...metadata(
          '<versioning><latest>1.10</latest><versions><version>1.10</version></versions></versioning>',
        ),
        ...pom('1.10', { 'last-modified': lastModified }),
      },
    });

    expect(releases).toEqual([{ version: '1.10', releaseTimestamp: lastModified }]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${folder}/maven-metadata.xml`,
      `HEAD ${folder}/1.10/agent-1.10.pom`,
    ]);
  });

  it('does not request unwanted days', async () => {
    const { releases, requests } = await ask(source, {
      documents: metadata(
        '<versioning><versions><version>1.0</version><version>1.1</version></versions></versioning>',
      ),
      wantsTimestamp: () => false,
    });

    expect(releases).toEqual([{ version: '1.0' }, { version: '1.1' }]);
    expect(requests).toHaveLength(1);
  });

  it('accepts a POM without a day', async () => {
    const { releases, postponed } = await ask(source, {
      documents: {
        ...metadata('<versioning><versions><version>1.0</version></versions></versioning>'),
        ...pom('1.0'),
      },
    });

    expect(releases).toEqual([{ version: '1.0' }]);
    expect(postponed).toEqual([]);
  });

  it('requests the POM by the listed version, before extractVersion', async () => {
    const { releases } = await ask(source, {
      documents: {
        ...metadata('<versioning><versions><version>v1.0</version></versions></versioning>'),
        ...pom('v1.0', { 'last-modified': lastModified }),
      },
      offer: (listed) => listed.slice(1),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: lastModified }]);
  });

  it('reads a document from plain file storage', async () => {
    const { releases } = await ask(source, {
      documents: metadata(
        '<versioning><versions><version>1.0</version></versions></versioning>',
        'application/octet-stream',
      ),
    });

    expect(releases).toEqual([{ version: '1.0' }]);
  });

  it.each([
    '',
    '<versioning/>',
    '<versioning></versioning>',
    '<versioning><versions/></versioning>',
    '<versioning><versions>\n</versions></versioning>',
  ])('says that a document lists nothing: %j', async (body) => {
    const asked = ask(source, { documents: metadata(`<groupId>com.example.tools</groupId>${body}`) });

    await expect(asked).rejects.toThrow(/maven-metadata\.xml lists no version$/);
  });

  it('rejects the document of another group', async () => {
    const body =
      '<groupId>com.example</groupId><versioning><versions><version>1.0</version></versions></versioning>';

    await expect(ask(source, { documents: metadata(body) })).rejects.toThrow(
      /maven-metadata\.xml: expected the document of "com\.example\.tools"; got that of "com\.example"$/,
    );
  });

  it('rejects a document that is not well-formed', async () => {
    await expect(ask(source, { documents: metadata('<versioning><versions></versioning>') })).rejects.toThrow(
      /maven-metadata\.xml: is not well-formed XML: .+ \(line 2\)$/,
    );
  });

  it('rejects coordinates with empty parts', async () => {
    await expect(ask(odd)).rejects.toThrow(
      /"com\/\/example\/\.\.\/maven-metadata\.xml" is no path below it$/,
    );
  });
});
