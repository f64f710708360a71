import { describe, expect, test } from 'vitest';
import {
  compareIndexes,
  type PublishedComponent,
  type PublishedIndex,
} from '../../../src/deliver/publish/index-difference.ts';
import { breakingChanges } from '../../../src/deliver/publish/compare-with-live.ts';
import { readPublishedIndex } from '../../../src/deliver/publish/live.ts';

const svc: PublishedComponent = {
  tags: { latest: '2026.2' },
  releases: [
    { version: '2026.1', releaseTimestamp: '2026-01-01T00:00:00Z', isDeprecated: false },
    { version: '2026.2', releaseTimestamp: '2026-02-01T00:00:00Z', isDeprecated: false },
  ],
};

describe('two states of an index', () => {
  test('that are the same differ in nothing', () => {
    expect(compareIndexes(index({ svc }), index({ svc }))).toEqual([]);
  });

  test('differ in what is new, gone, deprecated, supported again and corrected', () => {
    const now: PublishedComponent = {
      tags: { latest: '2026.3' },
      releases: [
        { version: '2026.2', releaseTimestamp: '2026-02-02T00:00:00Z', isDeprecated: true },
        { version: '2026.3', isDeprecated: false },
      ],
    };

    const nothing = {
      added: [],
      removed: [],
      deprecated: [],
      supportedAgain: [],
      redated: [],
      relinked: [],
    };
    expect(compareIndexes(index({ svc }), index({ svc: now }))).toEqual([
      {
        component: 'svc',
        kind: 'changed',
        ...nothing,
        added: ['2026.3'],
        removed: ['2026.1'],
        deprecated: ['2026.2'],
        redated: ['2026.2'],
        latest: { from: '2026.2', to: '2026.3' },
      },
    ]);
    expect(compareIndexes(index({ svc: now }), index({ svc }))[0]!.supportedAgain).toEqual(['2026.2']);
  });

  test('differ in components, told by name', () => {
    const differences = compareIndexes(
      index({ svc, gone: svc }),
      index({ svc, 'a-new-one': svc, constructor: svc }),
    );

    expect(differences.map(({ component, kind }) => [component, kind])).toEqual([
      ['a-new-one', 'added'],
      ['constructor', 'added'],
      ['gone', 'removed'],
    ]);
  });
});

describe('the latest release', () => {
  test.each([
    ['goes on', withLatest('2026.10'), undefined],
    ['goes back although it is not deprecated', withLatest('2026.1'), true],
    ['is gone although it is not deprecated', withLatest(undefined), true],
    ['goes back because it is deprecated', withLatest('2026.1', true), undefined],
    ['is gone because it is deprecated', withLatest(undefined, true), undefined],
  ])('%s', (_, now, isWrong) => {
    expect(compareIndexes(index({ svc }), index({ svc: now }))[0]!.isLatestWrong).toBe(isWrong);
  });
});

describe('a breaking change', () => {
  const live = { asOf: '2026-11-20', digests: new Map<string, string>(), index: index({ svc }) };

  test('is not an addition', () => {
    const site = { asOf: '2026-11-20', index: index({ svc, other: svc }) };

    expect(breakingChanges(live, site)).toEqual([]);
  });

  test('names a few of many versions', () => {
    const versions = Array.from({ length: 30 }, (_, index) => `1.${index}`);
    const many = { releases: versions.map((version) => ({ version, isDeprecated: false })) };

    const breaking = breakingChanges(
      { ...live, index: index({ many }) },
      { asOf: '2026-11-20', index: index({ many: { releases: [] } }) },
    );

    expect(breaking.map(({ message }) => message)).toEqual([
      '1.0, 1.1, 1.2, 1.3, 1.4 and 25 more: live and not in the site',
    ]);
  });
});

function index(components: Record<string, PublishedComponent>): PublishedIndex {
  return new Map(Object.entries(components));
}

function withLatest(latest: string | undefined, isDeprecated = false): PublishedComponent {
  return {
    ...(latest !== undefined && { tags: { latest } }),
    releases: [...svc.releases.slice(0, 1), { version: '2026.2', isDeprecated }],
  };
}

describe('the components of a site', () => {
  const documents: Record<string, object> = {
    'all.json': { components: {}, parts: ['all/1.json', 'all/2.json'] },
    'all/1.json': { components: { cli: { releases: [{ version: '1.0', isDeprecated: false }] } } },
    'all/2.json': { components: { svc: { releases: [] } } },
  };

  test('are those of all parts, where all.json lists parts', async () => {
    const read = await readPublishedIndex((path, schema) => schema.parse(documents[path]));

    expect(read).toEqual(
      index({ cli: { releases: [{ version: '1.0', isDeprecated: false }] }, svc: { releases: [] } }),
    );
  });

  test('are not taken for fewer where a part is missing', async () => {
    const read = readPublishedIndex((path, schema) =>
      schema.parse(path === 'all/2.json' ? undefined : documents[path]),
    );

    await expect(read).rejects.toThrow();
  });
});
