import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/render/documented-fields.ts';
import { attestationsPath, publishedPaths } from '../../src/render/paths.ts';
import { jsonSchemaOf, schemaNames } from '../../src/render/json-schemas.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
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

  it('keeps hostile text of a definition as text', () => {
    const odd = readFileSync(join(buildOddSite(), 'api.html'), 'utf8');

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

    expect(fields.slice(0, 4)).toEqual([
      { path: 'asOf', type: 'string', isRequired: true },
      { path: 'inputs', type: 'string', isRequired: true },
      { path: 'components', type: 'object of objects by name', isRequired: true },
      { path: 'components.*.state', type: '"live" or "stale" or "held" or "static"', isRequired: true },
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
