import { expect, it } from 'vitest';
import { listIndexNews } from '../../../../src/record/journal/events/index-news.ts';

it.each([
  ['advisory-published', {}, '4 advisories were published.'],
  ['support-ended', { line: '1.0' }, '4 release lines are out of support: 1.0.'],
] as const)('four events of the type %s on one day are one sentence', (type, more, text) => {
  const changes = ['a', 'b', 'c', 'd'].map((id) => ({
    ...{ id, at: '2026-11-20T06:00:00Z', component: 'svc', type, text: '', headline: '' },
    ...more,
  }));

  expect(listIndexNews([], changes).map((news) => news.text)).toEqual([text]);
});
