import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  listFindingAlerts,
  listHeldAlerts,
  listPublicationAlerts,
  listSourceAlerts,
  listUnpublishedAlerts,
} from '../../../src/run/daily/alerts.ts';
import type { Alert } from '../../../src/run/daily/daily-report.ts';
import type { EarlierRuns } from '../../../src/run/daily/reminders.ts';
import { headings, renderAlerts } from '../../../src/cli/commands/attention.ts';
import { problem } from '../../../src/core/schemas/finding.ts';
import { checkout } from '../../harness/checkout.ts';
import type { HeldChange } from '../../../src/core/schemas/recorded/waits.ts';
import type { Trouble } from '../../../src/decide/component-freshness.ts';
import type { ComponentSummary } from '../../../src/decide/component-summary.ts';

const today = '2026-11-20';
const staleAfterDays = 3;
const noRun: EarlierRuns = { lastDay: undefined, lastWaits: [], allWaits: [] };

const trouble: Trouble = {
  ...{ source: 'npm:svc', kind: 'failed', reason: 'GET … answered 503', failures: 3 },
  lastAnswered: '2026-11-17',
};
const late: Trouble = { ...trouble, lastAnswered: '2026-11-16' };
const isDueAfter = (earlierDay: string, alerts: (earlier: EarlierRuns) => readonly Alert[]) =>
  alerts({ lastDay: earlierDay, lastWaits: [], allWaits: [] }).map(({ isDue }) => isDue);

/** The alerts of components with these troubles. */
function alertsOfComponents(
  troubled: Readonly<Record<string, readonly Trouble[]>>,
  { checkedOn = today, day = today, earlier = noRun } = {},
): Alert[] {
  const summaries = Object.entries(troubled).map(([name, troubles]) => ({
    ...{ name, freshness: { state: 'live', checkedOn, troubles } },
  }));
  const components = summaries as unknown as ComponentSummary[];
  return listSourceAlerts(components, day, staleAfterDays, earlier);
}

const host = 'registry.example answers 503';

test.each<[string, Trouble, since?: string, words?: string]>([
  ['for 3 days', trouble],
  ['for a day', { ...trouble, lastAnswered: '2026-11-19', failures: 1 }],
  ['for 4 days', late, today, 'last answered on 2026-11-16'],
  ['for 6 days', { ...trouble, lastAnswered: '2026-11-14' }, '2026-11-18'],
  [
    'since its first day',
    { ...trouble, lastAnswered: undefined, failures: 1 },
    today,
    'It has never answered',
  ],
  ['with its host since its first day', { ...trouble, lastAnswered: undefined, cause: host }],
  ['as no run has asked it yet', { ...trouble, lastAnswered: undefined, failures: 0 }],
])('a source that is silent %s', (_when, silent, since, words = '') => {
  const id = expect.stringMatching(/^[0-9a-f]{10}$/) as string;
  const cause = 'svc: npm:svc';
  const message = expect.stringContaining(
    `${words}: GET … answered 503. Look at its address in components/svc.json.`,
  ) as string;
  const stale = { id, kind: 'stale', cause, components: ['svc'], message, isDue: true };

  expect(alertsOfComponents({ svc: [silent] })).toEqual(
    since === undefined ? [] : [{ ...stale, since }],
  );
});

test('an outage is due on the fourth day, and on every seventh day since, whatever days were skipped', () => {
  const dueOn = (earlierDay: string, day: string) =>
    isDueAfter(earlierDay, (earlier) => alertsOfComponents({ svc: [late] }, { day, earlier }));

  expect(dueOn('2026-11-18', '2026-11-19')).toEqual([]);
  expect(dueOn('2026-11-19', '2026-11-20')).toEqual([true]);
  expect(dueOn('2026-11-20', '2026-11-21')).toEqual([false]);
  expect(dueOn('2026-11-26', '2026-11-27')).toEqual([true]);
  expect(dueOn('2026-11-27', '2026-11-28')).toEqual([false]);
  expect(dueOn('2026-11-25', '2026-11-29')).toEqual([true]);
});

test('a host that fails sixty components raises one alert, with the same id on the next day', () => {
  const cause = 'registry.example answers 503';
  const names = Array.from({ length: 60 }, (_, index) => `lib-${index}`);
  const failing = (more: object) =>
    Object.fromEntries(names.map((name) => [name, [{ ...late, cause, ...more }]]));

  const [alert, ...others] = alertsOfComponents(failing({}));

  expect(others).toEqual([]);
  const remedy = 'Look whether the host has moved, or needs another credential or proxy.';
  const message = `npm:svc last answered on 2026-11-16: GET … answered 503. ${remedy}`;
  expect(alert).toMatchObject({ kind: 'stale', cause, components: names, message });
  expect(renderAlerts([alert!])).toContain(
    `    ${cause} (60 components: lib-0, lib-1, lib-2, lib-3, lib-4`,
  );
  expect(alertsOfComponents(failing({ failures: 4, reason: 'refused' }))[0]!.id).toBe(alert!.id);
});

const waiting = (component: string, more: Partial<HeldChange> = {}): HeldChange => {
  const id = `${component}-0f1e2d3c4b`;
  return {
    ...{ id, component, kind: 'change', since: '2026-11-18' },
    causes: ['site/site.json#defaults.support@0123456789'],
    reason: '4 of 4 releases in use would change for the worse',
    ...{ losses: 4, examples: ['1.0 deprecated'], command: `npx release-index accept ${id}` },
    ...more,
  };
};

test('an edit for which several components wait raises one alert, with their ids for "accept"', () => {
  expect(listHeldAlerts([waiting('a'), waiting('b')], today, noRun)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{10}$/),
      since: '2026-11-18',
      kind: 'held',
      cause: 'site/site.json#defaults.support@0123456789',
      components: ['a', 'b'],
      message:
        'waits since 2026-11-18: 4 of 4 releases in use would change for the worse. ' +
        'If this is right: npx release-index accept a-0f1e2d3c4b b-0f1e2d3c4b, and commit data/decisions.ndjson.',
      isDue: true,
    },
  ]);
});

test('the alert of an edit names what each component would lose, where they differ', () => {
  const held = Array.from({ length: 7 }, (_, index) =>
    waiting(`c${index}`, { reason: `readers lose ${index} releases` }),
  );

  const [{ message }] = listHeldAlerts(held, today, noRun) as [Alert];

  expect(message).toContain(
    'since 2026-11-18: c0: readers lose 0 releases; c1: readers lose 1 releases; c2: ',
  );
  expect(message).toContain('c4: readers lose 4 releases; and 2 more in data/held.json. If this');
});

test('decisions about one source are alerts of their own, with one command each', () => {
  const npm = { causes: ['npm:a'] };
  const held = [
    waiting('a', { ...npm, id: 'a-1111111111', kind: 'bytes' }),
    waiting('a', { ...npm, id: 'a-2222222222', kind: 'bytes' }),
    waiting('a', { ...npm, id: 'a-3333333333' }),
  ];

  const alerts = listHeldAlerts(held, today, noRun);

  expect(alerts.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  for (const { id, message } of alerts) {
    expect(message.match(/a-\d{10}/g)).toEqual([id]);
  }
});

test('an alert for several components is as old as the first that waits', () => {
  const later = waiting('a', { since: '2026-11-19' });

  expect(listHeldAlerts([later, waiting('b')], today, noRun)).toMatchObject([
    { since: '2026-11-18', message: expect.stringMatching(/^waits since 2026-11-18: /) },
  ]);
});

test('what waits is due on its first day, when it grows, and on every seventh day; a short list from the second', () => {
  const dueOn = (day: string, earlierDay: string, named: HeldChange[], more = {}) =>
    listHeldAlerts([waiting('a', more)], day, {
      lastDay: earlierDay,
      lastWaits: named,
      allWaits: [],
    })[0]!.isDue;
  const list = { kind: 'list' as const };
  const same = [waiting('a')];

  expect(dueOn('2026-11-18', '2026-11-17', [])).toBe(true);
  expect(dueOn('2026-11-19', '2026-11-18', same)).toBe(false);
  expect(dueOn('2026-11-19', '2026-11-18', same, { id: 'a-aaaaaaaaaa' })).toBe(true);
  expect(dueOn('2026-11-24', '2026-11-23', same)).toBe(false);
  expect(dueOn('2026-11-25', '2026-11-24', same)).toBe(true);
  expect(dueOn('2026-11-18', '2026-11-17', [], list)).toBe(false);
  expect(dueOn('2026-11-19', '2026-11-18', same, list)).toBe(true);
  expect(dueOn('2026-11-20', '2026-11-19', same, list)).toBe(false);
});

test('what waits for the third time at one source proposes the key that says so', () => {
  const bytes = (id: string) => waiting('a', { id, kind: 'bytes', causes: ['docker:a'] });
  const proposed = (...ids: string[]) => {
    const allWaits = ids.map(bytes);
    return listHeldAlerts([bytes('a-3333333333')], today, { ...noRun, allWaits })[0]!.message;
  };

  expect(proposed('a-1111111111', 'a-1111111111')).not.toContain('rebuildsTags');
  expect(proposed('a-1111111111', 'a-2222222222')).toContain(
    'If this is usual there, state "rebuildsTags": true at the source docker:a of the definition.',
  );
});

test('components that no run has asked for too long raise one alert', () => {
  const added = { ...trouble, lastAnswered: undefined, failures: 0 };
  expect(alertsOfComponents({ a: [], b: [added] }, { checkedOn: '2026-11-10' })).toMatchObject([
    {
      cause: 'not gathered',
      components: ['a', 'b'],
      message:
        'No run has asked its sources since 2026-11-10. Look whether the job that gathers still runs for it.',
    },
  ]);
  expect(alertsOfComponents({ a: [] }, { checkedOn: '2026-11-17' })).toEqual([]);
});

test('a site that was not published for too long raises an alert, whatever the reason', () => {
  const alertsSince = (day: string, earlier = noRun) => {
    const published = { liveAt: `${day}T05:00:00.000Z`, missingDays: [] };
    return listUnpublishedAlerts(published, today, staleAfterDays, earlier);
  };

  expect(alertsSince('2026-11-16')).toMatchObject([
    { kind: 'stale', cause: 'not published', since: today, isDue: true },
  ]);
  expect(isDueAfter('2026-11-19', (earlier) => alertsSince('2026-11-14', earlier))).toEqual([
    false,
  ]);
  expect(alertsSince('2026-11-17')).toEqual([]);
  const never = { liveAt: undefined, missingDays: [] };
  expect(listUnpublishedAlerts(never, today, staleAfterDays, noRun)).toEqual([]);
});

test('an old site says of which day it is, and which run is missing', () => {
  const alerts = (missingDays: string[], liveAt: string | undefined) =>
    listUnpublishedAlerts({ liveAt, missingDays }, today, staleAfterDays, noRun);
  const words = (missingDays: string[]) =>
    alerts(missingDays, '2026-11-10T05:00:00.000Z').map(({ message }) => message);

  expect(words([])).toEqual([
    'The live site is of 2026-11-10. Look why no later run was published.',
  ]);
  const remedy = 'look at the job that deploys it, and at "releasesUrl" in site/site.json.';
  expect(words(['2026-11-12'])).toEqual([
    `The live site is of 2026-11-10. The host has not published the run of 2026-11-12: ${remedy}`,
  ]);
  expect(alerts(['2026-11-12'], undefined)).toMatchObject([
    {
      since: today,
      message: `There is no live site. The host has not published the run of 2026-11-12: ${remedy}`,
    },
  ]);
});

test('a rejected site raises an alert with its error, and none with a notice', () => {
  const findings = [
    { level: 'notice' as const, subject: 'live site', message: 'nothing there' },
    { level: 'error' as const, subject: 'svc', message: 'would vanish' },
  ];
  expect(listPublicationAlerts({ kind: 'refused', findings }, today)).toMatchObject([
    { kind: 'publish', cause: 'svc', message: 'would vanish' },
  ]);
});

test('each kind of alert, and each link within the runbook, leads to a heading of the runbook', () => {
  const runbook = readFileSync(join(checkout, '.github/RUNBOOK.md'), 'utf8');
  const found = Array.from(runbook.matchAll(/^#+ (.*)$/gm), ([, heading]) => heading!);
  const anchors = found.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = Array.from(runbook.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor!);

  expect(new Set(anchors).size).toBe(anchors.length);
  expect(links).not.toEqual([]);
  expect(anchors).toEqual(expect.arrayContaining(links));
  expect(found).toEqual(expect.arrayContaining(Object.values(headings)));
});

describe('the text of the alerts', () => {
  const alert = {
    ...{ id: '0f1e2d3c4b', since: today, kind: 'stale' as const, components: [] },
    isDue: true,
  };

  test('is empty where there are none', () => {
    expect(renderAlerts([])).toBe('');
  });

  test('lets no text from upstream mention anyone or format anything', () => {
    const text = renderAlerts([
      {
        ...alert,
        cause: 'x`@a/b`\n# <b>',
        components: ['svc'],
        message: '@everyone ``` [x](y) <b>',
      },
    ]);

    expect(text).toBe(
      '### Silent for too long\n\n    x`@a/b` # <b> (svc): @everyone ``` [x](y) <b>\n\n' +
        '`0f1e2d3c4b`, since 2026-11-20. What to do: "Silent for too long" in `.github/RUNBOOK.md`\n',
    );
  });

  test('of the worst day fits what GitHub accepts, and names the place of the rest', () => {
    const alerts = Array.from({ length: 400 }, (_, index) => ({
      ...alert,
      cause: `component-${index}`,
      message: 'é'.repeat(1_000),
    }));

    const text = renderAlerts(alerts);

    expect(Buffer.byteLength(text)).toBeLessThan(65_000);
    const shown = text.match(/^### /gm)!.length;
    expect(text).toContain(`**And ${400 - shown} more**`);
  });
});

test.each([
  ['components/2026.json', ['2026']],
  ['data/journal/2026.ndjson', ['2026']],
  ['data/runs/2026.ndjson', []],
])('a problem of %s is about the components %j', (subject, components) => {
  const findings = [problem(subject, 'lacks a line')];

  expect(listFindingAlerts('input', findings, today, ['2026', 'svc'])).toMatchObject([
    { cause: subject, components },
  ]);
});
