import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesFile } from '../../src/core/schemas/published/changes-file.ts';
import { linesOf, runCli } from '../harness/cli.ts';
import { definition, makeRoot, readJsonIn, writeIn } from '../harness/root.ts';

const npm = { datasource: 'npm', packageName: 'agent' };
const mirror = { datasource: 'npm', packageName: 'agent-mirror' };

const recorded = {
  releases: [
    { version: '0.9', source: 'npm:gone', firstSeen: '2026-01-01' },
    { version: '0.9.1' },
    { version: '1.0', source: 'npm:agent', firstSeen: '2026-01-01' },
    { version: '1.1', source: 'npm:agent', alsoListedBy: ['npm:agent-mirror'], firstSeen: '2026-01-02' },
    { version: '2.0-rc.1', source: 'npm:agent', firstSeen: '2026-01-03' },
    { version: '2.0', source: 'npm:agent', firstSeen: '2026-01-04' },
    { version: '284.0.0', source: 'npm:agent', firstSeen: '2026-01-05' },
  ],
};

const wide = { sources: [npm, mirror], prereleases: true };

function versionsIn(root: string, path: string): string[] {
  return readJsonIn<{ releases: { version: string }[] }>(root, path).releases.map(({ version }) => version);
}

test.each<[string, object, string[]]>([
  ['prereleases', { prereleases: false }, ['2.0-rc.1']],
  ['a version', { sources: [{ ...npm, allowedVersions: '!/^284/' }, mirror] }, ['284.0.0']],
  // The other source admits 1.1. Releases recorded by hand or from a former source stay.
  [
    'a range',
    { sources: [{ ...npm, allowedVersions: '>=2' }, mirror], prereleases: false },
    ['1.0', '2.0-rc.1'],
  ],
])(
  'a definition narrowed by %s leaves releases out of the site, but not out of data/',
  async (_, about, gone) => {
    const root = makeRoot({
      'components/svc.json': definition({ ...wide, ...about }),
      'data/svc.json': recorded,
    });
    const before = readFileSync(join(root, 'data/svc.json'), 'utf8');

    const { status, stderr } = await runCli(['build', '--root', root, '--as-of', '2026-06-01']);

    expect(status).toBe(0);
    const kept = recorded.releases.map(({ version }) => version).filter((version) => !gone.includes(version));
    expect(versionsIn(root, 'dist/svc.json')).toEqual(kept);
    expect(versionsIn(root, 'dist/details/svc.json')).toEqual(kept);
    expect(readFileSync(join(root, 'data/svc.json'), 'utf8')).toBe(before);
    const many = gone.length === 1 ? '1 recorded release' : `${gone.length} recorded releases`;
    const them = gone.length === 1 ? 'it' : 'them';
    expect(linesOf(stderr)).toEqual([
      `notice: svc: the site leaves out ${many} that components/svc.json does not admit: ${gone.join(', ')}. data/svc.json keeps ${them}.`,
    ]);
  },
);

test('the change log has the days on which a release was left out and came back', async () => {
  const root = makeRoot({});
  const versions = ['1.0', '1.1', '2.0-rc.1'];
  const releases = versions.map((version) => ({ version, releaseTimestamp: '2026-05-01' }));
  const source = { datasource: 'static', releases };
  const live = async (day: string, about: object) => {
    writeIn(root, 'components/svc.json', definition({ sources: [source], ...about }));
    await runCli(['gather', '--root', root, '--as-of', day]);
    await runCli(['record', '--root', root, '--as-of', day]);
    await runCli(['build', '--root', root, '--as-of', day]);
    const { changes } = readJsonIn<ChangesFile>(root, 'dist/changes.json');
    return {
      site: versionsIn(root, 'dist/svc.json'),
      told: changes.filter(({ initial }) => !initial).map(({ on, text }) => `${on} ${text}`),
    };
  };
  const leftOut = '2026-06-02 2.0-rc.1 was left out: The definition no longer admits it.';
  const returned = '2026-06-04 2.0-rc.1 is in the index again: The definition admits it again.';

  expect(await live('2026-06-01', { prereleases: true })).toEqual({ site: versions, told: [] });
  for (const day of ['2026-06-02', '2026-06-03'])
    expect(await live(day, { prereleases: false })).toEqual({ site: ['1.0', '1.1'], told: [leftOut] });
  expect(await live('2026-06-04', { prereleases: true })).toEqual({
    site: versions,
    told: [returned, leftOut],
  });
  expect(readFileSync(join(root, 'dist/feed.atom'), 'utf8')).toContain(
    '<title>A component 2.0-rc.1 excluded</title>',
  );
});

test('explain says that the definition does not admit a recorded version', async () => {
  const root = makeRoot({
    'components/svc.json': definition({ ...wide, prereleases: false }),
    'data/svc.json': recorded,
  });

  const { status, stderr } = await runCli(['explain', 'svc', '2.0-rc.1', '--root', root]);

  expect(status).toBe(1);
  expect(stderr).toContain(
    'svc: 2.0-rc.1 is recorded in data/svc.json, but components/svc.json does not admit it',
  );
});
