import { expect, it } from 'vitest';
import type { ComponentSummary } from '../../../../src/decide/component-summary.ts';
import type { ChangeEntry } from '../../../../src/record/journal/events/change-entries.ts';
import { listIndexNews } from '../../../../src/record/journal/events/index-news.ts';

it.each([
  ['advisory-published', 'advisory', '4 advisories were published.'],
  ['support-ended', 'line', '4 release lines are out of support: a, b, c, d.'],
  ['corrected', 'version', '4 releases were corrected: a, b, c, d.'],
] as const)('five events of the type %s on one day are one sentence', (type, field, text) => {
  const shared = { at: '2026-11-20T06:00:00Z', component: 'svc', type, text: '', headline: '' };
  const changes = ['a', 'b', 'c', 'd'].map((id) => ({ ...shared, id, [field]: id }));
  if (field !== 'advisory') {
    changes.push({ ...shared, id: 'e', [field]: 'd' });
  }

  expect(listIndexNews([], changes)).toMatchObject([{ kind: 'change', text }]);
});

it('counts releases and release lines apart, also if so many lines changed that they share an entry', () => {
  const shared = { at: '2026-11-20T06:00:00Z', component: 'svc', type: 'deprecated' } as const;
  const subjects = Array.from({ length: 21 }, (_, index) => `1.${index}`);
  const last = { line: '1.20' } as ChangeEntry['last'] & {};
  const lines = '21 release lines are deprecated.';
  const changes = [
    { ...shared, id: 'svc/30', version: '9.0', text: '', headline: '9.0 is deprecated.' },
    { ...shared, id: 'svc/29', subjects, last, text: lines, headline: lines },
  ];

  const texts = listIndexNews([], changes).map((news) => news.kind === 'change' && news.text);
  expect(texts).toEqual(['9.0 is deprecated.', lines]);
});

it('lists recent releases once, also if so many were recorded at once that they share an entry', () => {
  const versions = Array.from({ length: 21 }, (_, index) => `1.${index}`);
  const shared = { component: 'svc', title: 'Server', isDeprecated: false, line: '1', notes: '' };
  const recent = versions.map((version) => ({
    ...{ ...shared, version, day: '2026-11-20', isObserved: false, opensLine: false },
  }));
  const summary = { name: 'svc', definition: { title: 'Server' }, recent };
  const combined = {
    ...{ id: 'svc/30', at: '2026-11-21T06:00:00Z', component: 'svc' },
    type: 'released',
    ...{ text: '21 releases were added.', headline: '21 releases were added.' },
  } as const;
  const list = (subjects: string[]) =>
    listIndexNews([summary as unknown as ComponentSummary], [{ ...combined, subjects }]);

  expect(list(versions).map(({ day }) => day)).toEqual(['2026-11-20']);
  expect(list([...versions, '0.9']).map(({ day }) => day)).toEqual(['2026-11-21', '2026-11-20']);
});
