import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/ask/api/endpoints.ts';
import { builtInPolicies } from '../../../src/io/files/policies.ts';
import { tools } from '../../../src/ask/mcp/tools.ts';
import { attestationsPath, publishedPaths } from '../../../src/site/render/paths.ts';
import { fieldsOf, jsonSchemaOf, schemaNames } from '../../../src/site/render/json-schemas.ts';
import { definition } from '../../harness/root.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../../harness/site.ts';

const pages = ['api', 'api-files', 'api-stream', 'api-agents'];

describe('the pages about the API', () => {
  let html: string;
  let out: string;

  beforeAll(() => {
    out = siteOfFixtureIndex('2026-11-20');
    html = pages.map((name) => readFileSync(join(out, `${name}.html`), 'utf8')).join('');
  });

  it('names every path, who reads it, and every field of every document', () => {
    for (const { path, readers, schema } of publishedPaths) {
      expect(html).toContain(`<code>${path.replaceAll('{', '&lt;').replaceAll('}', '&gt;')}</code>`);
      expect(html).toContain(`<td>${readers}</td>`);
      if (schema === undefined) continue;
      for (const field of fieldsOf(jsonSchemaOf(schema))) {
        expect(html).toContain(`<th scope="row"><code>${field.path}</code></th>`);
      }
    }
    for (const name of schemaNames) expect(html).toContain(`href="schema/${name}.json"`);
  });

  it('names every endpoint with its parameters and answers, and an example that can be run', () => {
    for (const endpoint of endpoints) {
      const { name, method, path, parameters, answers } = endpoint;
      const from = html.indexOf(`<h3 id="endpoint-${name}">`);
      const section = html.slice(from, html.indexOf('</section>', from));
      expect(section).toContain(
        `<code>${method} ${path.replaceAll('{', '&lt;').replaceAll('}', '&gt;')}</code>`,
      );
      for (const parameter of parameters) expect(section).toContain(`<dt><code>${parameter.name}</code>`);
      for (const status of Object.keys(answers)) expect(section).toContain(`<li><code>${status}</code>`);
      if ('example' in endpoint)
        expect(section).toMatch(
          /<code>curl (?:-X POST )?&#x27;https:\/\/releases\.example\.com\/[^{}]+&#x27;<\/code>/,
        );
    }
  });

  it('begin with three requests in a line each, and answers of this index', () => {
    const commands = html.slice(html.indexOf('<h2 id="commands">'), html.indexOf('<h2 id="endpoints">'));

    expect(Array.from(commands.matchAll(/<code>([^<]*?)\s*<\/code>/g), ([, text]) => text)).toEqual([
      'curl -f https://releases.example.com/latest/build-agent.txt',
      readFileSync(join(out, 'latest/build-agent.txt'), 'utf8').trim(),
      expect.stringContaining('/api/components/build-agent/releases/'),
      expect.stringMatching(/^No promise\n.*Build agent.*\nIt is the latest version\.$/),
      expect.stringContaining('scan build-agent@'),
    ]);
  });

  it('tells how clients of agents are connected, and what they may ask', () => {
    expect(html).toContain('claude mcp add --transport http releases https://releases.example.com/mcp');
    expect(html).toContain('&quot;url&quot;: &quot;https://releases.example.com/mcp&quot;');
    expect(html).toContain('<code>npx release-index mcp</code>');
    for (const { name } of tools) expect(html).toContain(`<th scope="row"><code>${name}</code></th>`);
  });

  it('tells which policies every index has, and how they are asked', () => {
    expect(html).toContain('<code>npx release-index scan bom.json --index https://releases.example.com');
    for (const name of Object.keys(builtInPolicies))
      expect(html).toContain(`<tr><th scope="row"><code>${name}</code></th>`);
  });

  it.each(pages)('%s lists its parts', (name) => {
    const page = readFileSync(join(out, `${name}.html`), 'utf8');
    const contents = page.slice(page.indexOf('<nav aria-label="On this page">'));
    const listed = Array.from(
      contents.slice(0, contents.indexOf('</nav>')).matchAll(/href="#([^"]+)"/g),
      ([, id]) => id,
    );
    const parts = Array.from(page.matchAll(/<h[23] id="([^"]+)"/g), ([, id]) => id);

    expect(parts).toEqual(expect.arrayContaining(listed));
    expect(listed.length).toBeGreaterThan(1);
  });

  it('shows a real example of each document', () => {
    const { releases } = JSON.parse(readFileSync(join(out, 'build-agent.json'), 'utf8')) as {
      releases: { version: string }[];
    };

    expect(html).toContain(`&quot;version&quot;: &quot;${releases.at(-1)!.version}&quot;`);
    expect(html.match(/<summary>Example of /g)).toHaveLength(
      // This index states nothing about what works together.
      publishedPaths.filter(
        ({ path, schema }) => schema && path !== attestationsPath && !path.startsWith('renovate/with/'),
      ).length,
    );
  });

  it('shows examples where the newest two releases are of one line', () => {
    const releases = ['1.0', '1.1', '1.1.1'].map((version, index) => ({
      version,
      releaseTimestamp: `2026-0${index + 1}-01`,
    }));
    const built = siteOf(rootOf({ svc: { definition: definition(), releases } }), '2026-11-20');

    expect(readFileSync(join(built, 'api-files.html'), 'utf8')).toContain('&quot;1.1.1&quot;');
  });

  it('holds the configuration of Renovate', () => {
    expect(html).toMatch(/<pre[^>]*><code>[^<]*https:\/\/releases\.example\.com\/renovate\.json/);
  });
});

describe('fields of a schema', () => {
  it('are told as a person reads them', () => {
    const fields = fieldsOf(jsonSchemaOf('status')).map(({ path, type, isRequired }) => ({
      path,
      type,
      isRequired,
    }));

    expect(fields.slice(0, 5)).toEqual([
      { path: 'asOf', type: 'string', isRequired: true },
      { path: 'staleAfterDays', type: 'integer', isRequired: false },
      { path: 'inputs', type: 'string', isRequired: true },
      { path: 'components', type: 'object of objects by name', isRequired: true },
      { path: 'components.*.title', type: 'string', isRequired: false },
    ]);
    expect(fields).toContainEqual({
      path: 'components.*.troubles',
      type: 'array of objects',
      isRequired: false,
    });
    expect(fields).toContainEqual({
      path: 'components.*.troubles[].source',
      type: 'string',
      isRequired: true,
    });
  });
});
