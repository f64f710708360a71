import { describe, expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot } from '../../harness/root.ts';

function explainedRoot(): string {
  return makeRoot({
    'components/svc.json': definition({ title: 'Server', support: { policy: 'term', months: 18 } }),
    'data/svc.json': {
      releases: [
        { version: '2024.2', releaseTimestamp: '2024-08-19', source: 'npm:svc', firstSeen: '2024-08-20' },
        { version: '2025.1', releaseTimestamp: '2025-04-08', timestampKind: 'observed' },
        { version: '2025.1.1' },
      ],
    },
  });
}

describe('explain', () => {
  const day = ['--as-of', '2026-06-01'];

  test('reports the verdicts of a component and its next change', async () => {
    const run = await runCli(['explain', 'svc', '--root', explainedRoot(), ...day]);

    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(linesOf(run.stdout)).toEqual([
      'svc (Server) on 2026-06-01',
      'Policy: A release line is supported for 18 months from its first release.',
      'Latest: 2025.1.1, the greatest version that is stable and not deprecated.',
      'Freshness: static.',
      'Release lines, newest first (0 of 2 certainly supported):',
      '  2025.1: may be out of support: it ends between 2026-02-19 and 2026-10-08. First release between 2024-08-19 and 2025-04-08, newest is 2025.1.1, 2 releases.',
      '  2024.2: has been out of support since 2026-02-19. First release 2024-08-19, newest is 2024.2, 1 release.',
      'Next: between 2026-02-19 and 2026-10-08, end of support of 2025.1.',
    ]);
  });

  test('prints the supported release lines as a table, and the command for it', async () => {
    const run = await runCli(['explain', 'svc', '--markdown', '--root', explainedRoot(), ...day]);

    expect(linesOf(run.stdout)).toEqual([
      '| Release line | Latest | Support |',
      '| --- | --- | --- |',
      '| 2025.1 | 2025.1.1 | may be out of support: it ends between 2026-02-19 and 2026-10-08 |',
      '<!-- npx release-index explain svc --markdown -->',
    ]);
  });

  test('explains the status of a version, in any spelling', async () => {
    const run = await runCli(['explain', 'svc', 'v2024.02', '--root', explainedRoot(), ...day]);

    expect(linesOf(run.stdout)).toEqual([
      'svc 2024.2 on 2026-06-01: support ended',
      'Server 2024.2 has been out of support since 2026-02-19. Move to 2025.1.1.',
      '2024.2 was first released on 2024-08-19; a release line is supported for 18 months.',
      '2025.1.1 may be out of support: it ends between 2026-02-19 and 2026-10-08.',
      '1 release between.',
      'Policy: A release line is supported for 18 months from its first release.',
      'Order: 1 of 3, before 2025.1.',
      'Release line: 2024.2. Stable.',
      'Timestamp: 2024-08-19, published: stated by upstream.',
      'Changelog: not known',
      'Recorded from: npm:svc, first seen on 2024-08-20.',
    ]);
  });

  test('explains observed and unknown days, and upcoming changes', async () => {
    const folder = explainedRoot();
    const [observed, unknown] = await Promise.all(
      ['2025.1', '2025.1.1'].map((version) => runCli(['explain', 'svc', version, '--root', folder, ...day])),
    );

    expect(linesOf(observed!.stdout)).toEqual(
      expect.arrayContaining([
        'Timestamp: 2025-04-08, observed: upstream states no day; it existed by then.',
        'Server 2025.1 may be out of support: it ends between 2026-02-19 and 2026-10-08. Move to 2025.1.1.',
        '2025.1 was first released between 2024-08-19 and 2025-04-08; a release line is supported for 18 months.',
      ]),
    );
    expect(linesOf(unknown!.stdout)).toContain(
      'Timestamp: not known. Renovate holds such an update where minimumReleaseAge is set.',
    );
  });

  test('prints one document with --json', async () => {
    const run = await runCli(['explain', 'svc', '--root', explainedRoot(), '--json', ...day]);

    expect(JSON.parse(run.stdout)).toMatchObject({
      verb: 'explain',
      component: 'svc',
      latest: '2025.1.1',
      nextChangeOn: '2026-10-08',
      releases: [
        { version: '2024.2', state: 'ended' },
        { version: '2025.1', state: 'may-have-ended' },
        { version: '2025.1.1' },
      ],
    });
  });

  test('reads a name and a version as people write them, and answers for a version that is not listed', async () => {
    const folder = explainedRoot();
    const ask = (...words: string[]) => runCli(['explain', ...words, '--root', folder, ...day]);
    const [question, patch, unknown] = await Promise.all([
      ask('is Server 2024.2 still supported?'),
      ask('svc@2025.1.2'),
      ask('nothing', '1.0'),
    ]);

    expect(linesOf(question.stdout)[0]).toBe('svc 2024.2 on 2026-06-01: support ended');
    expect(patch.status).toBe(0);
    expect(linesOf(patch.stdout)).toEqual([
      'svc 2025.1.2 on 2026-06-01: not listed',
      'Server 2025.1.2 is not listed. The latest version is 2025.1.1.',
      '2025.1 was first released between 2024-08-19 and 2025-04-08; a release line is supported for 18 months.',
      'Its line 2025.1 may be out of support: it ends between 2026-02-19 and 2026-10-08.',
      'Policy: A release line is supported for 18 months from its first release.',
    ]);
    expect(unknown.status).toBe(2);
    expect(linesOf(unknown.stderr)[0]).toBe(
      'There is no component "nothing 1.0". The index has 1 component.',
    );
  });
});
