// The pages and component files of an index by Eleventy: reads the same input, and writes a page and a JSON file for each
// component and both indexes. It orders nothing and decides nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.env.BENCH_ROOT;

export default function configure(eleventy) {
  eleventy.setQuietMode(true);
  eleventy.addGlobalData('components', () =>
    readdirSync(join(root, 'components')).map((file) => {
      const definition = JSON.parse(readFileSync(join(root, 'components', file), 'utf8'));
      const { releases } = JSON.parse(readFileSync(join(root, 'data', file), 'utf8'));
      return { ...definition, name: file.slice(0, -'.json'.length), releases };
    }),
  );
  eleventy.addFilter('releaseFile', ({ homepage, changelogUrl, releases }) =>
    JSON.stringify(
      {
        homepage,
        changelogUrl,
        releases: releases.map(({ version, releaseTimestamp }) => ({
          version,
          releaseTimestamp: `${releaseTimestamp}T00:00:00Z`,
          isDeprecated: false,
        })),
      },
      undefined,
      2,
    ),
  );
  eleventy.addFilter('namesOf', (components) => JSON.stringify(components.map(({ name }) => name)));
  return { dir: { input: '.', output: process.env.BENCH_OUT } };
}
