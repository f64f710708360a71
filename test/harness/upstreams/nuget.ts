import { json, type ImitatedUpstream } from '../imitated-upstream.ts';

export const nuget: ImitatedUpstream = {
  name: 'nuget',
  home: '/v3/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({
    datasource: 'nuget',
    packageName: 'Example.Agent',
    registryUrl: `${url}v3/index.json`,
  }),
  documents(releases, { url, packageName = 'Example.Agent' }) {
    const leaves = releases.map(({ version, at, isMalformed }) => ({
      catalogEntry: { id: packageName, version, listed: isMalformed ? 'no' : true, published: at },
    }));
    return new Map([
      [
        '/v3/index.json',
        json({
          version: '3.0.0',
          resources: [{ '@id': `${url}v3/registration/`, '@type': 'RegistrationsBaseUrl/3.6.0' }],
        }),
      ],
      ['/v3/registration/example.agent/index.json', json({ count: 1, items: [{ items: leaves }] })],
    ]);
  },
};
