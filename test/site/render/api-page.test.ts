import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/ask/server/api/endpoints.ts';
import { builtInPolicies } from '../../../src/io/files/policies.ts';
import { tools } from '../../../src/ask/server/mcp/tools.ts';
import { isForMachines, publishedPaths } from '../../../src/site/render/paths.ts';
import { schemaNames } from '../../../src/site/render/documents/json-schemas.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

describe('the page about the API', () => {
  let html: string;
  let out: string;

  beforeAll(() => {
    out = siteOfFixtureIndex('2026-11-20');
    html = readFileSync(join(out, 'api.html'), 'utf8');
  });

  /** The row of a table whose heading is this request. */
  function rowOf(request: string): string {
    const code = `<code>${request.replaceAll('{', '&lt;').replaceAll('}', '&gt;')}</code>`;
    const [row] = html
      .split('<tr')
      .filter((text) => text.includes(`${code}</th>`) || text.includes(`${code}</a></th>`));
    return row?.slice(0, row.indexOf('</tr>')) ?? '';
  }

  it('names every file that programs read, with its readers and its schema', () => {
    const files = publishedPaths.filter(
      (file) => isForMachines(file) && !file.path.includes('{part}'),
    );
    for (const { path, summary, readers, schema } of files) {
      const row = rowOf(path);
      expect(row).toContain(`<summary>${summary.replaceAll("'", '&#x27;')}`);
      expect(row).toContain(`For: ${readers}.`);
      if (schema !== undefined && schemaNames.includes(schema)) {
        expect(row).toContain(`href="schema/${schema}.json"`);
      }
    }
    // The index is neither private nor signed.
    for (const name of schemaNames) {
      const isPublished = name !== 'access' && name !== 'release-statement';
      expect(html.includes(`href="schema/${name}.json"`), name).toBe(isPublished);
    }
  });

  it('names every request with its parameters and answers, and an example', () => {
    for (const { method, path, parameters, answers, example } of endpoints) {
      const row = rowOf(`${method} ${path}`);
      for (const { name } of parameters) {
        expect(row).toContain(`<dt><code>${name}</code>`);
      }
      for (const status of Object.keys(answers).filter((each) => !['200', '400'].includes(each))) {
        expect(row).toContain(`<code>${status}</code>: `);
      }
      if (example !== undefined) {
        expect(row).toMatch(
          /<code>curl (?:-X POST )?&#x27;https:\/\/releases\.example\.com\/[^{}]+&#x27;<\/code>/,
        );
        expect(row).toMatch(/ data-answer="[^"{}]+" data-method="(?:GET|POST)"/);
      }
    }
  });

  it('begins with three requests about the component that has most to show, and their answers', () => {
    const commands = html.slice(
      html.indexOf('<h2 id="commands">'),
      html.indexOf('<h2 id="files">'),
    );

    expect(Array.from(commands.matchAll(/<code>([^<]*?)\s*<\/code>/g), ([, text]) => text)).toEqual(
      [
        'curl -f https://releases.example.com/latest/reporting-kit.txt',
        readFileSync(join(out, 'latest/reporting-kit.txt'), 'utf8').trim(),
        expect.stringContaining('/api/components/reporting-kit/releases/'),
        expect.stringMatching(/^Supported\n.* is supported until 2028-12-31\.\n/),
        expect.stringContaining('scan reporting-kit@'),
      ],
    );
  });

  it('tells agents how to connect and what to ask, and names the policies of every index', () => {
    expect(html).toContain(
      'claude mcp add --transport http releases https://releases.example.com/mcp',
    );
    expect(html).toContain('<code>npx release-index mcp</code>');
    for (const name of [...tools.map((tool) => tool.name), ...Object.keys(builtInPolicies)]) {
      expect(html).toContain(`<th scope="row"><code>${name}</code></th>`);
    }
  });

  it('loads one script of at most 12 kB, and has none of its own', () => {
    const scripts = Array.from(html.matchAll(/<script\b([^>]*)>([^<]*)/g), ([, head, text]) => [
      head,
      text,
    ]);

    expect(scripts).toEqual([[' src="assets/site.js" defer', '']]);
    expect(gzipSync(readFileSync(join(out, 'assets/site.js'))).length).toBeLessThan(12_000);
  });
});
