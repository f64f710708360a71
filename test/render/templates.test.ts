import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import type { SiteTheme } from '../../src/model/component.ts';
import { renderTemplate } from '../../src/render/html/templates.ts';

function themeOf(templates: Record<string, string>): SiteTheme {
  return { templates: new Map(Object.entries(templates)), assets: new Map() };
}

describe('a template', () => {
  it('escapes every text, in tags and attributes', () => {
    const theme = themeOf({ page: '<p title="{{text}}">{{text}}</p>' });

    expect(renderTemplate(theme, 'page', { text: `<b a='1' b="2">&amp;` })).toBe(
      '<p title="&lt;b a&#x3D;&#x27;1&#x27; b&#x3D;&quot;2&quot;&gt;&amp;amp;">&lt;b a&#x3D;&#x27;1&#x27; b&#x3D;&quot;2&quot;&gt;&amp;amp;</p>',
    );
  });

  it('fails on a field that the view does not have, and names it', () => {
    const theme = themeOf({ page: '<p>{{titel}}</p>' });

    expect(() => renderTemplate(theme, 'page', { title: 'Server' })).toThrow('"titel" not defined');
  });

  it('fails by its file name where it is missing', () => {
    expect(() => renderTemplate(themeOf({}), 'component', {})).toThrow(
      'site/templates/component.hbs: no such template',
    );
  });

  it('uses others, and keeps the lines of a text as they are', () => {
    const theme = themeOf({
      page: '{{#> layout}}\n<pre>{{text}}</pre>\n{{/layout}}\n',
      layout: '<main>\n  {{> @partial-block}}\n</main>\n',
    });

    expect(renderTemplate(theme, 'page', { text: 'a\n  b' })).toContain('<pre>a\n  b</pre>');
  });
});

describe('the templates of the site', () => {
  const folder = join(checkout, 'site', 'templates');
  const templates = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
  );

  it.each(templates)('%s lets nothing through unescaped, and has nothing inline', (_name, text) => {
    expect(text).not.toMatch(/\{\{\{|\{\{&/);
    expect(text).not.toMatch(/\sstyle=|<style|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)/);
  });
});
