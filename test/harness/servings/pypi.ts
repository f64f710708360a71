import { keyed, type Listed, type Serving } from '../serving.ts';

export const pypi: Serving = {
  name: 'pypi',
  home: '/pypi/example-agent/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'pypi', packageName: 'example-agent', registryUrl: `${url}pypi/` }),
  documents(releases, { packageName = 'Example.Agent' }) {
    const body = `{"info":${JSON.stringify({ name: packageName })},"releases":${keyed(releases, pypiFiles)}}`;
    return new Map([['/pypi/example-agent/json', { type: 'application/json', body }]]);
  },
};

function pypiFiles({ at, isMalformed }: Listed): unknown {
  if (isMalformed) return 'no list';
  return at === undefined ? [] : [{ upload_time_iso_8601: at, yanked: false, yanked_reason: null }];
}
