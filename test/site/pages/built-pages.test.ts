import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { buildSynthetic, type BuiltFolder } from './built-site.ts';
import { syntheticComponents, type SyntheticComponent } from './synthetic.ts';

const built: BuiltFolder[] = [];

function build(components: Record<string, SyntheticComponent>, day?: string): BuiltFolder {
  const site = buildSynthetic(components, day);
  built.push(site);
  return site;
}

afterAll(() => {
  for (const site of built) site.remove();
});

function pagesOf(site: BuiltFolder): Map<string, string> {
  const names = readdirSync(site.out).filter((name) => name.endsWith('.html'));
  return new Map(names.map((name) => [name, readFileSync(join(site.out, name), 'utf8')]));
}

describe('the pages from one day to the next', () => {
  it('stay the same, byte for byte, while no verdict changes', () => {
    const today = pagesOf(build(syntheticComponents(), '2026-11-20'));
    const later = pagesOf(build(syntheticComponents(), '2026-12-15'));

    expect([...today.keys()]).toEqual([...later.keys()]);
    for (const [name, html] of today) expect(later.get(name) === html, name).toBe(true);
  });

  it('change only where a verdict does', () => {
    const before = pagesOf(build(syntheticComponents(), '2026-12-23'));
    const after = pagesOf(build(syntheticComponents(), '2026-12-24'));
    const changed = [...after.keys()].filter((name) => before.get(name) !== after.get(name));

    expect(changed).toEqual(['mixed.html']);
    expect(after.get('mixed.html')).toContain('ends. Since <time datetime="2026-12-24">');
  });
});

describe('the tables of releases', () => {
  const pages = pagesOf(build(syntheticComponents()));
  const captions = (name: string) =>
    Array.from(
      pages.get(`${name}.html`)!.matchAll(/<caption>(\D[^<]*\d releases?, newest first)</g),
      (match) => match[1],
    );

  it('show the newest supported lines and keep the rest closed', () => {
    expect(captions('three-thousand')).toEqual([
      'Releases of listed lines: 40 releases, newest first',
      'Older releases of listed lines: 260 of 2,960 releases, newest first',
    ]);
    expect(captions('thousand')).toEqual([
      'Releases of supported lines: 40 releases, newest first',
      'Releases of unsupported lines: 260 of 960 releases, newest first',
    ]);
  });

  it('divide a line that is too long by itself', () => {
    expect(captions('one-line')).toEqual([
      'Releases of listed lines: 40 releases, newest first',
      'Older releases of listed lines: 80 releases, newest first',
    ]);
  });

  it('say that nothing is supported where nothing is', () => {
    expect(captions('ended')).toEqual(['Newest releases, all of them deprecated: 36 releases, newest first']);
    expect(pages.get('ended.html')).toContain(
      'Every release of it is deprecated: Support ends with 2026; move to the calm service.',
    );
    expect(captions('none')).toEqual([]);
  });
});

describe('the size of the index', () => {
  it('is at most 60 KB over the wire with 400 components, all parts together', () => {
    const { calm } = syntheticComponents();
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `component-${index}`,
        { ...calm!, releases: calm!.releases.slice(index % 40) },
      ]),
    );
    const { out } = build(many);
    const parts = ['index.html', 'assets/site.css', 'assets/site.js', 'assets/favicon.svg'];
    const sizes = parts.map((part) => gzipSync(readFileSync(join(out, part))).length);

    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });
});

describe('the page for what is missing', () => {
  it('leads to the top of a site that does not stand at the root of its host', () => {
    const site = buildSynthetic({}, undefined, 'https://example.com/releases');
    built.push(site);
    const links = Array.from(
      pagesOf(site)
        .get('404.html')!
        .matchAll(/(?:href|src)="([^"]*)"/g),
      (match) => match[1]!,
    );

    expect(links.filter((link) => !/^(?:\/releases\/|https:|#main)/.test(link))).toEqual([]);
    expect(links).toContain('/releases/assets/site.css');
  });
});
