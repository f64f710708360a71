import { unfolding, type ImitatedUpstream } from '../imitated-upstream.ts';
import type { Document } from '../upstream.ts';

export const maven: ImitatedUpstream = {
  name: 'maven',
  home: '/m2/com/example/agent/',
  entry: 'text',
  namesPackage: true,
  source: (url) => ({
    datasource: 'maven',
    packageName: 'com.example:agent',
    registryUrl: `${url}m2`,
  }),
  documents(releases, { packageName = 'agent' }) {
    const versions = releases.map(({ version, isMalformed }) =>
      isMalformed
        ? `<version><text>${version}</text></version>`
        : `<version>${version.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</version>`,
    );
    const documents = new Map<string, Document>();
    documents.set('/m2/com/example/agent/maven-metadata.xml', {
      type: 'application/xml',
      body: mavenMetadata(packageName, versions.join('\n')),
    });
    for (const { version, at } of releases) {
      const headers: Record<string, string> =
        at === undefined ? {} : { 'last-modified': new Date(at).toUTCString() };
      documents.set(maven.lookUp!(version), {
        type: 'application/xml',
        body: '<project/>',
        headers,
      });
    }
    return documents;
  },
  lookUp: (version) => {
    const segment = encodeURIComponent(version);
    return `/m2/com/example/agent/${segment}/agent-${segment}.pom`;
  },
  bomb: {
    type: 'application/xml',
    body: `<!DOCTYPE metadata [<!ENTITY a "aaaaaaaaaa">${unfolding((name, of) => `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`)}]>
${mavenMetadata('agent', '<version>9.9&i;</version>')}`,
  },
};

function mavenMetadata(artifactId: string, versions: string): string {
  return `<metadata><groupId>com.example</groupId><artifactId>${artifactId}</artifactId>
<versioning><versions>${versions}</versions></versioning></metadata>`;
}
