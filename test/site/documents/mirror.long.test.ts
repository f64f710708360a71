/** Lets an index read end-of-support dates from another index in the format of endoflife.date, and compares the dates in both indexes. */
import { isDeepStrictEqual } from 'node:util';
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

test(`an index and its mirror have the same ends of support for ${listedProducts.length} products`, async () => {
  const upstream = await serveWorld(worldDay);
  const [first, second] = [openIndex(createFolder()), openIndex(createFolder())];
  const components = [...writeWorld(first.root, upstream).values()];
  // Every fourth component gets one of these two support policies by turns. `inferred` marks the policy as estimated.
  const estimated = [
    { policy: 'term', months: 18 },
    { policy: 'latest-lines', count: 2 },
  ];
  for (const [place, name] of components.entries()) {
    const policy = place % 4 === 0 && estimated[(place / 4) % 2];
    if (policy) {
      first.edit(`components/${name}.json`, {
        support: { ...policy, inferred: 'Earlier lines had it.' },
      });
    }
  }

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
    const source = { datasource: 'endoflife-date', product: name, registryUrl: `${site.url}api/` };
    second.edit(`components/${name}.json`, {
      support: published.includes(name) ? { policy: 'stated', source } : { policy: 'none' },
    });
  }
  for (const verb of steps) {
    expect(await second.run(verb, '--as-of', worldDay)).toMatchObject({ status: 0 });
  }

  const counts = { lines: 0, ends: 0, estimated: 0 };
  const different: unknown[] = [];
  for (const name of components) {
    const [before, after] = [first, second].map(({ read }) => {
      const { lines } = JSON.parse(read(`dist/details/${name}.json`)) as Component;
      return new Map(lines.map((line) => [line.line, line]));
    });
    for (const [line, end] of before!) {
      const again = after!.get(line);
      counts.lines += 1;
      counts.ends += Number(end.isSupported !== undefined || end.state === 'may-have-ended');
      counts.estimated += Number(end.isInferred === true);
      if (!again || !isDeepStrictEqual(readEnd(end), readEnd(again))) {
        different.push([name, readEnd(end), again && readEnd(again)]);
      }
    }
  }
  expect(different).toEqual([]);
  expect(counts.ends).toBeGreaterThan(counts.lines / 2);
  expect(counts.estimated).toBeGreaterThan(500);
}, 900_000);
