import { describe, expect, test } from 'vitest';
import {
  compareWithLive,
  readPublishedIndex,
  type PublishedComponent,
  type LiveIndex,
} from '../../../src/deliver/publish/live.ts';

function withVersions(...versions: string[]): PublishedComponent {
  return { releases: versions.map((version) => ({ version, isDeprecated: false })) };
}

function index(components: Record<string, PublishedComponent>): LiveIndex {
  return new Map(Object.entries(components));
}

const svc = withVersions('2026.1', '2026.2');
const many = withVersions(...Array.from({ length: 30 }, (_, index) => `1.${index}`));
const asOf = '2026-11-20';

test.each<[string, LiveIndex, LiveIndex, string[]]>([
  [
    'lacks a component',
    index({ gone: svc, svc }),
    index({ svc, constructor: svc }),
    ['error gone: is live with 2 releases and not in the site'],
  ],
  [
    'lacks versions',
    index({ many }),
    index({ many: withVersions() }),
    ['error many: 1.0, 1.1, 1.2, 1.3, 1.4 and 25 more: live and not in the site'],
  ],
])('a publication that %s', (_what, live, site, problems) => {
  const findings = compareWithLive(
    { kind: 'site', site: { asOf, digests: new Map(), index: live } },
    { asOf, index: site },
    { address: 'https://releases.example.org', isDecided: () => false },
  );

  // The last finding names the remedy.
  const reported = findings.slice(0, -1);
  expect(reported.map(({ level, subject, message }) => `${level} ${subject}: ${message}`)).toEqual(problems);
});

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
