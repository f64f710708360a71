import { keyed, type Serving } from '../serving.ts';

export const npm: Serving = {
  name: 'npm',
  home: '/npm/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'npm', packageName: '@example/agent', registryUrl: `${url}npm/` }),
  documents(releases, { packageName = '@example/agent' }) {
    const versions = keyed(releases, ({ isMalformed }) =>
      isMalformed ? 'no object' : { name: packageName },
    );
    const dated = releases.filter(({ at }) => at !== undefined);
    const time = keyed([{ version: 'created', at: '2024-01-01T00:00:00.000Z' }, ...dated], ({ at }) => at);
    const body = `{"name":${JSON.stringify(packageName)},"versions":${versions},"time":${time}}`;
    return new Map([['/npm/@example%2fagent', { type: 'application/json', body }]]);
  },
};
