import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import { renderRobots, renderSitemap } from '../../../src/site/render/site-files.ts';
import { componentOf, site, summariesOf } from './sites.ts';

it('robots.txt allows everything, and names the sitemap', () => {
  expect(renderRobots(site)).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://releases.example.com/sitemap.xml\n',
  );
});

it('sitemap.xml lists every page once', () => {
  const summaries = summariesOf(
    componentOf([], {}, { name: 'a' }),
    componentOf([], {}, { name: 'b' }),
  );
  const text = renderSitemap({ ...site, baseUrl: 'https://example.com/a&b' }, summaries);

  expect(XMLValidator.validate(text)).toBe(true);
  const { urlset } = new XMLParser().parse(text) as { urlset: { url: { loc: string }[] } };
  const pages = ['use', 'api', 'mine', 'changes', 'status'];
  const paths = [...pages, 'a', 'b'].map((name) => `${name}.html`);
  expect(urlset.url).toEqual(
    ['', ...paths].map((path) => ({ loc: `https://example.com/a&b/${path}` })),
  );
});
