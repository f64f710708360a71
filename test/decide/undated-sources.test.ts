import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { findUndatedSources } from '../../src/decide/undated-sources.ts';

const seen = (version: string, firstSeen: string, more = {}): RecordedRelease => ({
  ...{ version, firstSeen, source: 'docker:svc', timestampKind: 'observed' },
  releaseTimestamp: firstSeen,
  ...more,
});
const [first, again, later] = [
  seen('1.0', '2026-05-01'),
  seen('1.1', '2026-05-01'),
  seen('1.2', '2026-06-01'),
];
const dated = seen('1.3', '2026-06-01', { timestampKind: 'published' });

test.each<[what: string, releases: RecordedRelease[], versions: string[][]]>([
  ['no release', [], []],
  [
    'releases that were only seen: those of its first answer',
    [later, first, again],
    [['1.0', '1.1']],
  ],
  ['a day of one release', [first, dated], []],
  ['no day at all', [{ version: '1.0', source: 'docker:svc', firstSeen: '2026-05-01' }], [['1.0']]],
  [
    'a day without that of its first answer',
    [seen('1.0', '2026-05-01', { firstSeen: undefined })],
    [['1.0']],
  ],
  [
    'one release that was seen, and one without any day',
    [first, { version: '1.1', source: 'docker:svc' }],
    [['1.0']],
  ],
  ['no day, nor one on which it was seen', [{ version: '1.0', source: 'docker:svc' }], []],
  ['two sources, of which one states days', [first, { ...dated, source: 'npm:svc' }], [['1.0']]],
  [
    'releases that two sources list',
    [{ ...first, alsoListedBy: ['docker:other'] }],
    [['1.0'], ['1.0']],
  ],
])('a source states no days where it has %s', (_, releases, versions) => {
  expect(findUndatedSources(releases, undefined).map((source) => source.versions)).toEqual(
    versions,
  );
});

test.each([
  [undefined, 1],
  [{ policy: 'none' } as const, 1],
  [{ policy: 'term', months: 18 } as const, 1],
  [{ policy: 'latest-lines', count: 2 } as const, 0],
  [{ policy: 'latest-lines', count: 2, months: 6 } as const, 1],
  [{ policy: 'ended' } as const, 0],
])('the policy %j needs days of %i source', (support, count) => {
  expect(findUndatedSources([first], support)).toHaveLength(count);
});

test('a source without days is named with what to do', () => {
  const source = 'page:https://example.com/releases';

  expect(findUndatedSources([{ ...first, source }], undefined)[0]!.message).toBe(
    'page states no release days: 1 release first seen on 2026-05-01 may be older, so a policy that counts months cannot tell when support ends. Add a stated policy, or days',
  );
});
