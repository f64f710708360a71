import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Handlebars from 'handlebars';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../../src/ask/server/api/router.ts';
import { tools } from '../../../../src/ask/server/mcp/tools.ts';
import { renderApiPage } from '../../../../src/site/render/html/api-page.ts';
import { describedPaths, type DescribedPath } from '../../../../src/site/render/paths.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { componentOf, site } from '../sites.ts';

describe('the page about the API', () => {
  let html: string;
  let out: string;

  beforeAll(() => {
    out = siteOfFixtureIndex('2026-11-20');
    html = readFileSync(join(out, 'api.html'), 'utf8');
  });

  const readIn = (path: string) => readFileSync(join(out, path), 'utf8').trim();

  /** The row of a table whose heading is this request. */
  function rowOf(request: string): string {
    const code = `<code>${request.replaceAll('{', '&lt;').replaceAll('}', '&gt;')}</code>`;
    const [row] = html
      .split('<tr')
      .filter((text) => text.includes(`${code}</th>`) || text.includes(`${code}</a></th>`));
    return row?.slice(0, row.indexOf('</tr>')) ?? '';
  }

  it('names every file that programs read, with its schema', () => {
    const files: readonly DescribedPath[] = describedPaths.filter(
      ({ path }) => !path.includes('{part}'),
    );
    for (const { path, summary, schema } of files) {
      const row = rowOf(path);
      expect(row).toContain(`<td>${Handlebars.escapeExpression(summary)}`);
      if (schema !== undefined) {
        expect(row).toContain(`href="schema/documents.json#/$defs/${schema}"`);
      }
    }
  });

  it('names every request that is offered and has answers, with its parameters, and links one', () => {
    const offered = endpoints.filter(
      ({ answers, path }) => !(501 in answers) && !path.startsWith('/build-export/v1/'),
    );
    for (const { name, method, path, parameters, summary, example } of offered) {
      const query = parameters.filter((parameter) => parameter.in === 'query');
      const names = query.map((parameter) => `${parameter.name}&#x3D;`).join('&amp;');
      const row = rowOf(`${method} ${path}${names === '' ? '' : `?${names}`}`);
      expect(row).toContain(`id="endpoint-${name}"`);
      expect(row).toContain(`<td>${Handlebars.escapeExpression(summary)}`);
      expect(/<td><a href="[^"{}]+"><code>/.test(row), name).toBe(
        method === 'GET' && example !== undefined,
      );
    }
  });

  it('begins with three requests about the component that has most to show, and their answers', () => {
    const commands = html.slice(
      html.indexOf('<h2 id="commands">'),
      html.indexOf('<h2 id="requests">'),
    );

    expect(Array.from(commands.matchAll(/<code>([^<]*?)\s*<\/code>/g), ([, text]) => text)).toEqual(
      [
        'curl -f https://releases.example.com/latest/reporting-kit.txt',
        readIn('latest/reporting-kit.txt'),
        expect.stringContaining('/api/components/reporting-kit/releases/'),
        expect.stringMatching(/^Supported\n.* is supported until 2028-12-31\.\n/),
        'curl -f https://releases.example.com/supported/reporting-kit.json',
        Handlebars.escapeExpression(readIn('supported/reporting-kit.json')),
      ],
    );
  });

  it('tells agents how to connect and what to ask', () => {
    expect(html).toContain('&quot;url&quot;: &quot;https://releases.example.com/mcp&quot;');
    for (const { name } of tools) {
      expect(rowOf(name)).toContain(`id="tool-${name}"`);
    }
  });

  it('loads one script of at most 12 kB, and has none of its own', () => {
    const scripts = Array.from(html.matchAll(/<script\b([^>]*)>([^<]*)/g), ([, head, text]) => [
      head,
      text,
    ]);

    expect(scripts).toEqual([[' src="assets/site.js" defer blocking="render"', '']]);
    expect(gzipSync(readFileSync(join(out, 'assets/site.js'))).length).toBeLessThan(12_000);
  });
});

it('the answer about a replaced component names the version to move to, as the request does', () => {
  const replacement = componentOf([{ version: '9.0' }], { title: 'Next' }, { name: 'next' });
  const about = { replacedBy: 'next', support: { policy: 'ended', until: '2026-09-01' } } as const;
  const sample = { ...componentOf([{ version: '1.0' }], about), replacement };

  expect(renderApiPage(site, { sample }, { component: 'svc', version: '1.0' })).toContain(
    'Move to Next 9.0 by 2026-09-01.',
  );
});
