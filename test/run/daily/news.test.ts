import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/core/schemas/recorded/journal.ts';
import { commitMessage, listNews, type News } from '../../../src/run/daily/daily-report.ts';

function of(component: string, type: News['type'], ...subjects: string[]): News {
  return { component, type, subjects };
}

const many = Array.from({ length: 30 }, (_, index) => `1.${index}`);

const [svc, edge] = [of('svc', 'released', '2026.4'), of('edge-node', 'released', '1.2', '1.3')];

test.each<[string, News[]]>([
  ['Record svc 2026.4, edge-node 1.2, 1.3', [svc, edge]],
  [
    'Withdraw 30 releases, record 1 release, 12 other events',
    [svc, of('h2', 'withdrawn', ...many), of('h2', 'relisted', ...many.slice(18))],
  ],
  ['Record 30 releases', [of('svc', 'released', ...many)]],
  [
    'Withdraw 1 release, record 30 releases',
    [of('svc', 'released', ...many), of('edge-node', 'withdrawn', '1')],
  ],
  ['Withdraw edge-node 1', [of('edge-node', 'withdrawn', '1')]],
  [
    'Deprecate svc 2026.3, record svc 2026.4, 1 other event',
    [svc, of('svc', 'support-moved', '2025.1'), of('svc', 'deprecated', '2026.3')],
  ],
  ['Record 2 events of svc', [of('svc', 'support-moved', '2025.1', '2025.2')]],
  ['Check 16 components: nothing new', []],
])('the subject of a commit is "%s"', (subject, news) => {
  expect(commitMessage(news, 16).subject).toBe(subject);
  expect(subject.length).toBeLessThanOrEqual(72);
});

test('the body of a commit lists all events, a line for each component and type', () => {
  const news = [
    of('svc', 'released', '2026.4', '2026.5'),
    of('svc', 'corrected', '2026.3'),
    of('svcctl', 'withdrawn', '1.0'),
  ];

  expect(commitMessage(news, 2).body).toBe(
    '- svc: released 2026.4, 2026.5\n- svc: corrected 2026.3\n- svcctl: withdrawn 1.0',
  );
});

test('no version in a commit makes a host act, and no line is a trailer', () => {
  const version = '1.0 [skip ci] @org/team closes #1 ***NO_CI***\u202e';
  const { subject, body } = commitMessage(
    [of('co-authored-by', 'released', version), of('skip-checks', 'released', 'true')],
    2,
  );
  const message = `${subject}\n\n${body}\n`;

  expect(message).not.toMatch(/[[\]@#*\u202e]/);
  expect(
    execFileSync('git', ['interpret-trailers', '--parse'], { input: message }).toString(),
  ).toBe('');
});

test('the news are the events of the run by component and type', () => {
  const event = { id: 1, at: '2026-11-20T00:00:00.000Z', on: '2026-11-20' };
  const events: JournalEvent[] = [
    { ...event, type: 'released', version: '1.0' },
    { ...event, type: 'support-announced', line: '1', to: '2027-01-01' },
    { ...event, type: 'released', version: '1.1' },
  ];

  expect(listNews(new Map([['svc', events]]))).toEqual([
    of('svc', 'released', '1.0', '1.1'),
    of('svc', 'support-announced', '1'),
  ]);
});
