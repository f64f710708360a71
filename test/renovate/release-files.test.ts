import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detailsOn } from '../../src/ask/details-on.ts';
import { toDay } from '../../src/core/dates.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import { fixtureIndex } from '../harness/checkout.ts';
import { addProducts } from '../harness/endoflife-products.ts';
import { importRenovate } from './install.ts';
import { buildAndServe, type ReleaseFile, type ServedSite } from './site.ts';
import { covers } from '../harness/covers.ts';

interface Parsed {
  homepage: string;
  changelogUrl: string;
  sourceUrl?: string;
  tags?: Record<string, string>;
  releases: { version: string; releaseTimestamp?: string; isDeprecated?: boolean; isStable?: boolean }[];
}

interface Schema {
  parse(document: unknown): Parsed;
}

let served: ServedSite;
let schema: Schema;

beforeAll(async () => {
  served = await buildAndServe();
  const module = await importRenovate<{ ReleaseResultZod: Schema }>('modules/datasource/custom/schema.js');
  schema = module.ReleaseResultZod;
});

afterAll(() => served?.close());

test("Renovate's own schema reads every field of every release file", () => {
  covers(84);
  for (const [component, file] of served.components) {
    const parsed = schema.parse(file);

    expect(understood(parsed), component).toEqual(published(file));
  }
});

test.each([
  ['of the fixtures', () => Promise.resolve(fixtureIndex)],
  ['whose phases are stated', indexOfProducts],
])(
  "Renovate's own datasource for endoflife.date calls deprecated what is out of support in an index %s",
  async (_, rootOf) => {
    const today = await buildAndServe(await rootOf(), toDay(new Date()));
    const { init } = await importRenovate<{ init(): Promise<void> }>('logger/index.js');
    await init();
    const { getPkgReleases } = await importRenovate<{
      getPkgReleases(config: object): Promise<{ releases: Parsed['releases'] } | null>;
    }>('modules/datasource/index.js');

    let ended = 0;
    for (const component of today.components.keys()) {
      const text = readFileSync(join(today.dir, `details/${component}.json`), 'utf8');
      const { lines } = detailsOn(JSON.parse(text) as DetailsFile, toDay(new Date()));
      const registryUrls = [`${today.origin}/endoflife/api`];
      const lookUp = {
        datasource: 'endoflife-date',
        packageName: component,
        registryUrls,
        versioning: 'loose',
      };
      const found = (await getPkgReleases(lookUp))?.releases ?? [];

      const cycles = readFileSync(join(today.dir, `endoflife/api/${component}.json`), 'utf8');
      const latestOf = new Map(
        (JSON.parse(cycles) as { cycle: string; latest: string }[]).map(({ cycle, latest }) => [
          cycle,
          latest,
        ]),
      );
      const expected = lines.map(({ line, isSupported }) => [latestOf.get(line), isSupported === false]);
      expect(
        found.map(({ version, isDeprecated = false }) => [version, isDeprecated]).sort(),
        component,
      ).toEqual(expected.sort());
      ended += found.filter(({ isDeprecated }) => isDeprecated).length;
    }
    expect(ended).toBeGreaterThan(5);
    await today.close();
  },
);

async function indexOfProducts(): Promise<string> {
  const { root, upstream } = await addProducts(toDay(new Date()));
  await upstream.close();
  return root;
}

test("Renovate's own schema would refuse a null", () => {
  const file: ReleaseFile = {
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/',
    releases: [{ version: '1.0', isDeprecated: false }],
  };

  expect(() => schema.parse(file)).not.toThrow();
  expect(() => schema.parse({ ...file, tags: null })).toThrow();
});

/** Renovate adds milliseconds to an instant, and takes one that it cannot read for an absent one. */
function understood({ homepage, changelogUrl, sourceUrl, tags, releases }: Parsed): object {
  return {
    homepage,
    changelogUrl,
    ...(sourceUrl !== undefined && { sourceUrl }),
    ...(tags && { tags }),
    releases: releases.map(({ version, releaseTimestamp, isDeprecated, isStable }) => ({
      version,
      ...(releaseTimestamp && { releaseTimestamp: releaseTimestamp.replace('.000Z', 'Z') }),
      isDeprecated,
      ...(isStable !== undefined && { isStable }),
    })),
  };
}

/** A release's `changelogUrl` is for other readers. */
function published(file: ReleaseFile): object {
  const releases = file.releases.map((release) => {
    const read = { ...release };
    delete read.changelogUrl;
    return read;
  });
  return { ...file, releases };
}
