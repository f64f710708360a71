import { digestOf, type Listed, type ImitatedUpstream } from '../imitated-upstream.ts';

export const pypi: ImitatedUpstream = {
  name: 'pypi',
  home: '/simple/example-agent/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({
    datasource: 'pypi',
    packageName: 'example-agent',
    registryUrl: `${url}simple/`,
  }),
  documents(releases, { packageName = 'Example.Agent' }) {
    const versions = releases.map(({ version }) => version);
    const project = { meta: { 'api-version': '1.4' }, name: packageName, versions };
    const files = releases.map((release) => ({
      filename: fileOf(release),
      hashes: { sha256: digestOf(release) },
      'upload-time': release.isMalformed ? 1 : (release.at ?? null),
      yanked: false,
    }));
    const body = JSON.stringify({ ...project, files });
    return new Map([
      [`/simple/example-agent/`, { type: 'application/vnd.pypi.simple.v1+json', body }],
    ]);
  },
  digests: (release) => ({ [fileOf(release)]: `sha256:${digestOf(release)}` }),
};

function fileOf({ version }: Listed): string {
  // A version in the name of a wheel is normalized, so that it has no hyphen (PEP 440, PEP 427).
  return `example_agent-${version.replaceAll(/[^\w.]/g, (mark) => (mark === '-' ? '' : '_'))}-py3-none-any.whl`;
}
