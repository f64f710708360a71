import { json, type ImitatedUpstream } from '../imitated-upstream.ts';

/** Each release is the latest of a cycle of its own. */
export const endoflifeDate: ImitatedUpstream = {
  name: 'endoflife-date',
  home: '/api/v1/products/',
  entry: 'object',
  statesLinks: true,
  namesPackage: true,
  source: (url) => ({
    datasource: 'endoflife-date',
    packageName: 'agent',
    registryUrl: `${url}api/`,
  }),
  documents(releases, { packageName = 'agent' }) {
    const cycles = releases.map(({ version, at, link, isMalformed }) => ({
      name: version,
      latest: { name: version, date: isMalformed ? 1 : (at ?? null), link: link ?? null },
    }));
    const result = { name: packageName, label: 'Agent', links: {}, releases: cycles };
    return new Map([['/api/v1/products/agent', json({ schema_version: '1.2.1', result })]]);
  },
};
