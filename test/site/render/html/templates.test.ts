import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkout } from '../../../harness/checkout.ts';
import type { SiteTheme } from '../../../../src/site/render/site-context.ts';
import { renderTemplate, renderText } from '../../../../src/site/render/html/templates.ts';

function themeOf(
  templates: Record<string, string>,
  snippets: Record<string, string> = {},
): SiteTheme {
  return {
    templates: new Map(Object.entries(templates)),
    snippets: new Map(Object.entries(snippets)),
    assets: new Map(),
  };
}

describe('a template', () => {
  it('escapes every text, in tags and attributes', () => {
    const theme = themeOf({ page: '<p title="{{text}}">{{text}}</p>' });

    expect(renderTemplate(theme, 'page', { text: `<b a='1' b="2">&amp;` })).toBe(
      '<p title="&lt;b a&#x3D;&#x27;1&#x27; b&#x3D;&quot;2&quot;&gt;&amp;amp;">&lt;b a&#x3D;&#x27;1&#x27; b&#x3D;&quot;2&quot;&gt;&amp;amp;</p>',
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

describe('a snippet', () => {
  it('is a plain text, in which nothing is escaped', () => {
    const theme = themeOf({}, { greeting: '{{text}} \\{{text}}\n' });

    expect(renderText(theme, 'greeting', { text: `<a & 'b'>` })).toBe(`<a & 'b'> {{text}}\n`);
  });

  it('that is missing is rejected with its path', () => {
    expect(() => renderText(themeOf({}), 'greeting', {})).toThrow(
      'site/snippets/greeting.hbs: no such template',
    );
  });
});

describe('a broken template', () => {
  const view = { title: 'A & B' };

  it.each([
    ['<p>{{#if title}}</p>', 'Parse error on line 1'],
    ['{{{{raw}}}}x', 'Lexical error on line 1. Unrecognized text'],
    ['{{#if title}}{{/with}}', "if doesn't match with - 1:3"],
    ['{{shout title}}', 'You specified knownHelpersOnly, but used the unknown helper shout - 1:0'],
    ['{{titel}}', '"titel" not defined - 1:2'],
    ['{{withDays titel}}', 'withDays expected the field of a view, got one that does not exist'],
    ['{{> footer}}', 'The partial footer could not be found'],
  ])('is rejected with the reason: %s', (text, what) => {
    expect(() => renderTemplate(themeOf({ page: text }), 'page', view)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        message: expect.stringContaining(
          `site/templates/page.hbs: this or a template it uses: ${what}. Compare it with the one`,
        ) as string,
      }),
    );
  });

  it('keeps the error of a helper that cannot draw a value, which may be a bug of the program', () => {
    const render = () => renderTemplate(themeOf({ page: '{{drawTrack title}}' }), 'page', view);

    expect(render).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('if they are the same, the program has a bug') as string,
        cause: expect.any(TypeError) as TypeError,
      }),
    );
  });

  it('is no problem while nothing uses it', () => {
    expect(renderTemplate(themeOf({ page: '{{title}}', draft: '{{#if' }), 'page', view)).toBe(
      'A &amp; B',
    );
  });
});

it('no template of the site prints a value without escaping it', () => {
  const folder = join(checkout, 'site', 'templates');
  const unescaped = readdirSync(folder).filter((name) =>
    /\{\{[{&]/.test(readFileSync(join(folder, name), 'utf8')),
  );

  expect(unescaped).toEqual([]);
});
