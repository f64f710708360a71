import { digestOf, keyed, type Listed, type ImitatedUpstream } from '../imitated-upstream.ts';

export const npm: ImitatedUpstream = {
  name: 'npm',
  home: '/npm/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({
    datasource: 'npm',
    packageName: '@example/agent',
    registryUrl: `${url}npm/`,
  }),
  documents(releases, { packageName = '@example/agent' }) {
    const versions = keyed(releases, ({ isMalformed, ...release }) =>
      isMalformed ? 'no object' : { name: packageName, dist: dist(release) },
    );
    const dated = releases.filter(({ at }) => at !== undefined);
    const time = keyed(
      [{ version: 'created', at: '2024-01-01T00:00:00.000Z' }, ...dated],
      ({ at }) => at,
    );
    const body = `{"name":${JSON.stringify(packageName)},"versions":${versions},"time":${time}}`;
    return new Map([['/npm/@example%2fagent', { type: 'application/json', body }]]);
  },
  digests: (release) => ({
    [`@example/agent@${release.version}`]: `sha512:${digestOf(release, 'sha512')}`,
  }),
};

function dist(release: Listed): object {
  const sha512 = digestOf(release, 'sha512');
  if (sha512 === undefined) {
    return {};
  }
  return {
    integrity: `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`,
    shasum: digestOf(release, 'sha1'),
  };
}
