import { digestOf, unfolding, type ImitatedUpstream } from '../imitated-upstream.ts';

export const helm: ImitatedUpstream = {
  name: 'helm',
  home: '/charts/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'helm', packageName: 'agent', registryUrl: `${url}charts/` }),
  documents(releases, { packageName = 'agent' }) {
    const entries = releases.map((release) => {
      const { version, at, isMalformed } = release;
      const digest = digestOf(release);
      const created = isMalformed ? '[no, date]' : (at ?? '""');
      return `  - name: ${packageName}\n    version: ${JSON.stringify(version)}\n    created: ${created}\n${digest === undefined ? '' : `    digest: ${digest}\n`}`;
    });
    const list = entries.length === 0 ? ' []\n' : `\n${entries.join('')}`;
    const body = `apiVersion: v1\nentries:\n  ${packageName}:${list}generated: 2026-01-01T00:00:00Z\n`;
    return new Map([['/charts/index.yaml', { type: 'text/yaml', body }]]);
  },
  digests: (release) => ({ [release.version]: `sha256:${digestOf(release)}` }),
  bomb: {
    type: 'text/yaml',
    body: `x: &a [x, x]\n${unfolding((name, of) => `${name}: &${name} [${Array(10).fill(`*${of}`).join(', ')}]\n`)}entries:\n  agent: *i\n`,
  },
};
