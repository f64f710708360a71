import { describe, expect, test } from 'vitest';
import { answerVersion } from '../../src/ask/version-answer.ts';
import { compactDetails } from '../../src/ask/compact-details.ts';
import { rowOf, select } from '../../src/core/query/catalogue.ts';
import { rowsOn } from '../../src/core/rows.ts';
import { detailsOn } from '../../src/ask/details-on.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import type { Advisory } from '../../src/core/schemas/advisory.ts';
import type { JournalEvent } from '../../src/core/schemas/journal.ts';
import { builtInPolicies } from '../../src/io/files/policies.ts';
import { parseVersion } from '../../src/core/version.ts';
import { securityBy, uniteAdvisories } from '../../src/decide/advisories.ts';
import { summarise } from '../../src/decide/component.ts';
import { detailsOf } from '../../src/decide/details.ts';
import { judge } from '../../src/decide/judge.ts';
import { foldJournal } from '../../src/decide/journal/fold-journal.ts';
import { publishedEvents } from '../../src/decide/journal/published-events.ts';
import { Definition } from '../../src/record/definition.ts';
import { release } from '../harness/judging.ts';
import { definition } from '../harness/root.ts';
import { componentOf, recordedBy } from '../site/render/sites.ts';

const day = '2026-06-01';
const versions = ['2025.4', '2026.1', '2026.1.1', '2026.2', '2026.2.1', '2026.2.2'];

const first: Advisory = {
  id: 'CVE-2026-1',
  affected: '>=2026.1 <2026.2.1',
  fixed: ['2026.2.1', '2026.3'],
  severity: 'high',
  summary: 'Reads files outside its folder.',
  url: 'https://example.com/1',
  published: '2026-05-01',
};
const second: Advisory = { id: 'x_own-2', affected: '=2026.2 || =2026.2.2', severity: 'low' };

const componentWith = (advisories: Advisory[], on = day) =>
  componentOf(
    versions.map((version) => release(version, '2026-01-01')),
    { support: { policy: 'term', months: 18 }, advisories },
    { day: on },
  );

test.each(['CVE-2026-1', 'GHSA-abcd-1234-efgh', 'x_own.1'])('%s is the id of an advisory', (id) => {
  expect(Definition.safeParse(definition({ advisories: [{ id, affected: '*' }] })).success).toBe(true);
});

test.each(['cve-2026-1', 'OWN-1', 'CVE-../x', 'CVE-', 'x_'])('%s is not an id of an advisory', (id) => {
  expect(Definition.safeParse(definition({ advisories: [{ id, affected: '*' }] })).success).toBe(false);
});

describe('the details of a release', () => {
  const { releases, advisories } = detailsOf(componentWith([second, first]));

  test('name its advisories and fixes, with fixed versions and the greatest severity', () => {
    const stated = releases.map(({ version, advisories, fixes, isVulnerable, severity, security }) => ({
      version,
      ...{ advisories, fixes, isVulnerable, severity, security },
    }));

    expect(stated).toMatchObject([
      { version: '2025.4', advisories: undefined, fixes: undefined, security: undefined },
      {
        version: '2026.1',
        advisories: ['CVE-2026-1'],
        isVulnerable: true,
        severity: 'high',
        security: 'Vulnerable: CVE-2026-1 (high; fixed in 2026.2.1, 2026.3).',
      },
      { version: '2026.1.1', advisories: ['CVE-2026-1'] },
      {
        version: '2026.2',
        advisories: ['CVE-2026-1', 'x_own-2'],
        severity: 'high',
        security:
          'Vulnerable: CVE-2026-1 (high; fixed in 2026.2.1, 2026.3), x_own-2 (low; no fixed version is known).',
      },
      { version: '2026.2.1', fixes: ['CVE-2026-1'], security: 'Fixes CVE-2026-1.' },
      { version: '2026.2.2', advisories: ['x_own-2'], severity: 'low' },
    ]);
    expect(releases[4]).not.toHaveProperty('isVulnerable');
    expect(advisories).toEqual([first, second]);
  });

  test('deprecate nothing by themselves', () => {
    expect(releases.filter(({ reasons }) => reasons)).toEqual([]);
  });
});

test('queries and policies select by them', () => {
  const catalogue = rowsOn(compactDetails(detailsOf(componentWith([first, second]))), day, {});
  const selected = (query: string) =>
    select(catalogue, parseQuery(query, day), day).map((found) => rowOf(found).version);

  expect(selected('isVulnerable')).toEqual(['2026.1', '2026.1.1', '2026.2', '2026.2.2']);
  expect(selected('advisory:x_own*')).toEqual(['2026.2', '2026.2.2']);
  expect(selected('severity:high')).toEqual(['2026.1', '2026.1.1', '2026.2']);
  expect(selected('fixes:CVE-2026-1')).toEqual(['2026.2.1']);
  expect(selected(builtInPolicies['secure']!.query)).toEqual(['2025.4', '2026.2.1']);
  expect(selected(builtInPolicies['secured']!.query)).toEqual(['2025.4', '2026.2.1']);
});

describe('the recommended version', () => {
  const answerTo = (version: string, ...advisories: Advisory[]) =>
    answerVersion(detailsOn(detailsOf(componentWith(advisories)), day), { version });
  const third: Advisory = { id: 'CVE-2026-3', affected: '>=2026.2.1' };

  test('is not vulnerable, and the answer names the advisory and the fixed version', () => {
    const answer = answerTo('2026.1', first, second);

    expect(answer).toMatchObject({ moveTo: { version: '2026.2.1' }, state: 'supported' });
    expect(answer.because).toContain('Vulnerable: CVE-2026-1 (high; fixed in 2026.2.1, 2026.3).');
  });

  test('is not older than a vulnerable release if a newer one has no advisories', () => {
    expect(answerTo('2026.1.1', { ...first, affected: '>=2026.1.1 <2026.2.1' }).moveTo?.version).toBe(
      '2026.2.2',
    );
  });

  test('is an older one if all newer ones are vulnerable, and missing if all are', () => {
    expect(answerTo('2026.2.2', first, third).moveTo?.version).toBe('2025.4');
    expect(answerTo('2026.2.2', { ...third, affected: '*' })).not.toHaveProperty('moveTo');
    expect(answerTo('2026.2.1', { ...third, affected: '*' }).moveTo?.version).toBe('2026.2.2');
  });

  test('is the release itself if all newer ones are vulnerable', () => {
    const answer = answerTo('2026.2.1', second);

    expect(answer).not.toHaveProperty('moveTo');
    expect(answer.advice).toBe('No need to move.');
  });
});

test('unites the statements of several sources, and treats X.Y.0 as X.Y', () => {
  const [one, other] = [
    { id: 'CVE-1', affected: '<1.8.0', fixed: ['1.8.0'], severity: 'low' as const },
    { id: 'CVE-1', affected: '=1.9', severity: 'high' as const },
  ];
  const united = uniteAdvisories([], [one, other]);
  const of = securityBy(united, [{ ...one, isTrusted: true }, other]);
  const at = (version: string) => of(parseVersion(version)!);

  expect(united).toEqual([{ ...one, affected: '<1.8.0 || =1.9', severity: 'high' }]);
  expect(['1.7', '1.8', '1.8.0', '1.9', '1.9.0'].map((version) => at(version).advisories.length)).toEqual([
    1, 0, 0, 1, 1,
  ]);
  expect([at('1.8').fixes.length, at('1.8').isTrustedFix, at('1.9').isTrustedFix]).toEqual([1, true, false]);
  expect(uniteAdvisories([one], [other])).toEqual([one]);
});

test('a publisher cannot declare its own release urgent', () => {
  const stated = { id: 'CVE-2026-1', affected: '<2026.2.1', fixed: ['2026.2.1'] };
  const at = (minute: number) => `2026-06-01T00:0${minute}:00Z`;
  const told = (advised: number, released: number) => [
    { id: 1, at: at(advised), type: 'advisory-published' as const, on: '2026-06-01', advisory: 'CVE-2026-1' },
    { id: 2, at: at(released), type: 'released' as const, on: '2026-06-01', version: '2026.2.1' },
  ];
  const urgent = (isTrusted: boolean, journal: ReturnType<typeof told>) => {
    const component = componentWith([]);
    const { releases } = component.judgement;
    const judgement = judge(releases, component.definition, day, [{ ...stated, isTrusted }]);
    const { fixes, urgentFixes } = summarise({ ...component, judgement, journal });
    expect(fixes).toEqual(['2026.2.1']);
    return urgentFixes;
  };

  expect(urgent(true, [])).toEqual(['2026.2.1']);
  expect(urgent(false, told(1, 2))).toEqual(['2026.2.1']);
  expect(urgent(false, told(1, 1))).toEqual([]);
  expect(urgent(false, told(2, 1))).toEqual([]);
  expect(urgent(false, [])).toEqual([]);
});

test('only a fix that is not vulnerable itself skips the waiting time', () => {
  expect(summarise(componentWith([first])).fixes).toEqual(['2026.2.1']);
  expect(summarise(componentWith([first, { ...second, affected: '2026.2.1' }])).fixes).toEqual([]);
});

describe('the journal', () => {
  const journalOf = (days: readonly (readonly [on: string, advisories: Advisory[]])[]) =>
    days.reduce<JournalEvent[]>(
      (events, [on, advisories]) => recordedBy(componentWith(advisories, on), events),
      [],
    );
  const shown = (events: JournalEvent[]) =>
    publishedEvents(events)
      .filter(({ type }) => type.startsWith('advisory'))
      .map(({ type, on, advisory, text, url }) => ({ type, on, advisory, text, url }));

  test('reports published, changed and withdrawn advisories, each once', () => {
    const events = journalOf([
      ['2026-06-01', [first]],
      ['2026-06-02', [first]],
      ['2026-06-03', [{ ...first, severity: 'critical' }, second]],
      ['2026-06-04', [second]],
      ['2026-06-05', [second]],
    ]);

    expect(shown(events)).toEqual([
      {
        type: 'advisory-published',
        on: '2026-05-01',
        advisory: 'CVE-2026-1',
        text: 'CVE-2026-1 affects >=2026.1 <2026.2.1 (high; fixed in 2026.2.1, 2026.3): Reads files outside its folder.',
        url: 'https://example.com/1',
      },
      {
        type: 'advisory-changed',
        on: '2026-06-03',
        advisory: 'CVE-2026-1',
        text: 'CVE-2026-1 now affects >=2026.1 <2026.2.1 (critical; fixed in 2026.2.1, 2026.3): Reads files outside its folder.',
        url: 'https://example.com/1',
      },
      {
        type: 'advisory-published',
        on: '2026-06-03',
        advisory: 'x_own-2',
        text: 'x_own-2 affects =2026.2 || =2026.2.2 (low; no fixed version is known).',
        url: undefined,
      },
      {
        type: 'advisory-withdrawn',
        on: '2026-06-04',
        advisory: 'CVE-2026-1',
        text: 'CVE-2026-1 was withdrawn.',
        url: undefined,
      },
    ]);
    expect([...foldJournal(events).advisories.keys()]).toEqual(['x_own-2']);
  });
});
