import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Day } from '../../src/core/model/dates.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { recordStatements } from '../../src/record/journal/record-statements.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { checkout } from '../harness/checkout.ts';
import { describePullRequest } from '../harness/pull-request.ts';
import { definition, makeRoot } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { recordOn, siteOf } from '../harness/site.ts';

/** 18 months after the first release of 1.0: the last day with support. */
const last: Day = '2026-06-30';
const days = { before: '2026-06-29', on: last, after: '2026-07-01' } as const;

/** What a door says of 1.0 while it is supported and from the day after, and what it says of an end that nobody stated. */
interface Expected {
  runs: string;
  over: string;
  inferred: string;
}

const digests = { 'npm:svc': { 'svc@1.0': `sha256:${'a'.repeat(64)}` } };
const spoken = 'Server 1.0 is supported until 2026-06-30. Move to 2.0 by 2026-06-30.';
const sum = '2024-12-30, by the vendor; 18 months, inferred';

const doors: Record<string, Expected> = {
  'explain of a version': {
    runs: spoken,
    over: `Server 1.0 was supported until 2026-06-30. Move to 2.0.\n${sum}; support ended 2026-06-30.`,
    inferred: `${sum}; support`,
  },
  'explain of a component': {
    runs: '1.0: is supported until 2026-06-30.',
    over: '1.0: was supported until 2026-06-30.',
    inferred: 'Inferred: It fits.',
  },
  'explain as a table': {
    runs: '| 1.0 | 1.0 | is supported until 2026-06-30 (inferred) |',
    over: '| 2.0 | 2.0 | is supported until 2027-07-15 (inferred) |\n\n',
    inferred: '(inferred)',
  },
  'explain as JSON': {
    runs: '"state": "ends-soon"',
    over: '"state": "ended"',
    inferred: '"inferred": true',
  },
  search: { runs: '1.0      ends soon', over: '1.0      ended', inferred: '2026-06-30 (inferred)' },
  scan: {
    runs: '1. Server 1.0 is supported until 2026-06-30 (inferred). Move to 2.0 by 2026-06-30.',
    over: '1. Server 1.0 was supported until 2026-06-30 (inferred). Move to 2.0 now.',
    inferred: 'svc 1.0  ',
  },
  statements: {
    runs: '"state":"ends-soon","supportedUntil":"2026-06-30"',
    over: '"state":"ended","supportedUntil":"2026-06-30"',
    inferred: '"inferred":true',
  },
  'notes of pull requests': {
    runs: 'End of support of 2.0: 2027-07-15. support-ends',
    over: 'End of support of 2.0: 2027-07-15. unsupported',
    inferred:
      'End of support: 2026-06-30. A release line is supported for 18 months from its first release. Inferred: It fits.',
  },
  'svc.html': {
    runs: 'Server 1.0 is supported until 30 Jun 2026 . Move to 2.0 by 30 Jun 2026 .',
    over: 'Server 1.0 was supported until 30 Jun 2026 . Move to 2.0.',
    inferred: '30 Dec 2024 , by the vendor; 18 months, inferred; support',
  },
  'index.html': {
    runs: 'Server 1.0 (inferred) until 30 Jun 2026 Move to 2.0',
    over: 'Support periods 2026 2027 Server 2.0 (inferred) until 15 Jul 2027',
    inferred: '(inferred)',
  },
  'support.svg': {
    runs: 'Server 1.0 (inferred) until 30 Jun 2026',
    over: 'support periods 2026 2027 Server 2.0 (inferred) until 15 Jul 2027',
    inferred: '(inferred)',
  },
  'calendars/svc.ics': {
    runs: 'DTSTART;VALUE=DATE:20260630',
    over: 'DTSTART;VALUE=DATE:20260630',
    inferred: 'Inferred: It fits.',
  },
  'details/svc.json': {
    runs: '"supportedUntil":"2026-06-30"',
    over: '"supportedUntil":"2026-06-30"',
    inferred: '"inferred":true',
  },
  'changes.json': {
    runs: 'Support of release line 1.0 ends on 2026-06-30 (inferred), in 7 days or less.',
    over: `Support of release line 1.0 ended on 2026-06-30: ${sum}.`,
    inferred: sum,
  },
  'supported/svc.json': { runs: '["1.0","2.0"]', over: '["2.0"]', inferred: '' },
  'svc.json': {
    runs: '{"version":"1.0","releaseTimestamp":"2024-12-30T00:00:00Z","isDeprecated":false}',
    over: '{"version":"1.0","releaseTimestamp":"2024-12-30T00:00:00Z","isDeprecated":true}',
    inferred: '',
  },
  'endoflife/api/svc.json': {
    runs: '"eol":"2026-06-30"',
    over: '"eol":"2026-06-30"',
    inferred: '',
  },
};

/** What each door says on a day. */
async function readDoors(day: Day): Promise<Record<string, string>> {
  const support = { policy: 'term', months: 18, inferred: 'It fits.' };
  const root = makeRoot({
    'components/svc.json': definition({ title: 'Server', support }),
    'data/svc.json': {
      releases: [
        { version: '1.0', releaseTimestamp: '2024-12-30', digests },
        { version: '2.0', releaseTimestamp: '2026-01-15' },
      ],
    },
    'list.txt': 'svc 1.0\n',
  });
  await recordOn(root, '2026-01-20', day);
  const opened = openRoot(root, checkout);
  recordStatements(opened, loadComponent(opened, 'svc', day).component!, day);
  const out = siteOf(root, day);
  const run = async (...args: string[]) =>
    (await runHere([...args, '--root', root, '--as-of', day])).stdout;

  const said: Record<string, string> = {
    'explain of a version': await run('explain', 'svc', '1.0'),
    'explain of a component': await run('explain', 'svc'),
    // With an empty line after its last row.
    'explain as a table': `${await run('explain', 'svc', '--markdown')}\n`,
    'explain as JSON': await run('explain', 'svc', '1.0', '--json'),
    search: await run('search', 'isInferred version:1.0'),
    scan: await run('scan', join(root, 'list.txt')),
    statements: readFileSync(join(root, 'data/statements/svc.ndjson'), 'utf8'),
  };

  const pin = { datasource: 'custom.release-index', packageName: 'svc', currentValue: '1.0' };
  const preset = JSON.parse(readFileSync(join(out, 'renovate.json'), 'utf8'));
  const { note, labels } = await describePullRequest(preset, { ...pin, newVersion: '2.0' });

  said['notes of pull requests'] = `${note} ${labels.join(', ')}`;

  for (const path of Object.keys(doors).filter((door) => door.includes('.'))) {
    const text = readFileSync(join(out, path), 'utf8').replaceAll(/\r\n /g, '');
    const words = /html|svg/.test(path) ? text.replaceAll(/<[^>]*>/g, ' ') : text;

    said[path] = path.endsWith('json') ? words : words.replaceAll(/[ \n]+/g, ' ');
  }

  return said;
}

describe.each(Object.entries(days))('the day %s the last with support', (when, day) => {
  let said: Record<string, string>;

  beforeAll(async () => {
    said = await readDoors(day);
  });

  test.each(Object.entries(doors))('%s', (door, { runs, over, inferred }) => {
    expect(said[door]).toContain(when === 'after' ? over : runs);
    expect(said[door]).toContain(inferred);

    // Files with the day alone are the same on every day.
    if (over !== runs) {
      expect(said[door]).not.toContain(when === 'after' ? runs : over);
    }
  });
});
