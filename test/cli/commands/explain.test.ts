import { expect, test } from 'vitest';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf, ownProgram, runCli } from '../../harness/cli.ts';
import { typeOn } from '../../harness/terminal.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';

const day = ['--as-of', '2026-06-01'];
const root = makeRoot({
  'components/svc.json': definition({ title: 'Server', support: { policy: 'term', months: 18 } }),
  'data/svc.json': {
    releases: [
      {
        version: '2024.2',
        releaseTimestamp: '2024-08-19',
        source: 'npm:svc',
        firstSeen: '2024-08-20',
      },
      { version: '2025.1', releaseTimestamp: '2025-04-08', timestampKind: 'observed' },
      { version: '2025.1.1' },
    ],
  },
});
const explain = (...args: string[]) => runCli(['explain', ...args, '--root', root, ...day]);

test('explain reports the verdicts of a component and its next change', async () => {
  const { status, stdout, stderr } = await explain('svc');

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(linesOf(stdout)).toEqual([
    'svc (Server) on 2026-06-01',
    'Policy: A release line is supported for 18 months from its first release.',
    'Latest: 2025.1.1, the greatest version that is stable and not deprecated.',
    'Freshness: static.',
    'Release lines, newest first (0 of 2 certainly supported):',
    '  2025.1: may be out of support: it ends between 2026-02-19 and 2026-10-08. First release between 2024-08-19 and 2025-04-08, newest is 2025.1.1, 2 releases.',
    '  2024.2: was supported until 2026-02-19. First release 2024-08-19, newest is 2024.2, 1 release.',
    'Next: between 2026-02-19 and 2026-10-08, end of support of 2025.1.',
  ]);
});

test('explain --markdown prints the supported release lines as a table', async () => {
  const { stdout } = await explain('svc', '--markdown');

  expect(linesOf(stdout)).toEqual([
    '| Release line | Latest | Support |',
    '| --- | --- | --- |',
    '| 2025.1 | 2025.1.1 | may be out of support: it ends between 2026-02-19 and 2026-10-08 |',
  ]);
});

test.each([[['2025.1']], [['--with', 'edge-node@1.0.0']]])(
  'explain --markdown rejects %j, as its table has all lines',
  async (words) => {
    const { status, stderr } = await explain('svc', ...words, '--markdown');

    expect(status).toBe(2);
    expect(linesOf(stderr)[0]).toBe(
      '--markdown lists all release lines: leave out the version and --with',
    );
  },
);

test('explain reports the status of a version, in any spelling', async () => {
  const { stdout } = await explain('svc', 'v2024.02');

  expect(linesOf(stdout)).toEqual([
    'svc 2024.2 on 2026-06-01: ended',
    'Server 2024.2 was supported until 2026-02-19. Move to 2025.1.1.',
    '2024-08-19, by the vendor; 18 months, by the definition; support ended 2026-02-19.',
    '2025.1.1 may be out of support: it ends between 2026-02-19 and 2026-10-08.',
    '1 release between.',
    'Advisories: not known.',
    'Policy: A release line is supported for 18 months from its first release.',
    'Order: 1 of 3, before 2025.1.',
    'Release line: 2024.2. Stable.',
    'Timestamp: 2024-08-19, published: stated by upstream.',
    'Changelog: not known',
    'Recorded from: npm:svc, first seen on 2024-08-20.',
  ]);
});

test.each([
  ['2025.1', 'Timestamp: 2025-04-08, observed: upstream states no day; it existed by then.'],
  [
    '2025.1.1',
    'Timestamp: not known. Renovate holds such an update where minimumReleaseAge is set.',
  ],
])(
  'explain says how well the day of %s is known, and that it was recorded by hand',
  async (version, line) => {
    const lines = linesOf((await explain('svc', version)).stdout);

    expect(lines).toContain(line);
    expect(lines).toContain('Recorded by hand.');
  },
);

test('explain --json prints one document', async () => {
  const { stdout } = await explain('svc', '--json');

  expect(JSON.parse(stdout)).toMatchObject({
    ...{ verb: 'explain', component: 'svc', latest: '2025.1.1', nextChangeOn: '2026-10-09' },
    releases: [
      { version: '2024.2', state: 'ended' },
      { version: '2025.1', state: 'may-have-ended' },
      { version: '2025.1.1' },
    ],
  });
});

test('explain reads a question on a terminal, and names exactly elsewhere', async () => {
  const words = 'is Server 2024.2 still supported?';
  const line = [process.execPath, ownProgram, 'explain', `'${words}'`, '--root', root, ...day];
  const typed = await typeOn(line.join(' '), /never/g, []);
  const [question, mistyped] = [await explain(words), await explain('svk', '2025.1', '--json')];

  expect(typed.said).toContain('svc 2024.2 on 2026-06-01: ended');
  expect([typed.status, question.status, mistyped.status]).toEqual([0, 1, 1]);
  expect(linesOf(mistyped.stderr)[0]).toBe(
    'error: explain: "svk 2025.1" names no component of this index. Did you mean "svc"? The index has 1 component.',
  );
  expect(JSON.parse(mistyped.stdout)).toMatchObject({ verb: 'explain', didYouMean: ['svc'] });
});

test('explain on a terminal says which words it did not read', async () => {
  const line = [process.execPath, ownProgram, 'explain', `'wann endet 2024.2'`, '--root', root];
  const typed = await typeOn([...line, ...day].join(' '), /never/g, []);

  expect(typed.said).toContain('svc 2024.2 on 2026-06-01: ended');
  expect(typed.said).toContain('Not read: "wann endet".');
});

test('explain answers for a version that is not listed', async () => {
  const [patch, unknown] = [await explain('svc@2025.1.2'), await explain('nothing', '1.0')];

  expect(linesOf(patch.stdout)).toEqual([
    'svc 2025.1.2 on 2026-06-01: not listed',
    'Server 2025.1.2 is not listed. There is nothing to move to yet.',
    'Between 2024-08-19 and 2025-04-08, observed; 18 months, by the definition; support may have ended, by 2026-10-08 at the latest.',
    'Its line 2025.1 may be out of support: it ends between 2026-02-19 and 2026-10-08.',
    'Advisories: not known.',
    'Policy: A release line is supported for 18 months from its first release.',
  ]);
  expect([patch.status, unknown.status]).toEqual([0, 1]);
  expect(linesOf(unknown.stderr)[0]).toBe(
    'error: explain: "nothing 1.0" names no component of this index. The index has 1 component.',
  );
});

test('explain --with answers for the newest version where none is named, in both indexes', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const ask = (...args: string[]) =>
    runCli(['explain', 'svc', '--with', 'edge-node@1.0.0', ...args]);

  const answers = [
    await ask('--root', fixtureIndex, '--as-of', fixtureDay),
    await ask('--index', url, '--as-of', fixtureDay),
  ];

  for (const { stdout } of answers) {
    expect(linesOf(stdout).at(-1)).toMatch(/^svc [\d.]+ with edge-node 1\.0\.0: not stated\.$/);
  }
});

test('explain --index says the same of a version as the checkout, and knows the release lines', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const ask = (...args: string[]) => runCli(['explain', ...args, '--as-of', fixtureDay]);

  const [there, here, linesThere, linesHere, unknown] = [
    await ask('Server 2025.1', '--index', url),
    await ask('Server 2025.1', '--root', fixtureIndex),
    await ask('svc', '--index', url),
    await ask('svc', '--root', fixtureIndex),
    await ask('nothing 1.0', '--index', url),
  ];

  expect(there).toMatchObject({ status: 0, stderr: '' });
  expect(linesOf(here.stdout)).toEqual(expect.arrayContaining(linesOf(there.stdout)));
  expect(linesOf(there.stdout)[0]).toBe(`svc 2025.1 on ${fixtureDay}: ended`);
  expect(linesOf(linesThere.stdout)).toContainEqual(
    expect.stringMatching(
      /^ {2}2025\.1: was supported until 2026-10-08\. First release 2025-04-08/,
    ),
  );
  expect(linesOf(linesHere.stdout)).toEqual(expect.arrayContaining(linesOf(linesThere.stdout)));
  expect([unknown.status, linesOf(unknown.stderr)[0]]).toEqual([
    1,
    expect.stringContaining('"nothing 1.0" names no component of this index.'),
  ]);
});

test('explain --index states the day of a newer index as that of the answer', async () => {
  const url = await startSite(siteOfFixtureIndex());

  const { stdout } = await runCli(['explain', 'svc', '--index', url, ...day, '--json']);

  const { asOf, answer } = JSON.parse(stdout) as { asOf: string; answer: { asOf: string } };
  expect([asOf, answer.asOf]).toEqual([fixtureDay, fixtureDay]);
});

test('explain --with a component without releases says so', async () => {
  const empty = makeRoot({
    'components/svc.json': definition({ title: 'Server' }),
    'components/edge-node.json': definition(),
    'data/edge-node.json': { releases: [{ version: '1.0.0' }] },
  });

  const { status, stderr } = await runCli([
    ...['explain', 'svc', '--with', 'edge-node@1.0.0', '--root', empty, ...day],
  ]);

  expect(status).toBe(1);
  expect(stderr).toBe('error: explain: No release of Server is known yet.\n');
});

test('explain --markdown on a terminal says how it read a name', async () => {
  const words = [process.execPath, ownProgram, 'explain', 'servr', '--markdown', '--root', root];
  const typed = await typeOn([...words, ...day].join(' '), /never/g, []);

  expect(typed.said).toContain('notice: explain: Read as Server.');
});
