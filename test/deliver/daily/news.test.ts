import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commitMessage, newsOf, type News } from '../../../src/deliver/daily/news.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded.ts';

describe('the subject of a commit', () => {
  test('names what changed', () => {
    const news = [of('svc', { recorded: ['2026.4'] }), of('edge-node', { withdrawn: ['1.2'] })];

    expect(subject(news)).toBe('Record svc 2026.4; withdraw edge-node 1.2');
  });

  test('counts what would be too long to name', () => {
    const many = Array.from({ length: 30 }, (_, index) => `1.${index}`);

    expect(subject([of('svc', { recorded: many })])).toBe('Record 30 releases of svc');
    expect(
      subject([of('svc', { recorded: many }), of('edge-node', { recorded: ['1'], deprecated: ['2'] })]),
    ).toBe('Record 31 releases of 2 components; deprecate 1 release of edge-node');
  });

  test('says that nothing is new', () => {
    expect(commitMessage([], 16)).toBe('Check 16 components: nothing new\n');
    expect(commitMessage([], 1)).toBe('Check 1 component: nothing new\n');
  });
});

test('the body of a commit names all of it, a line for each component', () => {
  const news = [
    of('svc', { recorded: ['2026.4', '2026.5'], returned: ['2026.2'], corrected: ['2026.3'] }),
    of('svcctl', { removed: ['1.0'] }),
  ];

  expect(commitMessage(news, 2).split('\n').slice(1)).toEqual([
    '',
    '- svc: recorded 2026.4, 2026.5; returned 2026.2; corrected 2026.3',
    '- svcctl: removed 1.0',
    '',
  ]);
});

test('no version makes a host act, and no line is a trailer', () => {
  const version = '1.0 [skip ci] @org/team closes #1 ***NO_CI***\u202e';
  const message = commitMessage(
    [of('co-authored-by', { recorded: [version] }), of('skip-checks', { recorded: ['true'] })],
    2,
  );

  expect(message).not.toMatch(/[[\]@#*\u202e]/);
  const trailers = execFileSync('git', ['interpret-trailers', '--parse'], {
    input: message,
    encoding: 'utf8',
  });
  expect(trailers).toBe('');
});

describe('the news of a component', () => {
  const known: RecordedRelease = { version: '1.0', releaseTimestamp: '2026-01-01' };

  test.each<[string, RecordedRelease, RecordedRelease, Partial<News>]>([
    ['a withdrawal', known, { ...known, withdrawnSince: '2026-11-20' }, { withdrawn: ['1.0'] }],
    ['a return', { ...known, withdrawnSince: '2026-11-19' }, known, { returned: ['1.0'] }],
    ['a deprecation', known, { ...known, deprecated: 'broken' }, { deprecated: ['1.0'] }],
    ['a correction', known, { ...known, releaseTimestamp: '2026-01-02' }, { corrected: ['1.0'] }],
  ])('is %s', (_, before, after, news) => {
    expect(newsOf('svc', [before], [after])).toEqual(of('svc', news));
  });

  test('is what came and what a person removed', () => {
    expect(newsOf('svc', [known], [{ version: '2.0' }])).toEqual(
      of('svc', { recorded: ['2.0'], removed: ['1.0'] }),
    );
  });

  test('is nothing where nothing changed', () => {
    expect(newsOf('svc', [known], [known])).toBeUndefined();
  });
});

function of(component: string, news: Partial<News>): News {
  const none = {
    recorded: [],
    withdrawn: [],
    returned: [],
    deprecated: [],
    corrected: [],
    removed: [],
  };
  return { component, ...none, ...news };
}

function subject(news: News[]): string {
  const [first] = commitMessage(news, 16).split('\n') as [string];
  expect(first.length).toBeLessThanOrEqual(72);
  return first;
}
