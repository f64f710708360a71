import { json, type ImitatedUpstream } from '../imitated-upstream.ts';
import type { Document } from '../upstream.ts';

const folder = '/example.com/!agent/@v';

export const go: ImitatedUpstream = {
  name: 'go',
  home: `${folder}/`,
  entry: 'text',
  source: (url) => ({
    datasource: 'go',
    packageName: 'example.com/Agent',
    registryUrl: url,
    extractVersion: '^v(?<version>.+)$',
  }),
  documents(releases) {
    const lines = releases.map(
      ({ version, isMalformed }) => `${isMalformed ? '<' : ''}v${version}\n`,
    );
    const documents = new Map<string, Document>([
      [`${folder}/list`, { type: 'text/plain; charset=UTF-8', body: lines.join('') }],
    ]);
    for (const { version, at } of releases) {
      documents.set(go.lookUp!(version), json({ Version: `v${version}`, Time: at }));
      const body = 'module example.com/Agent\n\ngo 1.24\n';
      documents.set(`${folder}/v${version}.mod`, { type: 'text/plain; charset=UTF-8', body });
    }
    return documents;
  },
  lookUp: (version) => `${folder}/v${encodeURIComponent(version)}.info`,
};
