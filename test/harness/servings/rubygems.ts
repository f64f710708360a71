import { json, type Serving } from '../serving.ts';

export const rubygems: Serving = {
  name: 'rubygems',
  home: '/api/v1/versions/',
  entry: 'object',
  source: (url) => ({ datasource: 'rubygems', packageName: 'agent', registryUrl: url }),
  documents(releases) {
    const gems = releases.map(({ version, at, isMalformed }) =>
      isMalformed ? { number: version, created_at: 1 } : { number: version, created_at: at },
    );
    return new Map([['/api/v1/versions/agent.json', json(gems)]]);
  },
};
