import type { Serving } from '../serving.ts';

export const crate: Serving = {
  name: 'crate',
  home: '/index/ex/am/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'crate', packageName: 'Example_Agent', registryUrl: `${url}index/` }),
  documents(releases, { packageName = 'Example_Agent' }) {
    const lines = releases.map(({ version, at, isMalformed }) =>
      JSON.stringify({
        name: packageName,
        vers: version,
        yanked: isMalformed ? 'no' : false,
        ...(at !== undefined && { pubtime: at }),
      }),
    );
    const body = `${lines.join('\n')}\n`;
    return new Map([['/index/ex/am/example_agent', { type: 'text/plain', body }]]);
  },
};
