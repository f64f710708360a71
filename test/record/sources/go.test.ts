import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { parseGoMod } from '../../../src/record/sources/go.ts';
import { ask, json } from '../../harness/asking.ts';
import type { Document } from '../../harness/upstream.ts';
import { findGrowth } from '../../harness/growth.ts';

const source = (): TypedSource => ({ datasource: 'go', packageName: 'github.com/Example/Agent' });
const routes = (url: string) => ({ 'https://proxy.golang.org/': url });
const folder = '/github.com/!example/!agent/@v';
const text = (body: string): Document => ({ type: 'text/plain; charset=UTF-8', body });

/** Asks about a module in the form of proxy.golang.org. */
function askModule(
  list: string[],
  mods: Record<string, string> = {},
  days: Record<string, string> = {},
) {
  const files: [string, Document][] = [
    [`${folder}/list`, text(list.map((line) => `${line}\n`).join(''))],
    ...Object.entries(mods).map(([version, mod]): [string, Document] => [
      `${folder}/${version}.mod`,
      text(mod),
    ]),
    ...Object.entries(days).map(([version, Time]): [string, Document] => [
      `${folder}/${version}.info`,
      json({ Version: version, Time }),
    ]),
  ];
  return ask(source, { routes, documents: Object.fromEntries(files) });
}

it('go reads the day of each version, under names with escaped capitals', async () => {
  const { releases, offered } = await askModule(
    ['v1.0.0', 'v2.0.0+incompatible', 'v1.1.0-RC1'],
    { 'v1.0.0': 'module github.com/Example/Agent\n' },
    {
      'v1.0.0': '2019-08-30T20:52:54Z',
      'v2.0.0%2Bincompatible': '2020-01-02T03:04:05Z',
      'v1.1.0-!r!c1': '2021-01-02T03:04:05Z',
    },
  );

  expect(releases).toEqual([
    { version: 'v1.0.0', releaseTimestamp: '2019-08-30T20:52:54Z' },
    { version: 'v2.0.0+incompatible', releaseTimestamp: '2020-01-02T03:04:05Z' },
    { version: 'v1.1.0-RC1', releaseTimestamp: '2021-01-02T03:04:05Z' },
  ]);
  expect(offered.map(([name]) => name)).toEqual(['v1.0.0', 'v2.0.0+incompatible', 'v1.1.0-RC1']);
});

it('go leaves out pseudo-versions, which were never released', async () => {
  const pseudo = [
    'v0.0.0-20191109021931-daa7c04131f5',
    'v1.2.4-0.20191109021931-daa7c04131f5',
    'v1.3.0-pre.0.20191109021931-daa7c04131f5',
    'v2.0.1-0.20180518161010-daa7c04131f5+incompatible',
  ];
  const { releases } = await askModule(['v1.2.3', ...pseudo], { 'v1.2.3': 'module a\n' });

  expect(releases).toEqual([{ version: 'v1.2.3' }]);
});

it('go reads days from a list that has them', async () => {
  const { releases, requests } = await askModule(['v1.2.3 2019-08-30T20:52:54Z'], {
    'v1.2.3': 'module a\n',
  });

  expect(releases).toEqual([{ version: 'v1.2.3', releaseTimestamp: '2019-08-30T20:52:54Z' }]);
  expect(requests.map(({ path }) => path)).toEqual([`${folder}/list`, `${folder}/v1.2.3.mod`]);
});

it('go treats versions as deprecated that the latest version retracts, even itself', async () => {
  // In the form of go.dev/ref/mod#go-mod-file-retract.
  const mod = `module github.com/Example/Agent // a comment

go 1.24

require (
	example.com/other v1.0.0 // indirect
)

// Published
// accidentally.
retract v1.0.0

retract [v1.9.0, v1.9.5] // Loses data.

// Built wrongly.
retract (
	v1.10.0
	v1.11.0 // Contains retractions only.
)
`;
  const { releases } = await askModule(
    ['v1.0.0', 'v1.1.0', 'v1.9.4', 'v1.10.0', 'v1.11.0', 'v2.0.0-beta.1', 'v3.0.0+incompatible'],
    { 'v1.11.0': mod },
  );

  expect(releases.map(({ version, deprecated }) => [version, deprecated])).toEqual([
    ['v1.0.0', 'Published\naccidentally.'],
    ['v1.1.0', undefined],
    ['v1.9.4', 'Loses data.'],
    ['v1.10.0', 'Built wrongly.'],
    ['v1.11.0', 'Contains retractions only.'],
    ['v2.0.0-beta.1', undefined],
    ['v3.0.0+incompatible', undefined],
  ]);
});

it('go treats every version as deprecated if the module is', async () => {
  const mod =
    '// Package agent.\n//\n// Deprecated: use example.com/agent/v2\n// instead.\n//\n// More.\nmodule a\n';
  const { releases } = await askModule(['v1.0.0', 'v1.1.0'], { 'v1.1.0': mod });

  expect(releases.map(({ deprecated }) => deprecated)).toEqual(
    Array(2).fill('use example.com/agent/v2\ninstead.'),
  );
});

it('go fails if the list of retracted versions cannot be fetched', async () => {
  await expect(askModule(['v1.0.0'])).rejects.toThrow(/v1\.0\.0\.mod answered 404/);
});

it('go reads blocks in a go.mod, with any line ends', () => {
  const mod = 'module (\r\n\texample.com/a\r\n)\r\nretract (\r\n\t[v1.0.0,v1.2.0]\r\n)\r\n';

  const retractions = [{ low: 'v1.0.0', high: 'v1.2.0', reason: '' }];
  expect(parseGoMod(mod)).toEqual({ retractions });
  expect(parseGoMod('retract ["v1.0.0", `v1.2.0`]')).toEqual({ retractions });
  expect(parseGoMod('retract not-a-version\nretract\n')).toEqual({ retractions: [] });
  expect(parseGoMod('// Deprecated: no longer.\n\nmodule a\n')).toEqual({ retractions: [] });
});

it('go reads overlapping retractions, also in any order', async () => {
  const mod =
    'module a\nretract [v1.2.0, v1.3.0] // b\nretract v1.2.0 // c\nretract [v1.0.0, v1.1.0] // a\n';
  const { releases } = await askModule(['v1.4.0', 'v1.3.0', 'v1.2.0', 'v1.1.0'], { 'v1.4.0': mod });

  expect(releases.map(({ deprecated }) => deprecated)).toEqual([undefined, 'b', 'b', 'a']);
});

it('go compares eight times as many versions and retractions in less than 30 times the time', async () => {
  const measure = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, at) => at);
    const mod = numbers.map((number) => `retract v0.${number}.0\n`).join('');
    const list = numbers.map((number) => `v1.${number}.0 2026-01-02T03:04:05Z`);
    const start = process.threadCpuUsage();
    await askModule(list, { [`v1.${count - 1}.0`]: mod });
    return process.threadCpuUsage(start).user;
  };

  expect(await findGrowth(measure, 250)).toBeLessThan(30);
});
