import { expect, test } from 'vitest';
import { writePlanCalendar } from '../../../src/ask/plan/plan-calendar.ts';
import { computePositionsAfter, findMove } from '../../../src/ask/plan/plan-outcomes.ts';
import { findNextSupportEnd } from '../../../src/ask/plan/tracks.ts';
import { findGreatestTogether, isGood } from '../../../src/ask/plan/pairs.ts';
import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import { identifyExactly } from '../../../src/ask/texts/identify.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { siteOf } from '../../harness/site.ts';
import { day, files } from './planning.ts';

const { index } = openFolder(siteOf(makeRoot(files), day), () => day);

const text = 'svc 2025.4\ncache 20.0\nlib 2.0\nagent 4.2\nsvc 2026.3';
const identified = await identifyExactly(index, await readText(index, text, longestTexts.request));
const { plan, outcomes } = await planVersions(index, identified);
const ends = outcomes.map(({ end }) => end);

test('the calendar of a list has each end of support, with the move and the step', () => {
  const calendar = writePlanCalendar(outcomes, 'https://releases.example.com/');
  const lines = calendar.replaceAll('\r\n ', '').split('\r\n');
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1));

  expect(valuesOf('UID')).toEqual([
    'svc/2025.4/mine@releases.example.com',
    'cache/20.0/mine@releases.example.com',
    'svc/2026.3/mine@releases.example.com',
  ]);
  expect(valuesOf('SUMMARY')).toEqual([
    'Server 2025.4: support ends. Move to 2026.3',
    'Cache node 20.0: support ends. Move to Edge node 2.1',
    'Server 2026.3: support ends',
  ]);
  expect(lines).toContain(
    'DESCRIPTION:Server 2025.4 is supported until 2026-12-31. Move to 2026.3 by 2026-12-31.\\nhttps://releases.example.com/svc.html',
  );
  expect(lines).toContain(
    'DESCRIPTION:Server 2026.3 is supported until 2027-12-30. Nothing is due\\; it is the newest version. Advisories: not known.\\nhttps://releases.example.com/svc.html',
  );
});

test('the move of a version is that of its own component, also in a step of several', () => {
  const move = (component: string, from: string, version: string) => ({
    ...{ component, from, to: { component, version } },
  });
  const together = [move('forge', '15.0', '17.1'), move('lib', '1.2', '2.0')];
  const find = (component: string, version: string) =>
    findMove([{ together }] as never, { component, version }).move?.to.version;

  expect(find('forge', '15.0')).toBe('17.1');
  expect(find('lib', '1.2')).toBe('2.0');
  expect(find('lib', '15.0')).toBeUndefined();
});

test.each([
  ['two bounds may end on its first day', {}, 'may end', '20261231'],
  ['an upper bound only ends by it', { supportedUntil: undefined }, 'has ended by now', '20270331'],
])('an end with %s', (_, more, words, day) => {
  const [first] = outcomes;
  const { input, ...rest } = first!;
  const answer = { ...input.answer, supportedUntilAtMost: '2027-03-31', ...more };
  const calendar = writePlanCalendar(
    [{ ...rest, input: { ...input, answer } }],
    'https://releases.example.com/',
  );

  expect(calendar).toContain(`SUMMARY:Server 2025.4: support ${words}. Move to 2026.3`);
  expect(calendar).toContain(`DTSTART;VALUE=DATE:${day}`);
});

test('each version of a list ends where its step leads, once that step is done', () => {
  const versions = (done: typeof plan.steps) =>
    Array.from(computePositionsAfter(outcomes, done).values(), ({ version }) => version);

  expect(ends.map(({ details, version }) => `${details.component} ${version}`)).toEqual([
    'svc 2026.3',
    'edge 2.1',
    'lib 2.0',
    'agent 4.5',
    'svc 2026.3',
  ]);
  expect(outcomes.map(({ move }) => move?.from)).toEqual([
    '2025.4',
    '20.0',
    undefined,
    '4.2',
    undefined,
  ]);
  expect(versions([])).toEqual(['2025.4', '20.0', '2.0', '4.2', '2026.3']);
  expect(versions(plan.steps.slice(0, 1))).toEqual(['2025.4', '20.0', '2.0', '4.5', '2026.3']);
  expect(versions(plan.steps)).toEqual(['2026.3', '2.1', '2.0', '4.5', '2026.3']);
});

test('each version has the others that it works with, and the greatest that works with them', () => {
  const partners = ends.map((end) =>
    ends
      .filter((other) => isGood(end, other))
      .map(({ details, version }) => `${details.component} ${version}`),
  );

  expect(partners).toEqual([['edge 2.1'], ['svc 2026.3', 'svc 2026.3'], [], [], ['edge 2.1']]);
  expect(ends.map((end) => findGreatestTogether(end.details, ends))).toEqual([
    '2026.3',
    '2.1',
    undefined,
    '4.3.1',
    '2026.3',
  ]);
});

test('the next end of a list is the first that has not passed', () => {
  const staying = outcomes.map((outcome) => {
    const { input, start } = outcome;
    return { input, start, end: start, goal: start };
  });

  expect(findNextSupportEnd(staying, day)).toBe('2026-12-31');
  expect(findNextSupportEnd(staying.toReversed(), '2026-12-31')).toBe('2026-12-31');
  expect(findNextSupportEnd(staying, '2027-01-01')).toBe('2027-12-30');
  expect(findNextSupportEnd(staying, '2028-01-01')).toBeUndefined();
});

test('an event of a calendar is of the first day of its line, exact or at most, else of its end', () => {
  const [first] = outcomes;
  const { input, ...rest } = first!;
  const stampOf = (firstDays: object) => {
    const line = { ...input.judged.line, firstReleaseDate: undefined, ...firstDays };
    const outcome = { ...rest, input: { ...input, judged: { ...input.judged, line } } };

    return /DTSTAMP:(\d+)/.exec(
      writePlanCalendar([outcome as typeof first & object], 'https://releases.example.com/'),
    )![1];
  };

  expect(stampOf({ firstReleaseDate: '2025-11-01' })).toBe('20251101');
  expect(stampOf({ firstReleaseDateAtMost: '2025-11-02' })).toBe('20251102');
  expect(stampOf({})).toBe('20261231');
});

test('a prerelease and a withdrawn version have no end in a calendar, and none before which nothing is due', async () => {
  const ending = {
    'components/svc.json': definition({
      title: 'Server',
      support: { policy: 'dated', lines: { '1.0': '2027-06-01', '1.1': '2027-12-30' } },
      prereleases: true,
    }),
    'data/svc.json': {
      releases: [
        { version: '1.0' },
        { version: '1.0.1-rc-1' },
        { version: '1.0.2', withdrawnSince: '2026-06-01' },
        { version: '1.1' },
      ],
    },
  };
  const { index } = openFolder(siteOf(makeRoot(ending), day), () => day);
  const plansOf = async (text: string) => {
    const read = await readText(index, text, longestTexts.request);
    return planVersions(index, await identifyExactly(index, read));
  };

  const { plan, outcomes } = await plansOf('svc 1.0.1-rc-1');
  const withdrawn = await plansOf('svc 1.0.2');
  const all = [...outcomes, ...withdrawn.outcomes];

  expect(plan.text).toBe('Nothing is due. Advisories: not known.');
  expect(writePlanCalendar(all, 'https://releases.example.com/')).not.toContain('VEVENT');
});
