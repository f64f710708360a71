import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { attestationsPath } from '../../../src/site/render/paths.ts';
import { jsonSchemaOf } from '../../../src/site/render/json-schemas.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-file.ts';
import { readJsonIn } from '../../harness/root.ts';
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
    document = readJsonIn(out, 'openapi.json');
  });

  it('is valid OpenAPI 3.1', async () => {
    covers(9, 225);
    const validator = new Validator();
    const result = await validator.validate({ ...structuredClone(document) });

    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('names every file that programs read, each with a tag and an id', () => {
    const patterns = Object.keys(document.paths).map(
      (path) =>
        new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    const files = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.name !== '_headers' && !entry.name.endsWith('.html'),
      )
      .filter(({ parentPath }) => !parentPath.startsWith(join(out, 'assets')))
      .map(
        (entry) => `${join(entry.parentPath, entry.name).slice(out.length).replaceAll('\\', '/')}`,
      );

    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(Object.keys(document.paths).filter((path) => /\.html$|assets/.test(path))).toEqual([]);
    const groups = document.tags.map(({ name }) => name);
    const operations = Object.values(document.paths).map(({ get, post }) => (get ?? post)!);
    for (const { tags } of operations) {
      expect(groups).toContain(tags[0]);
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('has real examples that are valid by their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    let examples = 0;
    for (const [path, { get }] of Object.entries(document.paths)) {
      const media = get?.responses[200].content['application/json'];
      const name = media?.schema.$ref?.replace('#/components/schemas/', '');
      // Signing makes the statements after the build.
      if (media?.example === undefined || name === undefined || path === `/${attestationsPath}`) {
        continue;
      }
      examples += 1;
      const validate = ajv.compile(jsonSchemaOf(name as 'component'));
      expect(validate(media.example), `${path}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }

    expect(examples).toBe(15);
    const { example } =
      document.paths['/{component}.json']!.get!.responses[200].content['application/json']!;
    const { releases } = readJsonIn<ReleaseFile>(out, 'build-agent.json');
    expect(example).toMatchObject({ releases: releases.slice(-2) });
  });

  it('names the address that the site was built for', async () => {
    covers(2);
    const elsewhere = await buildOddSite('2026-06-30', 'http://127.0.0.1:8787/index');

    expect(readJsonIn<OpenApi>(elsewhere, 'openapi.json').servers).toEqual([
      { url: 'http://127.0.0.1:8787/index' },
    ]);
  });
});
