import { describe, expect, test } from 'vitest';
import {
  compareWithLive,
  readPublishedIndex,
  type PublishedComponent,
  type PublishedIndex,
} from '../../../src/deliver/publish/live.ts';

const svc = withVersions('2026.1', '2026.2');
const asOf = '2026-11-20';

describe('a publication', () => {
  const refused = (live: PublishedIndex, site: PublishedIndex) =>
    compareWithLive(
      { kind: 'site', site: { asOf, digests: new Map(), index: live } },
      { asOf, index: site },
      { address: 'https://releases.example.org', isDecided: () => false },
    )
      .slice(0, -1)
      .map(({ level, subject, message }) => `${level} ${subject}: ${message}`);

  test('may add', () => {
    expect(refused(index({ svc }), index({ svc, other: svc }))).toEqual([]);
  });

  test('is refused where a component is no longer there, by its own name alone', () => {
    expect(refused(index({ gone: svc, svc }), index({ svc, constructor: svc }))).toEqual([
      'error gone: is live with 2 releases and not in the site',
    ]);
  });

  test('is refused where versions are no longer there, and names a few of them', () => {
    const many = withVersions(...Array.from({ length: 30 }, (_, index) => `1.${index}`));

    expect(refused(index({ many }), index({ many: withVersions() }))).toEqual([
      'error many: 1.0, 1.1, 1.2, 1.3, 1.4 and 25 more: live and not in the site',
    ]);
  });
});

function withVersions(...versions: string[]): PublishedComponent {
  return { releases: versions.map((version) => ({ version, isDeprecated: false })) };
}

function index(components: Record<string, PublishedComponent>): PublishedIndex {
  return new Map(Object.entries(components));
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
