/**
 * Builds a small index of the components in the lists of `test/fixtures/lists`. Each component has one ended version and one supported
 * version.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTable } from '../../src/core/table.ts';
import { buildFolder, writeIndex, type Facts } from './components.ts';
import { program } from './example.ts';

function define(datasource: string, packageName: string, ended: string, latest: string): Facts {
  const source =
    datasource === 'static' ? { datasource, releases: [] } : { datasource, packageName };
  return {
    definition: { sources: [source], support: { policy: 'latest-lines', count: 1 } },
    releases: { [ended]: '2023-01-01', [latest]: '2026-01-01' },
  };
}

const listedIndex = writeIndex(
  {
    express: define('npm', 'express', '4.18.2', '5.3.0'),
    nginx: define('static', '', '1.24.0', '1.30.0'),
    worker: define('docker', 'team/worker', '3.1', '4.0'),
    skiff: define('github-releases', 'HarborWorks/skiff', 'v0.9.4', 'v1.2.0'),
    rails: define('rubygems', 'rails', '6.1.7', '8.0.0'),
    setuptools: define('pypi', 'setuptools', '65.5.0', '84.0.0'),
    serde: define('crate', 'serde_json', '0.9.0', '1.0.100'),
    core: define('maven', 'org.example:core', '1.0.0', '3.0.0'),
    nodejs: define('static', '', '18.1.0', '24.1.0'),
  },
  { staleAfterDays: 1_000_000 },
);

/** The folder of the built site. */
export const listedSite = join(listedIndex, 'dist');
buildFolder(listedIndex, '2026-11-27');

export const listsFolder = join(program, 'test/fixtures/lists');

/** Each list with the exit status of its scan, and with how many entries the scan judges: `2 of 3 entries judged`. */
export const cases = readTable(readFileSync(join(listsFolder, 'table.csv'), 'utf8'), ',').rows.map(
  ({ cells: [file = '', status, judged, total] }) => ({
    file,
    status: Number(status),
    counts: total === '0' ? 'No entry was judged' : `${judged} of ${total} entries judged`,
  }),
);

/**
 * Returns the summary line that `scan` printed, or an empty string. Removes the date and the number of failed entries, because the summary
 * of pages and of the tool check_versions has neither.
 */
export function readSummary(printed: string): string {
  const [, summary = ''] = /^On 2026-11-27: (.+)$/m.exec(printed) ?? [];
  return summary.replace(/(?<= judged), \d+ failed(?=\.)/, '');
}
