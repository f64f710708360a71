import { expect, test } from 'vitest';
import type { RecordedData } from '../../../../src/core/schemas/recorded/recorded.ts';
import {
  findAddedReleases,
  findChangedSources,
} from '../../../../src/record/gate/rules/changed-data.ts';

const x = 'npm:x';
const y = 'npm:y';
const file = 'data/svc.json';
const line = (name: string, source: string, phase = 'support') => ({
  line: name,
  source,
  phases: [{ name: phase }],
});
const advisory = (id: string, source: string, affected = '<2') => ({ id, source, affected });
const data: RecordedData = {
  releases: [{ version: '1.0', source: x }, { version: '1.1' }],
  lines: [line('1', x), line('1', y)],
  advisories: [advisory('CVE-1', x), advisory('CVE-1', y), advisory('CVE-2', y)],
};

test.each<[string, Partial<RecordedData>, string[]]>([
  ['nothing', {}, []],
  ['the order of releases', { releases: data.releases.toReversed() }, []],
  [
    'a release',
    { releases: [{ version: '1.0', source: x, deprecated: 'old' }, data.releases[1]!] },
    [x],
  ],
  ['a release that is gone', { releases: data.releases.slice(1) }, [x]],
  ['a release that is new', { releases: [...data.releases, { version: '1.2', source: y }] }, [y]],
  ['a release without a source', { releases: data.releases.slice(0, 1) }, [file]],
  ['a line of one of two sources', { lines: [line('1', x), line('1', y, 'security')] }, [y]],
  ['lines that are gone', { lines: undefined }, [x, y]],
  [
    'an advisory of one of two sources',
    { advisories: [advisory('CVE-1', x, '<3'), ...data.advisories!.slice(1)] },
    [x],
  ],
  ['another advisory', { advisories: [...data.advisories!, advisory('CVE-3', x)] }, [x]],
  [
    'what three state',
    { releases: [{ version: '1.0', source: y }], advisories: data.advisories!.slice(1) },
    [file, x, y],
  ],
])('names the sources whose data differs: %s', (_, change, sources) => {
  expect(findChangedSources(data, { ...data, ...change }, file)).toEqual(sources);
});

test('new releases are those whose version is not recorded', () => {
  const releases = [{ version: '0.9' }, { version: '1.0', deprecated: 'old' }, { version: '1.2' }];
  expect(findAddedReleases(data, { releases })).toEqual([{ version: '0.9' }, { version: '1.2' }]);
});
