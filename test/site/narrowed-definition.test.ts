import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import { toPublishedEvents } from '../../src/decide/event-words.ts';
import { linesOf, runCli } from '../harness/cli.ts';
import { definition, makeRoot, readJsonIn } from '../harness/root.ts';
import { componentOf, recordedBy } from './render/sites.ts';

const npm = { datasource: 'npm' as const, packageName: 'agent' };
const mirror = { datasource: 'npm', packageName: 'agent-mirror' };

const recorded = {
  releases: [
    { version: '0.9', source: 'npm:gone', firstSeen: '2026-01-01' },
    { version: '0.9.1' },
    { version: '1.0', source: 'npm:agent', firstSeen: '2026-01-01' },
    {
      version: '1.1',
      source: 'npm:agent',
      alsoListedBy: ['npm:agent-mirror'],
      firstSeen: '2026-01-02',
    },
    { version: '2.0-rc.1', source: 'npm:agent', firstSeen: '2026-01-03' },
    { version: '2.0', source: 'npm:agent', firstSeen: '2026-01-04' },
    { version: '284.0.0', source: 'npm:agent', firstSeen: '2026-01-05' },
  ],
};

const wide = { sources: [npm, mirror], prereleases: true };

function versionsIn(root: string, path: string): string[] {
  return readJsonIn<{ releases: { version: string }[] }>(root, path).releases.map(
    ({ version }) => version,
  );
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
  'a definition narrowed by %s leaves releases out of the site, but not out of data/, as explain says',
  async (_, about, gone) => {
    const root = makeRoot({
      'components/svc.json': definition({ ...wide, ...about }),
      'data/svc.json': recorded,
    });
    const before = readFileSync(join(root, 'data/svc.json'), 'utf8');

    const { status, stderr } = await runCli(['build', '--root', root, '--as-of', '2026-06-01']);

    expect(status).toBe(0);
    const kept = recorded.releases
      .map(({ version }) => version)
      .filter((version) => !gone.includes(version));
    expect(versionsIn(root, 'dist/svc.json')).toEqual(kept);
    expect(versionsIn(root, 'dist/details/svc.json')).toEqual(kept);
    expect(readFileSync(join(root, 'data/svc.json'), 'utf8')).toBe(before);
    const many = gone.length === 1 ? '1 recorded release' : `${gone.length} recorded releases`;
    const them = gone.length === 1 ? 'it' : 'them';
    expect(linesOf(stderr)).toEqual([
      `notice: svc: the site leaves out ${many} that components/svc.json does not admit: ${gone.join(', ')}. data/svc.json keeps ${them}.`,
    ]);
    const explained = await runCli(['explain', 'svc', gone[0]!, '--root', root]);
    expect(explained.status).toBe(3);
    expect(explained.stderr).toContain(
      `svc: ${gone[0]} is recorded in data/svc.json, but components/svc.json does not admit it`,
    );
  },
);

test('a release that is left out and comes back is a change on each of these days', () => {
  const { releases } = recorded;
  const days = { '2026-06-01': true, '2026-06-02': false, '2026-06-03': false, '2026-06-04': true };

  const journal = Object.entries(days).reduce<JournalEvent[]>(
    (known, [day, prereleases]) =>
      recordedBy(componentOf(releases, { sources: [npm], prereleases }, { day }), known),
    [],
  );

  const told = toPublishedEvents(journal).filter(({ initial }) => !initial);
  expect(told.map(({ on, text }) => `${on} ${text}`)).toEqual([
    '2026-06-02 2.0-rc.1 was left out: The definition no longer admits it.',
    '2026-06-04 2.0-rc.1 is in the index again.',
  ]);
});
