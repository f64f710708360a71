import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/ask/api/endpoints.ts';
import { builtInPolicies } from '../../../src/core/schemas/named-policy.ts';
import { tools } from '../../../src/ask/mcp/tools.ts';
import { fieldsOf } from '../../../src/site/render/documented-fields.ts';
import { attestationsPath, publishedPaths } from '../../../src/site/render/paths.ts';
import { jsonSchemaOf, schemaNames } from '../../../src/site/render/json-schemas.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { buildOddSite } from './sites.ts';

describe('API page', () => {
  let html: string;
  let out: string;

  beforeAll(() => {
    out = siteOfFixtureIndex('2026-11-20');
    html = readFileSync(join(out, 'api.html'), 'utf8');
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
      for (const parameter of parameters)
        expect(section).toContain(`<th scope="row"><code>${parameter.name}</code></th>`);
      for (const status of Object.keys(answers)) expect(section).toContain(`<li><code>${status}</code>`);
      if ('example' in endpoint)
        expect(section).toMatch(
          /<code>curl (?:-X POST )?&#x27;https:\/\/releases\.example\.com\/[^{}]+&#x27;<\/code>/,
        );
    }
  });

  it('says what a stream of changes does not send', () => {
    expect(html).toContain('A client that resumes with a later <code>id</code> does not receive them.');
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

  it('lists its parts', () => {
    const contents = html.slice(html.indexOf('<nav aria-label="On this page">'));
    const listed = Array.from(
      contents.slice(0, contents.indexOf('</nav>')).matchAll(/href="#([^"]+)"/g),
      ([, id]) => id,
    );

    expect(listed).toEqual(Array.from(html.matchAll(/<h2 id="([^"]+)"/g), ([, id]) => id));
  });

  it('shows a real example of each document', () => {
    const { releases } = JSON.parse(readFileSync(join(out, 'build-agent.json'), 'utf8')) as {
      releases: { version: string }[];
    };

    expect(html).toContain(`&quot;version&quot;: &quot;${releases.at(-1)!.version}&quot;`);
    expect(html.match(/<summary>Example of /g)).toHaveLength(
      publishedPaths.filter(({ path, schema }) => schema && path !== attestationsPath).length,
    );
  });

  it('holds the configuration of Renovate', () => {
    expect(html).toMatch(/<pre[^>]*><code>[^<]*https:\/\/releases\.example\.com\/renovate\.json/);
  });

  it('keeps hostile text of a definition as text', async () => {
    const odd = readFileSync(join(await buildOddSite(), 'api.html'), 'utf8');

    expect(odd).not.toContain('<script>alert');
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
