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

  it('name every path, who reads it, and every field of every document', () => {
    for (const { path, readers, schema } of publishedPaths) {
      expect(html).toContain(
        `<code>${path.replaceAll('{', '&lt;').replaceAll('}', '&gt;')}</code>`,
      );
      expect(html).toContain(`<td>${readers}</td>`);
      if (schema === undefined) {
        continue;
      }
      for (const field of fieldsOf(jsonSchemaOf(schema))) {
        expect(html).toContain(`<th scope="row"><code>${field.path}</code></th>`);
      }
    }
    for (const name of schemaNames) {
      expect(html).toContain(`href="schema/${name}.json"`);
    }
  });

  it('name every endpoint with its parameters and answers, and an example', () => {
    for (const endpoint of endpoints) {
      const { name, method, path, parameters, answers } = endpoint;
      const from = html.indexOf(`<h3 id="endpoint-${name}">`);
      const section = html.slice(from, html.indexOf('</section>', from));
      expect(section).toContain(
        `<code>${method} ${path.replaceAll('{', '&lt;').replaceAll('}', '&gt;')}</code>`,
      );
      for (const parameter of parameters) {
        expect(section).toContain(`<dt><code>${parameter.name}</code>`);
      }
      for (const status of Object.keys(answers)) {
        expect(section).toContain(`<li><code>${status}</code>`);
      }
      if (endpoint.example !== undefined) {
        expect(section).toMatch(
          /<code>curl (?:-X POST )?&#x27;https:\/\/releases\.example\.com\/[^{}]+&#x27;<\/code>/,
        );
      }
    }
  });

  it('begin with three requests, and the answers of this index', () => {
    const commands = html.slice(
      html.indexOf('<h2 id="commands">'),
      html.indexOf('<h2 id="endpoints">'),
    );

    expect(Array.from(commands.matchAll(/<code>([^<]*?)\s*<\/code>/g), ([, text]) => text)).toEqual(
      [
        'curl -f https://releases.example.com/latest/build-agent.txt',
        readFileSync(join(out, 'latest/build-agent.txt'), 'utf8').trim(),
        expect.stringContaining('/api/components/build-agent/releases/'),
        expect.stringMatching(/^No promise\n.*Build agent.*\nIt is the latest version\.$/),
        expect.stringContaining('scan build-agent@'),
      ],
    );
  });

  it('tell agents how to connect and what to ask, and name the policies of every index', () => {
    expect(html).toContain(
      'claude mcp add --transport http releases https://releases.example.com/mcp',
    );
    expect(html).toContain('<code>npx release-index mcp</code>');
    for (const name of [...tools.map((tool) => tool.name), ...Object.keys(builtInPolicies)]) {
      expect(html).toContain(`<th scope="row"><code>${name}</code></th>`);
    }
  });

  it('show a real example of each document', () => {
    const { releases } = JSON.parse(readFileSync(join(out, 'build-agent.json'), 'utf8')) as {
      releases: { version: string }[];
    };

    expect(html).toContain(`&quot;version&quot;: &quot;${releases.at(-1)!.version}&quot;`);
    expect(html.match(/<summary>Example of /g)).toHaveLength(
      // This index states nothing about what works together.
      publishedPaths.filter(
        ({ path, schema }) =>
          schema && path !== attestationsPath && !path.startsWith('renovate/with/'),
      ).length,
    );
  });

  it('show an example where the newest two releases are of one line', () => {
    const releases = ['1.0', '1.1', '1.1.1'].map((version, index) => ({
      version,
      releaseTimestamp: `2026-0${index + 1}-01`,
    }));
    const built = siteOf(rootOf({ svc: { definition: definition(), releases } }), '2026-11-20');

    expect(readFileSync(join(built, 'api-files.html'), 'utf8')).toContain('&quot;1.1.1&quot;');
  });
});

it('the fields of a schema have paths and types in words', () => {
  const fields = fieldsOf(jsonSchemaOf('status')).map(
    ({ path, type, isRequired }) => `${path}: ${type}${isRequired ? ', required' : ''}`,
  );

  expect(fields.slice(0, 5)).toEqual([
    'asOf: string, required',
    'staleAfterDays: integer',
    'inputs: string, required',
    'components: object of objects by name, required',
    'components.*.title: string',
  ]);
  expect(fields).toContain('components.*.troubles: array of objects');
  expect(fields).toContain('components.*.troubles[].source: string, required');
});
