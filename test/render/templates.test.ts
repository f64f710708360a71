import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import type { SiteTheme } from '../../src/render/site-context.ts';
import { renderTemplate } from '../../src/render/html/templates.ts';
import { openCodeCache } from '../../src/store/code-cache.ts';

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

describe('compiled templates', () => {
  const page = {
    page: '{{#> layout}}<p>{{title}}</p>{{/layout}}',
    layout: '<main>{{> @partial-block}}</main>',
  };
  const html = '<main><p>A &amp; B</p></main>';
  const view = { title: 'A & B' };
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'release-index-test-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** As another run would see it. */
  function keptTheme(templates: Record<string, string>): SiteTheme {
    return { ...themeOf(templates), codeCache: openCodeCache(folder) };
  }

  function keptFiles(): string[] {
    return readdirSync(folder).map((name) => join(folder, name));
  }

  /** What a run says of a template, without a cache, with an empty one, and with what that left. */
  function refusals(templates: Record<string, string>): string[] {
    return [themeOf(templates), keptTheme(templates), keptTheme(templates)].map((theme) => {
      try {
        return renderTemplate(theme, 'page', view);
      } catch (error) {
        return String(error);
      }
    });
  }

  it('are kept for the next run, and give the same page', () => {
    expect(renderTemplate(keptTheme(page), 'page', view)).toBe(html);
    expect(keptFiles()).toHaveLength(1);

    const { codeCache } = keptTheme(page);
    const rewritten: string[] = [];
    const watched = { recall: codeCache!.recall, keep: (_: string, code: string) => rewritten.push(code) };

    expect(renderTemplate({ ...themeOf(page), codeCache: watched }, 'page', view)).toBe(html);
    expect(rewritten).toEqual([]);
  });

  it('are made anew where a template was changed', () => {
    renderTemplate(keptTheme(page), 'page', view);

    expect(renderTemplate(keptTheme({ ...page, page: '{{title}}!' }), 'page', view)).toBe('A &amp; B!');
    expect(keptFiles()).toHaveLength(2);
  });

  it.each([
    ['was cut short', (file: string) => truncateSync(file, 200)],
    ['is empty', (file: string) => truncateSync(file)],
    [
      'was altered',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('main', 'mean')),
    ],
    ['cannot be read', (file: string) => (rmSync(file), mkdirSync(file))],
  ])('are made anew where the file %s', (_what, damage) => {
    renderTemplate(keptTheme(page), 'page', view);
    keptFiles().forEach(damage);

    expect(renderTemplate(keptTheme(page), 'page', view)).toBe(html);
    expect(renderTemplate(keptTheme(page), 'page', view)).toBe(html);
  });

  it('are not taken from a file of another name', () => {
    renderTemplate(keptTheme(page), 'page', view);
    const [other] = keptFiles();
    const changed = { ...page, page: '{{title}}!' };
    renderTemplate(keptTheme(changed), 'page', view);
    const last = keptFiles().find((file) => file !== other)!;
    writeFileSync(last, readFileSync(other!));

    expect(renderTemplate(keptTheme(changed), 'page', view)).toBe('A &amp; B!');
  });

  it('need no folder that can be written', () => {
    // A file in its place, for nothing is forbidden to an administrator.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');

    expect(renderTemplate(keptTheme(page), 'page', view)).toBe(html);
    expect(readFileSync(folder, 'utf8')).toBe('');
  });

  it('go when nobody has written them for a month', () => {
    renderTemplate(keptTheme(page), 'page', view);
    const [old] = keptFiles();
    const longAgo = Date.now() / 1000 - 31 * 86_400;
    utimesSync(old!, longAgo, longAgo);

    renderTemplate(keptTheme({ page: 'new' }), 'page', view);

    expect(keptFiles()).toHaveLength(1);
    expect(keptFiles()).not.toContain(old);
  });

  it.each([
    ['<p>{{#if title}}</p>', 'Parse error on line 1'],
    ['{{{{raw}}}}x', 'Lexical error on line 1. Unrecognized text'],
    ['{{#if title}}{{/with}}', "if doesn't match with - 1:3"],
    ['{{shout title}}', 'You specified knownHelpersOnly, but used the unknown helper shout - 1:0'],
    ['{{titel}}', '"titel" not defined - 1:2'],
    ['{{> footer}}', 'The partial footer could not be found'],
  ])('tell what is wrong with "%s", kept or not', (text, what) => {
    const told = refusals({ page: text });

    expect(told[0]).toContain(
      `TemplateError: site/templates/page.hbs, or a template it uses: ${what}. Compare it`,
    );
    expect(new Set(told).size).toBe(1);
  });

  it('may be broken where nobody uses them', () => {
    expect(refusals({ ...page, draft: '{{#if' })).toEqual([html, html, html]);
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
