import { expect, onTestFinished, test } from 'vitest';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import { toDay } from '../../src/core/model/dates.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import { covers } from '../harness/covers.ts';
import { addProducts } from '../harness/endoflife-products.ts';
import { definition, readJsonIn, writeIn } from '../harness/root.ts';
import { importRenovate } from './install.ts';
import type { ReleaseFile } from '../../src/core/schemas/published/release-documents.ts';
import { buildAndServe } from './site.ts';

test("Renovate's own schema reads every field of every release file", async () => {
  covers("Renovate's custom-datasource format");
  const served = await buildAndServe();
  onTestFinished(() => served.close());
  const { ReleaseResultZod: schema } = await importRenovate<{
    ReleaseResultZod: { parse(document: unknown): object };
  }>('modules/datasource/custom/schema.js');

  for (const [component, file] of served.components) {
    // Renovate adds milliseconds to an instant, and null where there is none.
    const text = JSON.stringify(schema.parse(file)).replaceAll('.000Z', 'Z');
    const read: unknown = JSON.parse(text, (_, value: unknown) => value ?? undefined);
    expect(read, component).toEqual(file);
  }
});

test("Renovate's datasource for endoflife.date deprecates ended lines", async () => {
  const day = toDay(new Date());
  const { root, upstream } = await addProducts(day);
  await upstream.close();
  writeIn(root, 'components/only-lines.json', {
    ...definition({ sources: [] }),
    support: { policy: 'dated', lines: { '1': '2026-01-01', '2': '2099-01-01' } },
  });
  writeIn(
    root,
    'components/pulled.json',
    definition({
      sources: [],
      prereleases: true,
      deprecated: [{ versions: ['2.0'], reason: 'Pulled.' }],
    }),
  );
  writeIn(root, 'data/pulled.json', {
    releases: ['1.1', '2.0', '3.0-rc.1'].map((version) => ({ version })),
  });
  const today = await buildAndServe(root, day);
  onTestFinished(() => today.close());
  const { init } = await importRenovate<{ init(): Promise<void> }>('logger/index.js');
  await init();
  const { getPkgReleases } = await importRenovate<{
    getPkgReleases(config: object): Promise<Pick<ReleaseFile, 'releases'> | null>;
  }>('modules/datasource/index.js');

  let ended = 0;
  const offered = new Map<string, unknown[]>();
  for (const component of today.components.keys()) {
    const { lines } = computeDetailsOn(
      readJsonIn<DetailsFile>(today.dir, `details/${component}.json`),
      day,
    );
    const cycles = readJsonIn<{ cycle: string; latest?: string; discontinued?: true }[]>(
      today.dir,
      `endoflife/api/${component}.json`,
    );
    const cycleOf = new Map(cycles.map((each) => [each.cycle, each]));

    const answer = await getPkgReleases({
      datasource: 'endoflife-date',
      packageName: component,
      registryUrls: [`${today.origin}/endoflife/api`],
      versioning: 'loose',
    });

    const found = (answer?.releases ?? []).map(({ version, isDeprecated = false }) => [
      version,
      isDeprecated,
    ]);
    const expected = lines.map(({ line, isSupported }) => [
      cycleOf.get(line)?.latest ?? line,
      isSupported === false || cycleOf.get(line)?.discontinued === true,
    ]);
    offered.set(
      component,
      found.filter(([, isDeprecated]) => !isDeprecated).map(([version]) => version),
    );
    expect(found.sort(), component).toEqual(expected.sort());
    ended += found.filter(([, isDeprecated]) => isDeprecated).length;
  }
  expect(ended).toBeGreaterThan(5);
  expect(offered.get('pulled')).toEqual(['1.1']);
});
