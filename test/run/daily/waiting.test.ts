import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Alert } from '../../../src/run/daily/alerts.ts';
import type { RecordedData, RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, readJsonIn } from '../../harness/root.ts';

const [firstDay, day, nextDay] = ['2026-06-01', '2026-06-02', '2026-06-03'];
const source = 'npm:x';
const hex = (digit: string) => `sha256:${digit.repeat(64)}`;
const release = (version: string, more: Partial<RecordedRelease> = {}): RecordedRelease => ({
  version,
  releaseTimestamp: '2026-01-01T00:00:00Z',
  source,
  firstSeen: '2026-05-01',
  digests: { [source]: { file: hex('a') } },
  ...more,
});
const releases = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7'].map((one) =>
  release(one),
);
const write = ({ root }: IndexInGit, data: readonly RecordedRelease[]) =>
  root.write('data/svc.json', { releases: [...data] } satisfies RecordedData);
const define = ({ root }: IndexInGit, about: object) =>
  addComponent(root, 'svc', releases, { support: { policy: 'term', months: 60 }, ...about });

/** What makes something wait, each kind once. */
const lies: Readonly<Record<string, (index: IndexInGit) => void>> = {
  'a definition': (index) => define(index, { support: { policy: 'ended', since: '2026-01-01' } }),
  'a default': ({ root }) =>
    root.configure({ defaults: { support: { policy: 'ended', since: '2026-01-01' } } }),
  'flags of a source': (index) =>
    write(
      index,
      releases.map((one) => ({ ...one, deprecated: 'made up' })),
    ),
  'an implausible version': (index) => write(index, [...releases, release('900.0')]),
  'a flood of versions': (index) =>
    write(index, [
      ...releases,
      ...Array.from({ length: 1001 }, (_, number) => release(`1.8.${number}`)),
    ]),
  'other bytes': (index) =>
    write(index, [
      { ...releases[0]!, digests: { [source]: { file: hex('b') } } },
      ...releases.slice(1),
    ]),
  'lost releases': (index) => write(index, releases.slice(2)),
  'an unreadable file': ({ root }) => root.write('components/svc.json', '{'),
};

/** What the index says: everything below data/ but runs, and what the site offers. */
function saidBy({ root }: IndexInGit): Record<string, string> {
  const paths = readdirSync(join(root.dir, 'data'), { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => /\.(?:json|ndjson)$/.test(path) && !path.startsWith('runs'));
  return Object.fromEntries([
    ...files.sort().map((path) => [path, readFileSync(join(root.dir, 'data', path), 'utf8')]),
    ['site', readFileSync(join(root.dir, 'dist/svc.json'), 'utf8')],
  ]);
}

let recorded: IndexInGit;

beforeAll(async () => {
  recorded = openIndexInGit();
  recorded.root.configure({ defaults: { support: { policy: 'term', months: 60 } } });
  addComponent(recorded.root, 'svc', releases);
  recorded.commit();
  expect((await recorded.run('daily --skip-publish', firstDay)).status).toBe(0);
});

test.each(Object.entries(lies))(
  'an alert for %s keeps its id, and nothing of it is taken',
  async (_, lie) => {
    const index = copyIndexInGit(recorded);
    lie(index);
    index.commit();
    const waiting = await index.run('daily --skip-publish', day);
    const { attention } = readJsonIn<{ attention: Alert[] }>(index.root.dir, '.cache/daily.json');
    const said = saidBy(index);

    lie(index);
    if (index.git('status', '--porcelain') !== '') {
      index.commit();
    }
    const again = await index.run('daily --skip-publish', nextDay);

    expect([waiting.status, again.status], again.stderr).toEqual([1, 1]);
    expect(attention.length).toBeGreaterThan(0);
    expect(saidBy(index)).toEqual(said);
    const { attention: kept } = readJsonIn<{ attention: Alert[] }>(
      index.root.dir,
      '.cache/daily.json',
    );
    expect(kept.map(({ id, since }) => [id, since])).toEqual(
      attention.map(({ id, since }) => [id, since]),
    );
  },
);
