/** Checks what users of a version that the index does not list are advised to do. */
import { expect, test } from 'vitest';
import { listOwners } from '../../src/ask/owners.ts';
import { readList } from '../../src/ask/read-list.ts';
import { findItems } from '../../src/ask/verdicts.ts';
import { judgeComponents, renderFiles } from '../harness/components.ts';
import { release, statedPolicy } from '../harness/judging.ts';

const listed = (version: string, more = {}) => release(version, '2026-01-01', more);
const long = '2030-01-01';
const lines = { '16': '2026-02-01', '17': long, '18': long, '20': long };
const releases = [listed('16.9'), listed('17.4'), listed('17.5'), listed('18.5'), listed('18.6')];
const files = renderFiles(
  judgeComponents({
    db: {
      definition: { advisories: [], support: { policy: 'dated', lines } },
      releases,
    },
    // No advisory source has answered.
    quiet: { definition: { support: { policy: 'none' } }, releases: [listed('1.0.2')] },
    leaky: {
      definition: {
        advisories: [
          { id: 'CVE-2026-1', affected: '>=17.0 <17.6', fixed: ['17.6'] },
          { id: 'CVE-2026-2', affected: '<17.4', fixed: ['17.4'] },
        ],
        support: { policy: 'dated', lines },
      },
      releases,
    },
    next: {
      definition: { advisories: [], support: { ...statedPolicy, line: 1 } },
      releases: [listed('9.3')],
      lines: [
        { line: '9', phases: [{ name: 'support', until: long }] },
        { line: '10', since: '2027-01-10', phases: [{ name: 'support', until: long }] },
        { line: '10.5', since: '2027-05-10', phases: [{ name: 'support', until: long }] },
      ],
    },
    stuck: {
      definition: {
        advisories: [{ id: 'CVE-2026-3', affected: '<18.7' }],
        support: { policy: 'dated', lines },
      },
      releases,
    },
    pulled: {
      definition: {
        advisories: [],
        deprecated: [{ versions: ['18.6'], reason: 'Broken' }],
        support: { policy: 'dated', lines },
      },
      releases,
    },
    banned: {
      definition: {
        advisories: [],
        deprecated: [{ versions: '18', reason: 'Broken' }],
        support: { policy: 'none', line: 1 },
      },
      releases,
    },
  }),
);
const read = (path: string) => JSON.parse(files.get(path)!);
const names = listOwners(read('status.json'));

async function findVerdict(text: string) {
  const { items } = readList(text, names);
  const [{ match } = {}] = await findItems(items, names, async (name) =>
    read(`details/${name}.json`),
  );
  return match!.verdict!;
}

test.each<[text: string, advice: string, target?: string]>([
  // Below the newest release of the line.
  ['db 18.2', 'Move to 18.6.', '18.6'],
  ['db 18beta1', 'Move to 18.6.', '18.6'],
  ['db 18.6-rc1', 'Move to 18.6.', '18.6'],
  ['db 17.2', 'Move to 17.5.', '17.5'],
  ['quiet 1.0.1', 'Move to 1.0.2.', '1.0.2'],
  ['pulled 18.2', 'Move to 18.5.', '18.5'],
  // Above all releases of the line, perhaps released this morning.
  ['db 18.7', 'It is newer than all known releases of line 18.'],
  ['db 18.99', 'It is newer than all known releases of line 18.'],
  ['db 18.7-beta1', 'It is newer than all known releases of line 18.'],
  ['db 17.6', 'It is newer than all known releases of line 17.'],
  ['quiet 1.0.3', 'It is newer than all known releases of line 1.0. Advisories are not checked.'],
  // A rebuild, a version between two releases, and a line without releases.
  ['db 18.6-2', 'The latest version is 18.6.'],
  ['pulled 18.5.1', 'The latest version is 18.5.'],
  ['db 20.0-beta1', 'The latest version is 18.6.'],
  // Users have to leave the line, or the newest release of the line.
  ['db 16.2', 'Move to 18.6.', '18.6'],
  ['db 16.99', 'Move to 18.6.', '18.6'],
  ['leaky 17.5.1', 'Move to 18.6 now.', '18.6'],
  ['banned 18.99', 'Move back to 17.5 now.', '17.5'],
  // A release after the newest release may fix the advisory.
  ['leaky 17.6', 'It is newer than all known releases of line 17.'],
  ['stuck 18.7', 'It is newer than all known releases of line 18.'],
  ['stuck 18.2', 'No version is free of known advisories yet. The latest version is 18.6.'],
])('the advice for the unlisted version %s is: %s', async (text, advice, target) => {
  const verdict = await findVerdict(text);

  expect(verdict).toMatchObject({ isListed: false, state: 'not-listed', advice });
  expect(verdict.moveTo?.version).toBe(target);
});

test.each([
  ['next 10', 'The next 10 is not released yet: its first day is 2027-01-10.'],
  [
    'next 10.1',
    'The next 10.1 is not listed. The next 10 is not released yet: its first day is 2027-01-10.',
  ],
])(
  'a version of a line that begins after the build is not released: %s',
  async (text, sentence) => {
    const verdict = await findVerdict(text);

    expect(verdict).toMatchObject({ isListed: false, state: 'not-released', sentence });
    expect(verdict.isSupported).toBeUndefined();
  },
);
