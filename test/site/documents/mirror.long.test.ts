/** An index reads the ends of another index in the form of endoflife.date. */
import { expect, test } from 'vitest';
import type { Component, Line } from '../../../src/core/schema/published.ts';
import { createFolder, openIndex } from '../../harness/index-folder.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { listedProducts, serveWorld, worldDay, writeWorld } from '../../harness/world.ts';
import { readFiles } from '../../harness/components.ts';
import { judgeAnswers, lacksDescription } from '../../harness/endoflife-api.ts';

const readEnd = ({ line, isSupported, supportedUntil, supportedUntilAtMost, isInferred }: Line) => [
  line,
  isSupported,
  supportedUntil,
  supportedUntilAtMost,
  isInferred,
];

test(`of ${listedProducts.length} products, both have the same ends`, async () => {
  const upstream = await serveWorld(worldDay);
  const [first, second] = [openIndex(createFolder()), openIndex(createFolder())];
  const components = [...writeWorld(first.root, upstream).values()];
  const steps = ['gather', 'build'] as const;
  for (const verb of steps) {
    expect(await first.run(verb, '--as-of', worldDay)).toMatchObject({ status: 0 });
  }

  if (!lacksDescription) {
    expect(judgeAnswers(readFiles(first.out)).wrong).toEqual([]);
  }

  writeWorld(second.root, upstream);
  const site = await serveSite(first.out);
  const published = JSON.parse(first.read('dist/api/all.json')) as string[];
  for (const name of components) {
    second.edit(`components/${name}.json`, ({ support }) => ({
      support: published.includes(name)
        ? {
            ...support,
            source: { ...support.source, product: name, registryUrl: `${site.url}api/` },
          }
        : { policy: 'none' },
    }));
  }
  for (const verb of steps) {
    expect(await second.run(verb, '--as-of', worldDay)).toMatchObject({ status: 0 });
  }

  const counts = { lines: 0, ends: 0, same: 0 };
  const different: unknown[] = [];
  for (const name of components) {
    const [before, after] = [first, second].map(({ read }) => {
      const { lines } = JSON.parse(read(`dist/details/${name}.json`)) as Component;
      return new Map(lines.map((line) => [line.line, JSON.stringify(readEnd(line))]));
    });
    for (const [line, end] of before!) {
      const isSame = after!.get(line) === end;
      counts.lines += 1;
      counts.ends += Number(!end.includes('null,null,null,null'));
      counts.same += Number(isSame);
      if (!isSame) {
        different.push([name, end, after!.get(line)]);
      }
    }
  }
  expect(different).toEqual([]);
}, 900_000);
