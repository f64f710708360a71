import { digestOf, keyed, type Listed, type ImitatedUpstream } from '../imitated-upstream.ts';

export const pypi: ImitatedUpstream = {
  name: 'pypi',
  home: '/pypi/example-agent/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'pypi', packageName: 'example-agent', registryUrl: `${url}pypi/` }),
  documents(releases, { packageName = 'Example.Agent' }) {
    const body = `{"info":${JSON.stringify({ name: packageName })},"releases":${keyed(releases, pypiFiles)}}`;
    return new Map([['/pypi/example-agent/json', { type: 'application/json', body }]]);
  },
  digests: (release) => ({ [fileOf(release)]: `sha256:${digestOf(release)}` }),
};

function pypiFiles(release: Listed): unknown {
  const { at, isMalformed } = release;
  if (isMalformed) return 'no list';
  const file = { filename: fileOf(release), digests: { md5: '0', sha256: digestOf(release) } };
  return [{ ...file, upload_time_iso_8601: at ?? null, yanked: false, yanked_reason: null }];
}

function fileOf({ version }: Listed): string {
  return `example_agent-${version.replaceAll(/[^\w.-]/g, '_')}-py3-none-any.whl`;
}
