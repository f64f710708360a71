/** Lets an index read the releases of another index, and compares the ways through required stops in both indexes. */
import { expect, test } from 'vitest';
import { addDays, today } from '../../../src/core/day.ts';
import type { Component } from '../../../src/core/schema/published.ts';
import type { RecordedRelease } from '../../../src/core/schema/recorded.ts';
import { buildFolder, writeIndex, type Facts } from '../../harness/components.ts';
import { openIndex } from '../../harness/index-folder.ts';
import { release } from '../../harness/judging.ts';
import { serveSite } from '../../harness/serve-site.ts';

const now = today();
const versions = '17.1.8 17.2.9 17.3.0 17.3.6 17.3.7 17.4.1 17.5.4 17.5.5 18.0.1 18.1.0'.split(' ');
const list = (more: Readonly<Record<string, Partial<RecordedRelease>>> = {}) =>
  versions.map((version, place) =>
    release(version, addDays(now, -400 + 20 * place), more[version]),
  );
// All lines but the newest have ended, so the stops are deprecated.
const support = { policy: 'latest-lines', count: 1 };
const stopsAt = (lines: string | string[]) => ({ support, requiredStops: { lines } });
const components: Record<string, Facts> = {
  named: { definition: stopsAt(['17.3', '17.5']), releases: list() },
  numbered: { definition: stopsAt(['17.3.6', '17.5']), releases: list() },
  each: { definition: stopsAt('*'), releases: list() },
  yanked: {
    definition: stopsAt(['17.3']),
    releases: list({ '17.3.7': { deprecated: 'Broken.' } }),
  },
  marked: {
    definition: { support },
    releases: list({ '17.3.6': { isStop: true }, '17.5.4': { isStop: true } }),
  },
};

test.each(Object.keys(components))(
  'an index that reads another index has the same ways through the stops: %s',
  async (name) => {
    const first = writeIndex({ [name]: components[name]! });
    buildFolder(first, now);
    const site = await serveSite(`${first}/dist`);
    const source = { datasource: 'json', url: `${site.url}${name}.json` };
    const second = openIndex(
      writeIndex({ [name]: { definition: { support, sources: [source] } } }),
    );
    for (const verb of ['gather', 'build']) {
      expect(await second.run(verb, '--as-of', now)).toMatchObject({ status: 0 });
    }

    const [ways, others] = [openIndex(first), second].map(({ read }) => {
      const { releases } = JSON.parse(read(`dist/details/${name}.json`)) as Component;
      return releases.map(({ version, through }) => [version, through]);
    });
    expect(others).toEqual(ways);
    expect(ways!.some(([, through]) => through)).toBe(true);
  },
);
