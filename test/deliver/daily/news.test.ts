import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commitMessage, newsOf, type News } from '../../../src/deliver/daily/daily-report.ts';
import type { JournalEvent } from '../../../src/core/schemas/journal.ts';

describe('the subject of a commit', () => {
  test('names the new releases', () => {
    const news = [of('svc', 'released', '2026.4'), of('edge-node', 'released', '1.2', '1.3')];

    expect(subject([...news, of('svc', 'withdrawn', '2026.1')])).toBe(
      'Record svc 2026.4, edge-node 1.2, 1.3',
    );
  });

  test('counts the events where there are no releases, or too many to name', () => {
    const many = Array.from({ length: 30 }, (_, index) => `1.${index}`);

    expect(subject([of('svc', 'released', ...many)])).toBe('Record 30 events of svc');
    expect(subject([of('svc', 'released', ...many), of('edge-node', 'withdrawn', '1')])).toBe(
      'Record 31 events of 2 components',
    );
    expect(subject([of('edge-node', 'withdrawn', '1')])).toBe('Record 1 event of edge-node');
  });

  test('says that nothing is new', () => {
    expect(commitMessage([], 16)).toEqual({ subject: 'Check 16 components: nothing new' });
    expect(commitMessage([], 1)).toEqual({ subject: 'Check 1 component: nothing new' });
  });
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

test('no version makes a host act, and no line is a trailer', () => {
  const version = '1.0 [skip ci] @org/team closes #1 ***NO_CI***\u202e';
  const { subject, body } = commitMessage(
    [of('co-authored-by', 'released', version), of('skip-checks', 'released', 'true')],
    2,
  );
  const message = `${subject}\n\n${body}\n`;

  expect(message).not.toMatch(/[[\]@#*\u202e]/);
  const trailers = execFileSync('git', ['interpret-trailers', '--parse'], {
    input: message,
    encoding: 'utf8',
  });
  expect(trailers).toBe('');
});

test('the news are the events of the run by component and type', () => {
  const event = { id: 1, at: '2026-11-20T00:00:00.000Z', on: '2026-11-20' };
  const events: JournalEvent[] = [
    { ...event, type: 'released', version: '1.0' },
    { ...event, type: 'support-announced', line: '1', to: '2027-01-01' },
    { ...event, type: 'released', version: '1.1' },
  ];

  expect(newsOf(new Map([['svc', events]]))).toEqual([
    of('svc', 'released', '1.0', '1.1'),
    of('svc', 'support-announced', '1'),
  ]);
});

function of(component: string, type: News['type'], ...subjects: string[]): News {
  return { component, type, subjects };
}

function subject(news: News[]): string {
  const { subject } = commitMessage(news, 16);
  expect(subject.length).toBeLessThanOrEqual(72);
  return subject;
}
