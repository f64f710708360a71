import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { Definition } from '../../src/model/definition.ts';
import { Freshness } from '../../src/model/freshness.ts';
import { HttpsUrl, SiteUrl, UpstreamUrl } from '../../src/model/links.ts';
import { isPlainDefinition } from '../../src/model/plain/definition.ts';
import { isPlainFreshness } from '../../src/model/plain/freshness.ts';
import { readRecordedData, isPlainRelease } from '../../src/model/plain/recorded.ts';
import type { Rule } from '../../src/model/plain/rules.ts';
import { isPlainSiteConfig } from '../../src/model/plain/site-config.ts';
import { range } from '../../src/model/plain/source.ts';
import { isHttpsUrl, isSiteUrl, isUpstreamUrl } from '../../src/model/safe-url.ts';
import { SiteConfig } from '../../src/model/site-config.ts';
import { checkout } from '../harness/checkout.ts';
import { definitions, everyNeighbour, freshness, nearly, siteConfig } from './documents.ts';

interface Kind {
  isPlain: Rule;
  schema: z.ZodType;
  examples: readonly object[];
}

const kinds: [string, Kind][] = [
  ['a definition', { isPlain: isPlainDefinition, schema: Definition, examples: definitions }],
  ['a freshness file', { isPlain: isPlainFreshness, schema: Freshness, examples: [freshness] }],
  ['site.json', { isPlain: isPlainSiteConfig, schema: SiteConfig, examples: [siteConfig] }],
];

function expectUnchanged(schema: z.ZodType, input: unknown): void {
  const parsed = schema.safeParse(input);
  expect(parsed.error).toBeUndefined();
  expect(JSON.stringify(parsed.data)).toBe(JSON.stringify(input));
}

describe.each(kinds)('the quick look at %s', (_, { isPlain, schema, examples }) => {
  it('vouches for no document with one change that the schema would refuse, or read as another', () => {
    for (const input of examples.flatMap((example) => [...everyNeighbour(example)])) {
      if (isPlain(input)) expectUnchanged(schema, input);
    }
  });

  it('vouches only for what the schema leaves as it is, key by key', () => {
    let vouched = 0;
    let refused = 0;
    fc.assert(
      fc.property(nearly(...examples), (input) => {
        if (!isPlain(input)) {
          refused += 1;
          return;
        }
        vouched += 1;
        expectUnchanged(schema, input);
      }),
      { numRuns: 20_000 },
    );
    expect(vouched).toBeGreaterThan(2000);
    expect(refused).toBeGreaterThan(2000);
  });

  it.each(examples)('vouches for %j', (example) => {
    expect(isPlain(example)).toBe(true);
  });
});

describe('the documents of the project', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(checkout, path), 'utf8'));
  const filesOf = (folder: string) =>
    readdirSync(join(checkout, folder)).filter((name) => name.endsWith('.json'));

  it.each(filesOf('components'))('components/%s is plain', (file) => {
    expect(isPlainDefinition(read(`components/${file}`))).toBe(true);
  });

  it.each(filesOf('data'))('data/%s is plain, entry by entry', (file) => {
    const document = read(`data/${file}`) as { releases: unknown[] };

    expect(document.releases.filter((entry) => !isPlainRelease(entry))).toEqual([]);
    expect(readRecordedData(document)).toEqual(document);
  });

  it('site/site.json is plain', () => {
    expect(isPlainSiteConfig(read('site/site.json'))).toBe(true);
  });
});

it('two sources that are one and the same are left to the schema', () => {
  const [source, other] = [
    { datasource: 'npm', packageName: 'svc' },
    { datasource: 'npm', packageName: 'svc', registryUrl: 'https://npm.example.com/' },
  ];
  const [, definition] = definitions;

  expect(isPlainDefinition({ ...definition, sources: [source, other] })).toBe(true);
  expect(isPlainDefinition({ ...definition, sources: [source, other, { ...source }] })).toBe(false);
});

it('a range of versions is taken unasked only where semver takes it', () => {
  const number = fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 999_999_999 }));
  const comparison = fc
    .tuple(
      fc.constantFrom('', '<', '>', '<=', '>=', '=', '^', '~'),
      fc.array(number, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', '', '.x', '-rc'),
    )
    .map(([sign, numbers, end]) => `${sign}${numbers.join('.')}${end}`);
  const text = fc
    .tuple(fc.array(comparison, { minLength: 1, maxLength: 4 }), fc.constantFrom(' ', ' ', '  ', ' || '))
    .map(([parts, between]) => parts.join(between));
  let taken = 0;

  fc.assert(
    fc.property(text, (text) => {
      if (!range(text)) return;
      taken += 1;

      expect(semver.validRange(text, { loose: true })).not.toBeNull();
    }),
    { numRuns: 10_000 },
  );
  expect(taken).toBeGreaterThan(200);
});

it('an address is judged without the schemas as by them', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.constantFrom(
      'localhost',
      '127.0.0.1',
      '[::1]',
      'xn--a.com',
      'a-b.com',
      'a.b.1',
      '1.2.3',
      'a..b',
      'a.com.',
    ),
    fc.string({ unit: fc.constantFrom(...'abz019.-_%:@[]'), maxLength: 12 }),
    fc.integer({ min: 1, max: 300 }).map((length) => `${'a'.repeat(length)}.com`),
  );
  const rest = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'/az0.?#{}=&,~@-%:+ "\'\\\n<|^`ü'), maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constant(`/${'x'.repeat(1990)}`),
  );
  const url = fc
    .tuple(
      fc.constantFrom('https://', 'https://', 'http://', 'HTTPS://', 'https:/', 'https://a@'),
      host,
      rest,
    )
    .map((parts) => parts.join(''));

  fc.assert(
    fc.property(fc.oneof(url, fc.webUrl({ withFragments: true, withQueryParameters: true })), (text) => {
      const judged = [isHttpsUrl(text), isUpstreamUrl(text), isSiteUrl(text)];

      expect(judged).toEqual(
        [HttpsUrl, UpstreamUrl, SiteUrl].map((schema) => schema.safeParse(text).success),
      );
    }),
    { numRuns: 20_000 },
  );
});
