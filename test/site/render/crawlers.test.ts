import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import { renderRobots, renderSitemap } from '../../../src/site/render/crawlers.ts';
import { componentOf, site, summariesOf } from './sites.ts';

it('robots.txt lets crawlers read everything and tells them where the pages are', () => {
  expect(renderRobots(site)).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://releases.example.com/sitemap.xml\n',
  );
});

it('robots.txt lists every page once, without a day that would move', () => {
  const summaries = summariesOf(componentOf([], {}, { name: 'a' }), componentOf([], {}, { name: 'b' }));
  const text = renderSitemap({ ...site, baseUrl: 'https://example.com/a&b' }, summaries);

  expect(XMLValidator.validate(text)).toBe(true);
  const { urlset } = new XMLParser().parse(text) as { urlset: { url: { loc: string }[] } };
  expect(urlset.url).toEqual([
    { loc: 'https://example.com/a&b/' },
    { loc: 'https://example.com/a&b/api.html' },
    { loc: 'https://example.com/a&b/api-files.html' },
    { loc: 'https://example.com/a&b/api-stream.html' },
    { loc: 'https://example.com/a&b/api-agents.html' },
    { loc: 'https://example.com/a&b/timeline.html' },
    { loc: 'https://example.com/a&b/mine.html' },
    { loc: 'https://example.com/a&b/changes.html' },
    { loc: 'https://example.com/a&b/status.html' },
    { loc: 'https://example.com/a&b/pipelines.html' },
    { loc: 'https://example.com/a&b/verify.html' },
    { loc: 'https://example.com/a&b/a.html' },
    { loc: 'https://example.com/a&b/b.html' },
  ]);
});
