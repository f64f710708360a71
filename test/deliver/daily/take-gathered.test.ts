import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { takeGathered } from '../../../src/deliver/daily/take-gathered.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { definition, makeRoot, writeIn } from '../../harness/root.ts';

// The data of two components, which another run hands over.
const repository = 'https://github.com/example/agent';
const provenance = {
  ...{ source: 'npm:a', repository, predicateType: 'https://slsa.dev/provenance/v1' },
  builder: `${repository}/.github/workflows/release.yml@refs/heads/main`,
};
const kept = {
  ...{ version: '0.9.0', releaseTimestamp: '2026-01-01', timestampKind: 'published' },
  digests: { 'npm:a': { file: `sha256:${'1'.repeat(64)}` } },
  provenance,
};
let root: string;
const take = (day: string, committedOn?: string) =>
  takeGathered(openRoot(root, checkout), join(root, 'gathered'), day, committedOn);
const taken = (name: string) => readFileSync(join(root, `data/${name}.json`), 'utf8');

beforeEach(() => {
  root = makeRoot({
    'components/svc.json': definition(),
    'components/edge.json': definition(),
    'data/svc.json': { releases: [kept] },
    'gathered/svc.json': { releases: [kept, { version: '1.0.0', releaseTimestamp: '2026-05-01' }] },
    'gathered/edge.json': { releases: [{ version: '2.0.0' }] },
    'gathered/freshness/edge.json': { sources: { 'npm:edge': { answeredOn: '2026-06-01' } } },
  });
});

test('sound data of another run is taken', () => {
  expect(take('2026-06-01')).toEqual([]);
  expect(taken('svc')).toContain('"1.0.0"');
  expect(taken('edge')).toContain('"2.0.0"');
  expect(taken('freshness/edge')).toContain('2026-06-01');
});

const write = (file: string, content: unknown) => () => writeIn(root, `gathered/${file}`, content);
const link = (file: string, target: string) => () =>
  symlinkSync(target, join(root, 'gathered', file));
const forge = (release: object) => write('svc.json', { releases: [release] });
const fork = { ...provenance, repository: 'https://github.com/fork/agent' };

test.each<[string, () => void, string]>([
  ['a link', link('x.json', '/etc/passwd'), 'is not a plain file'],
  ['a linked folder', link('journal', '/etc'), 'is not a plain file'],
  ['a file of a folder', write('hooks/x.json', {}), 'data/hooks/x.json: is not a file of'],
  ['a text', write('notes.txt', ''), 'is not a file of a component'],
  ['an unknown component', write('x.json', {}), 'is not a file of a component'],
  ['another document', write('svc.json', { releases: 1 }), 'data/svc.json: releases: '],
  ['another day', forge({ ...kept, releaseTimestamp: '2020-01-01' }), 'settled values of 0.9.0'],
  ['a future day', forge({ ...kept, releaseTimestamp: '2027-01-01' }), 'is in the future'],
  ['a release less', forge({ version: '1.0.0' }), 'settled values of 0.9.0'],
  ['a lost build', forge({ ...kept, provenance: undefined }), 'settled values of 0.9.0'],
  ['another build', forge({ ...kept, provenance: fork }), 'settled values of 0.9.0'],
  [
    'a later answer',
    write('freshness/svc.json', { sources: { 'npm:svc': { answeredOn: '2027-01-01' } } }),
    'holds 2027-01-01, which is in the future',
  ],
])(
  '%s is not taken from another run, and costs the other components nothing',
  (_, spoil, problem) => {
    spoil();

    const found = take('2026-06-01').map(({ subject, message }) => `${subject}: ${message}`);

    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(taken('svc')).toContain('2026-01-01');
    expect(taken('svc')).toContain(repository);
    expect(taken('edge')).toContain('"2.0.0"');
  },
);

test('a clock ahead of the job that gathered, and of the last commit, takes nothing', () => {
  expect(() => take('2026-06-03', '2026-05-31')).toThrow(
    'is ahead: it shows 2026-06-03, upstreams state 2026-06-01',
  );
  expect(existsSync(join(root, 'data/edge.json'))).toBe(false);
  expect(take('2026-06-02', '2026-05-31')).toEqual([]);
});

test('a run that hands over nothing at all is named', () => {
  rmSync(join(root, 'gathered'), { recursive: true });

  expect(take('2026-06-01')).toMatchObject([
    { message: expect.stringContaining('there is no such folder') },
  ]);
});
