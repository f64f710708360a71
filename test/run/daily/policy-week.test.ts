import { expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, readJsonIn } from '../../harness/root.ts';

// A week of a policy: it is stated, one end moves, and one release is bad. Each day, readers are told what is true.
const { root, served, commit, run, held } = openIndexInGit();
const releases = [
  { version: '2025.1', releaseTimestamp: '2025-06-10' },
  { version: '2025.2', releaseTimestamp: '2025-10-10' },
  { version: '2026.1', releaseTimestamp: '2026-02-10' },
  { version: '2026.2', releaseTimestamp: '2026-06-10' },
].map((release) => ({ ...release, timestampKind: 'published' }));

const term = { policy: 'term', months: 18 };
const lines = { '2025.1': { until: '2027-03-31', reason: 'The move takes longer.' } };
const deprecated = [{ versions: ['2026.1'], reason: 'Loses messages.' }];

function define(about: object): void {
  addComponent(root, 'svc', releases, { title: 'Server', ...about });
}

let told = 0;

/** Runs a day: the news of it, the sentence and advice on two versions, and the deprecated releases. */
async function readersOf(day: string) {
  const { status } = await run('daily', day);
  const { changes } = readJsonIn<ChangesFile>(served, 'changes.json');
  const { releases: live } = readJsonIn<ReleaseFile>(served, 'svc.json');
  const news = changes.slice(0, changes.length - told).map(({ text }) => text);
  const said: string[] = [];

  told = changes.length;

  for (const version of ['2025.1', '2026.1']) {
    const { stdout } = await run(`explain svc ${version}`, day);
    said.push(stdout.split('\n')[1]!);
  }

  const bad = live.filter(({ isDeprecated }) => isDeprecated).map(({ version }) => version);

  return { status, news, said, bad };
}

const facts = 'Nothing is due; the newest version is 2026.2. Advisories: not known.';
const unstated = [
  `No end is stated for Server 2025.1. It is 3 releases and 12 months behind 2026.2. ${facts}`,
  `No end is stated for Server 2026.1. It is 1 release and 3 months behind 2026.2. ${facts}`,
];
const rule = '2025-06-10, by the vendor; 18 months, by the definition';
const bad = 'Server 2026.1 is deprecated, and supported until 2027-08-10. Move to 2026.2 now.';

/** An edit, whether the day ends well, and what readers are told. */
const week: [string, () => unknown, number, Partial<Awaited<ReturnType<typeof readersOf>>>][] = [
  ['2026-11-16', () => define({}), 0, { said: unstated, bad: [] }],
  // The rule would end a line of which nobody stated an end: it waits for a person.
  ['2026-11-17', () => define({ support: term }), 1, { news: [], said: unstated }],
  [
    '2026-11-18',
    () => run(`accept ${held()[0]!.id}`, '2026-11-18'),
    0,
    {
      said: [
        'Server 2025.1 is supported until 2026-12-10. Move to 2026.2 by 2026-12-10.',
        `Server 2026.1 is supported until 2027-08-10. ${facts}`,
      ],
    },
  ],
  [
    '2026-11-19',
    () => define({ support: { ...term, lines } }),
    0,
    {
      news: [
        `Support of release line 2025.1 ends on 2027-03-31, instead of 2026-12-10: ${rule}; extended to 2027-03-31, by the definition: The move takes longer.`,
      ],
      said: [
        `Server 2025.1 is supported until 2027-03-31. ${facts}`,
        `Server 2026.1 is supported until 2027-08-10. ${facts}`,
      ],
    },
  ],
  [
    '2026-11-20',
    () => define({ support: { ...term, lines }, deprecated }),
    0,
    {
      news: ['2026.1 is deprecated: Loses messages.'],
      said: [`Server 2025.1 is supported until 2027-03-31. ${facts}`, bad],
      bad: ['2026.1'],
    },
  ],
  ['2026-11-21', () => root.write('notes.md', 'Nothing.\n'), 0, { news: [], bad: ['2026.1'] }],
];

test.each(week)('on %s, readers are told what is true', async (day, edit, status, expected) => {
  await edit();
  commit(`Edit of ${day}`);

  expect(await readersOf(day)).toMatchObject({ status, ...expected });
});
