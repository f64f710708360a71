import { digestOf, type ImitatedUpstream } from '../imitated-upstream.ts';

export const crate: ImitatedUpstream = {
  name: 'crate',
  home: '/index/ex/am/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({
    datasource: 'crate',
    packageName: 'Example_Agent',
    registryUrl: `${url}index/`,
  }),
  documents(releases, { packageName = 'Example_Agent' }) {
    const lines = releases.map(({ version, at, isMalformed, ...release }) =>
      JSON.stringify({
        name: packageName,
        vers: version,
        cksum: digestOf({ version, ...release }),
        yanked: isMalformed ? 'no' : false,
        ...(at !== undefined && { pubtime: at }),
      }),
    );
    const body = `${lines.join('\n')}\n`;
    return new Map([['/index/ex/am/example_agent', { type: 'text/plain', body }]]);
  },
  digests: (release) => ({ [release.version]: `sha256:${digestOf(release)}` }),
};
