import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { attestationsPath } from '../../../src/site/render/paths.ts';
import { jsonSchemaOf } from '../../../src/site/render/json-schemas.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { buildOddSite } from './sites.ts';
import { covers } from '../../harness/covers.ts';

interface MediaType {
  schema: { $ref?: string };
  example?: unknown;
}

interface Operation {
  operationId: string;
  tags: string[];
  responses: { 200: { content: Record<string, MediaType> } };
}

interface OpenApi {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { schemas: Record<string, object> };
}

describe('openapi.json', () => {
  let out: string;
  let document: OpenApi;

  beforeAll(() => {
    out = siteOfFixtureIndex('2026-11-20');
    document = JSON.parse(readFileSync(join(out, 'openapi.json'), 'utf8')) as OpenApi;
  });

  it('is valid OpenAPI 3.1', async () => {
    covers(9, 225);
    const validator = new Validator();
    const result = await validator.validate({ ...structuredClone(document) });

    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('names every file that programs read, each in a group', () => {
    const patterns = Object.keys(document.paths).map(
      (path) => new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    const files = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '_headers' && !entry.name.endsWith('.html'))
      .filter(({ parentPath }) => !parentPath.startsWith(join(out, 'assets')))
      .map((entry) => `${join(entry.parentPath, entry.name).slice(out.length).replaceAll('\\', '/')}`);

    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(Object.keys(document.paths).filter((path) => /\.html$|assets/.test(path))).toEqual([]);
    const groups = document.tags.map(({ name }) => name);
    for (const { get, post } of Object.values(document.paths))
      expect(groups).toContain((get ?? post)!.tags[0]);
  });

  it('has real examples that hold by their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    let examples = 0;
    for (const [path, { get }] of Object.entries(document.paths)) {
      const media = get?.responses[200].content['application/json'];
      const name = media?.schema.$ref?.replace('#/components/schemas/', '');
      // No build makes statements: there is none to show.
      if (media?.example === undefined || name === undefined || path === `/${attestationsPath}`) continue;
      examples += 1;
      const validate = ajv.compile(jsonSchemaOf(name as 'component'));
      expect(validate(media.example), `${path}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }

    expect(examples).toBe(16);
    const { example } = document.paths['/{component}.json']!.get!.responses[200].content['application/json']!;
    const { releases } = example as { releases: unknown[] };
    expect(releases).toHaveLength(2);
    const real = JSON.parse(readFileSync(join(out, 'build-agent.json'), 'utf8')) as {
      releases: unknown[];
    };
    expect(releases).toEqual(real.releases.slice(-2));
  });

  it('gives each operation an id of its own', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names the address that the site was built for', async () => {
    covers(2);
    const elsewhere = await buildOddSite('2026-06-30', 'http://127.0.0.1:8787/index');
    const { servers } = JSON.parse(readFileSync(join(elsewhere, 'openapi.json'), 'utf8')) as OpenApi;

    expect(servers).toEqual([{ url: 'http://127.0.0.1:8787/index' }]);
  });
});
