import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('the lists of lines', () => {
  const pages = pagesOf(build(syntheticComponents()));
  const summaryOf = (name: string) => /<p class="s">(\d[^<.]*)\. Open/.exec(pages.get(`${name}.html`)!)?.[1];

  it('say how many lines are supported and how many are not', () => {
    expect(['calm', 'thousand', 'ended', 'none'].map(summaryOf)).toEqual([
      '6 supported lines, 18 ended',
      '4 supported lines, 96 ended',
      '18 deprecated lines',
      undefined,
    ]);
  });

  it('have no open line and no invented version where nothing is to be used', () => {
    const page = pages.get('ended.html')!;

    expect(page).toContain('<p class="state">No version to use</p>');
    expect(page).toContain('Support ends with 2026; move to the calm service.');
    expect(page.match(/<pre /g)).toHaveLength(1);
    expect(page).not.toMatch(/_VERSION|type="radio"/);
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
