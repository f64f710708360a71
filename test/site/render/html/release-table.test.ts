import { expect, it } from 'vitest';
import { renderReleaseTable } from '../../../../src/site/render/html/release-table.ts';

const deprecatedFor = (version: string, url: string) => ({
  ...({ version, state: 'deprecated', timestampKind: undefined, security: '' } as const),
  ...{ isDeprecated: true, isPrerelease: false },
  reasons: [{ rule: 'definition', text: 'Broken.', url }] as const,
});

it('a reason is not repeated below its like, but is where its link is another one', () => {
  const releases = [
    deprecatedFor('3.0', 'https://example.com/new'),
    deprecatedFor('2.0', 'https://example.com/new'),
    deprecatedFor('1.0', 'https://example.com/old'),
  ];

  const { markup } = renderReleaseTable('Releases', releases, '2026-11-22');

  const links = Array.from(markup.matchAll(/<tr id="(.+?)".*?<\/tr>/g), ([row, id]) => [
    id,
    /href="(.+?)"/.exec(row)?.[1],
  ]);
  expect(links).toEqual([
    ['v3.0', 'https://example.com/new'],
    ['v2.0', undefined],
    ['v1.0', 'https://example.com/old'],
  ]);
});
