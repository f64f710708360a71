import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { readJsonIn } from '../../../harness/root.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { renderOpenApi } from '../../../../src/site/render/documents/openapi.ts';
import { buildOddSite, site } from '../sites.ts';
import { checkout } from '../../../harness/checkout.ts';
import { covers } from '../../../harness/covers.ts';

interface Operation {
  operationId: string;
  tags: string[];
}

interface OpenApi {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  webhooks?: object;
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
    covers(
      'A REST API (JSON, described by an OpenAPI document) for build data, configuration and creation of tokens',
      'The OpenAPI document is published per server version',
      'Each site has one, of the version that it was built with.',
    );
    const validator = new Validator();
    const result = await validator.validate({ ...structuredClone(document) });

    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.info.version).toBe(
      readJsonIn<{ version: string }>(checkout, 'package.json').version,
    );
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

  it('has no operation that takes a build, and announces no request of its own', () => {
    covers(
      'Left out: nobody sends builds of others to a release index. Its own runs are its builds, and everything that is said of builds holds for them: 16 to 27, 89 to 112.',
      'Left out: nobody can publish builds (4).',
      'Configuration is left out of REST: it is files under review, so that each change has an author and a reviewer.',
      'Left out: the sentence describes the material, and the index posts nothing.',
    );
    const changing = Object.entries(document.paths).filter(
      ([, operations]) => Object.keys(operations).join() !== 'get',
    );

    expect(changing.map(([path]) => path.replace('{namespace}/', ''))).toEqual([
      ...Array(2).fill('/packages/{type}/{name}/{version}/policy-scans/{policy}'),
      ...Array(2).fill('/packages/{type}/{name}/{version}/attestations'),
      '/mcp',
    ]);
    expect(document.webhooks).toBeUndefined();
    expect(JSON.stringify(document)).not.toContain('"callbacks"');
  });

  it('ends the description of the index with a full stop before its own sentences', () => {
    const config = { ...site.config, description: 'Releases of our products' };
    const { info } = JSON.parse(renderOpenApi({ ...site, config }, {})) as OpenApi;

    expect(info.description).toMatch(/^Releases of our products\. Static files/);
  });

  it('names the address that the site was built for', async () => {
    covers('base_url, provenance_url and releases_url are addresses');
    const elsewhere = await buildOddSite('2026-06-30', 'http://127.0.0.1:8787/index');

    expect(readJsonIn<OpenApi>(elsewhere, 'openapi.json').servers).toEqual([
      { url: 'http://127.0.0.1:8787/index' },
    ]);
  });
});
