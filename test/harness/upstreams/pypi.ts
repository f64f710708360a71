import { digestOf, keyed, type Listed, type ImitatedUpstream } from '../imitated-upstream.ts';

const digests: ImitatedUpstream['digests'] = (release) => ({
  [fileOf(release)]: `sha256:${digestOf(release)}`,
});

export const pypi: ImitatedUpstream = {
  name: 'pypi',
  home: '/simple/example-agent/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'pypi', packageName: 'example-agent', registryUrl: `${url}simple/` }),
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
    return new Map([[`/simple/example-agent/`, { type: 'application/vnd.pypi.simple.v1+json', body }]]);
  },
  digests,
};

/** A registry that has no Index API. */
export const pypiDocument: ImitatedUpstream = {
  name: 'pypi, older document',
  home: '/(?:simple|pypi)/example-agent/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'pypi', packageName: 'example-agent', registryUrl: `${url}pypi/` }),
  documents(releases, { packageName = 'Example.Agent' }) {
    const body = `{"info":${JSON.stringify({ name: packageName })},"releases":${keyed(releases, pypiFiles)}}`;
    return new Map([['/pypi/example-agent/json', { type: 'application/json', body }]]);
  },
  digests,
};

function pypiFiles(release: Listed): unknown {
  const { at, isMalformed } = release;
  if (isMalformed) return 'no list';
  const file = { filename: fileOf(release), digests: { md5: '0', sha256: digestOf(release) } };
  return [{ ...file, upload_time_iso_8601: at ?? null, yanked: false, yanked_reason: null }];
}

function fileOf({ version }: Listed): string {
  // A version in the name of a wheel is normalized, so that it has no hyphen (PEP 440, PEP 427).
  return `example_agent-${version.replaceAll(/[^\w.]/g, (mark) => (mark === '-' ? '' : '_'))}-py3-none-any.whl`;
}
