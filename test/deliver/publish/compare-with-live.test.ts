import { describe, expect, test } from 'vitest';
import {
  breakingChanges,
  readPublishedIndex,
  type PublishedComponent,
  type PublishedIndex,
} from '../../../src/deliver/publish/live.ts';

const svc: PublishedComponent = {
  tags: { latest: '2026.2' },
  releases: [
    { version: '2026.1', releaseTimestamp: '2026-01-01T00:00:00Z', isDeprecated: false },
    { version: '2026.2', releaseTimestamp: '2026-02-01T00:00:00Z', isDeprecated: false },
  ],
};

describe('the latest release', () => {
  const message = (to: string) =>
    `the latest release of the live site is 2026.2; of this one, ${to}, although 2026.2 is not deprecated`;

  test.each([
    ['goes on', withLatest('2026.10'), []],
    ['goes back although it is not deprecated', withLatest('2026.1'), [message('2026.1')]],
    ['is gone although it is not deprecated', withLatest(undefined), [message('none')]],
    ['goes back because it is deprecated', withLatest('2026.1', true), []],
    ['is gone because it is deprecated', withLatest(undefined, true), []],
  ])('%s', (_, now, messages) => {
    const asOf = '2026-11-20';
    const breaking = breakingChanges({ asOf, index: index({ svc }) }, { asOf, index: index({ svc: now }) });

    expect(breaking.map(({ message }) => message)).toEqual(messages);
  });
});

describe('a breaking change', () => {
  const live = { asOf: '2026-11-20', digests: new Map<string, string>(), index: index({ svc }) };

  test('is not an addition', () => {
    const site = { asOf: '2026-11-20', index: index({ svc, other: svc }) };

    expect(breakingChanges(live, site)).toEqual([]);
  });

  test('is a component that is no longer there, by its own name alone', () => {
    const live = { asOf: '2026-11-20', index: index({ gone: svc, svc }) };

    expect(breakingChanges(live, { asOf: live.asOf, index: index({ svc, constructor: svc }) })).toEqual([
      { level: 'error', subject: 'gone', message: 'is live with 2 releases and not in the site' },
    ]);
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
