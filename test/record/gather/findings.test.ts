import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { npmIndex, type Listing } from '../../harness/npm-registry.ts';
import { definition, writeIn } from '../../harness/root.ts';

/** The findings for a package that lists these versions. */
async function warnings(svc: Listing): Promise<string[]> {
  const { run } = await npmIndex({ svc });
  const { status, stderr } = await run(['gather', '--as-of', '2026-06-01']);
  expect(status).toBe(0);
  return linesOf(stderr).filter((line) => line.startsWith('warning: '));
}

test('reports the first of many unusable names, and their number', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => [`x${index}`, {}] as const);
  const leftOut = (index: number) =>
    `npm:svc: "x${index}" has no place in the version order. Left out.`;

  expect(await warnings({ '1.0': {}, ...Object.fromEntries(names) })).toEqual([
    ...[0, 1, 2, 3, 4].map((index) => `warning: svc: ${leftOut(index)}`),
    `warning: svc: 19995 more like this: ${leftOut(0)}`,
  ]);
});

test('reports long names and strange days in short lines, and their number', async () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const long = numbers.map((index) => [`${index}.${'9'.repeat(100_000)}`, {}] as const);
  const quoting = numbers.map(
    (index) => [`x"${'\\'.repeat(6 * index)}" ${'y '.repeat(index)}`, {}] as const,
  );
  const dated = numbers.map(
    (index) => [`1.${index}`, { at: `${'soon, '.repeat(50)}${index}` }] as const,
  );

  const said = await warnings(Object.fromEntries([...long, ...quoting, ...dated]));

  expect(said.length).toBeGreaterThan(10);
  expect(said.length).toBeLessThan(30);
  for (const line of said) {
    expect(line.length).toBeLessThan(700);
  }
});

test('a source whose names are all left out has no answer, with the rule that leaves them out', async () => {
  const { root, run, sourceOf } = await npmIndex({ svc: { '1.0.0': {} } });
  writeIn(
    root,
    'components/svc.json',
    definition({ sources: [{ ...sourceOf('svc'), allowedVersions: '>=2' }] }),
  );

  const { stderr } = await run(['gather', '--as-of', '2026-06-01']);

  expect(linesOf(stderr)).toContain(
    'warning: svc (npm:svc): npm:svc lists 1 name, none of which the definition admits: allowedVersions leaves out 1. Recorded data stays.',
  );
});
