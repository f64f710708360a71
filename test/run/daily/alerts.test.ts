import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  Alert,
  alertText,
  publicationAlerts,
  remedyUrl,
  sourceAlerts,
  unpublishedAlerts,
} from '../../../src/run/daily/alerts.ts';
import { checkout } from '../../harness/checkout.ts';
import type { Trouble } from '../../../src/decide/component-freshness.ts';
import type { ComponentSummary } from '../../../src/decide/component.ts';

const today = '2026-11-20';

const trouble: Trouble = {
  ...{ source: 'npm:svc', kind: 'failed', reason: 'GET … answered 503', failures: 3 },
  lastAnswered: '2026-11-17',
};
const late: Trouble = { ...trouble, lastAnswered: '2026-11-16' };

/** The alerts of components with these troubles. */
function alertsOfComponents(
  troubled: Readonly<Record<string, readonly Trouble[]>>,
  checkedOn = today,
): Alert[] {
  const summaries = Object.entries(troubled).map(([name, troubles]) => ({
    ...{ name, freshness: { state: 'live', checkedOn, troubles } },
  }));
  return sourceAlerts(summaries as unknown as ComponentSummary[], today, 3);
}

test.each<[string, Trouble, since?: string]>([
  ['for 3 days', trouble],
  ['for a day', { ...trouble, lastAnswered: '2026-11-19', failures: 1 }],
  ['for 4 days', late, 'last answered on 2026-11-16'],
  ['on the first 3 days', { ...trouble, lastAnswered: undefined }],
  [
    'on the first 4 days',
    { ...trouble, lastAnswered: undefined, failures: 4 },
    'has not answered for 4 days',
  ],
])('a source that is silent %s', (_when, silent, since) => {
  const remedy = 'GET … answered 503. Look at its address in components/svc.json.';
  const id = expect.stringMatching(/^[0-9a-f]{10}$/) as string;
  const stale = { id, since: today, kind: 'stale', cause: 'svc: npm:svc', components: ['svc'] };

  expect(alertsOfComponents({ svc: [silent] })).toEqual(
    since === undefined ? [] : [{ ...stale, message: `npm:svc ${since}: ${remedy}` }],
  );
});

test('a host that fails sixty components raises one alert, with the same id on the next day', () => {
  const cause = 'registry.example answers 503';
  const names = Array.from({ length: 60 }, (_, index) => `lib-${index}`);
  const failing = (more: object) =>
    Object.fromEntries(names.map((name) => [name, [{ ...late, cause, ...more }]]));

  const [alert, ...others] = alertsOfComponents(failing({}));

  expect(others).toEqual([]);
  expect(alert).toMatchObject({ kind: 'stale', cause, components: names });
  expect(alertText([alert!])).toContain(
    `    ${cause} (60 components: lib-0, lib-1, lib-2, lib-3, lib-4`,
  );
  expect(alertsOfComponents(failing({ failures: 4, reason: 'refused' }))[0]!.id).toBe(alert!.id);
});

const waiting = (id: string, more: Partial<Trouble> = {}): Trouble => ({
  source: 'site/site.json#defaults.support',
  kind: 'held',
  waits: 'component',
  heldSince: '2026-11-18',
  failures: 0,
  reason: '4 of 4 releases in use would change for the worse',
  id,
  ...more,
});

test('an edit for which several components wait raises one alert, with their ids for "accept"', () => {
  const [a, b] = [waiting('a-0f1e2d3c4b'), waiting('b-1f1e2d3c4b')];

  expect(alertsOfComponents({ a: [a], b: [b] })).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{10}$/),
      since: '2026-11-18',
      kind: 'held',
      cause: 'site/site.json#defaults.support',
      components: ['a', 'b'],
      message:
        'waits since 2026-11-18: 4 of 4 releases in use would change for the worse. ' +
        'If this is right: npx release-index accept a-0f1e2d3c4b b-1f1e2d3c4b, and commit data/decisions.ndjson.',
      accept: ['a-0f1e2d3c4b', 'b-1f1e2d3c4b'],
    },
  ]);
});

test('an alert keeps its id while its cause lasts, and each kind of wait has its own', () => {
  const idsOf = (...troubles: Trouble[]) => alertsOfComponents({ a: troubles }).map(({ id }) => id);
  const npm = { source: 'npm:a' };

  const first = idsOf(waiting('a-0000000000', { ...npm, waits: 'bytes' }));
  const moved = idsOf(waiting('a-1111111111', { ...npm, waits: 'bytes', heldSince: '2026-11-19' }));
  const both = idsOf(
    waiting('a-2222222222', { ...npm, waits: 'bytes', reason: '1.1 was republished' }),
    waiting('a-3333333333', npm),
  );

  expect(moved).toEqual(first);
  expect(both[0]).toBe(first[0]);
  expect(both[1]).not.toBe(first[0]);
});

test.each<[string, Partial<Trouble>, Partial<Trouble>, stale: number]>([
  ['since the edit', { lastAnswered: '2026-11-15', failures: 5 }, {}, 0],
  ['since its host failed, shortly before', { lastAnswered: '2026-11-13', failures: 7 }, {}, 0],
  ['since the edit, and never answered', { lastAnswered: undefined, failures: 5 }, {}, 0],
  ['for too long before the edit', { lastAnswered: '2026-11-12', failures: 8 }, {}, 1],
  ['since the edit, with its host', { lastAnswered: '2026-11-15', cause: 'x answers 503' }, {}, 1],
  [
    'and other bytes wait',
    { lastAnswered: '2026-11-15' },
    { source: 'npm:svc', waits: 'bytes' },
    1,
  ],
  ['and a default waits', { lastAnswered: '2026-11-15' }, { source: 'site/site.json#x' }, 1],
])('a source that is silent %s has an alert of its own or not', (_, silent, wait, stale) => {
  const edit = { source: 'components/svc.json', heldSince: '2026-11-16', ...wait };
  const alerts = alertsOfComponents({
    svc: [waiting('svc-0f1e2d3c4b', edit), { ...trouble, ...silent }],
  });

  expect(alerts.map(({ kind }) => kind)).toEqual(['held', ...(stale > 0 ? ['stale'] : [])]);
});

test('components that no run has asked for too long raise one alert', () => {
  expect(alertsOfComponents({ a: [], b: [] }, '2026-11-10')).toMatchObject([
    { cause: 'not gathered', components: ['a', 'b'] },
  ]);
  expect(alertsOfComponents({ a: [] }, '2026-11-17')).toEqual([]);
});

test('a site that was not published for too long raises an alert, whatever the reason', () => {
  const at = (day: string) => `${day}T05:00:00.000Z`;

  expect(unpublishedAlerts(at('2026-11-16'), today, 3)).toMatchObject([
    { kind: 'stale', cause: 'not published' },
  ]);
  expect(unpublishedAlerts(at('2026-11-17'), today, 3)).toEqual([]);
  expect(unpublishedAlerts(undefined, today, 3)).toEqual([]);
});

test('a rejected site raises an alert with its error, and none with a notice', () => {
  const findings = [
    { level: 'notice' as const, subject: 'live site', message: 'nothing there' },
    { level: 'error' as const, subject: 'svc', message: 'would vanish' },
  ];
  expect(publicationAlerts({ kind: 'refused', findings }, today)).toMatchObject([
    { kind: 'publish', cause: 'svc', message: 'would vanish' },
  ]);
});

test('each kind of alert, and each link within the runbook, leads to a heading of the runbook', () => {
  const runbook = readFileSync(join(checkout, '.github/RUNBOOK.md'), 'utf8');
  const anchors = Array.from(runbook.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [
    ...Alert.shape.kind.options.map((kind) => remedyUrl({ kind }).split('#')[1]),
    ...Array.from(runbook.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor),
  ];

  expect(new Set(anchors).size).toBe(anchors.length);
  expect(links.length).toBeGreaterThan(Alert.shape.kind.options.length);
  for (const link of links) {
    expect(anchors).toContain(link);
  }
});

describe('the text of the alerts', () => {
  const alert = { id: '0f1e2d3c4b', since: today, kind: 'stale' as const, components: [] };

  test('is empty where there are none', () => {
    expect(alertText([])).toBe('');
  });

  test('lets no text from upstream mention anyone or format anything', () => {
    const text = alertText([
      {
        ...alert,
        cause: 'x`@a/b`\n# <b>',
        components: ['svc'],
        message: '@everyone ``` [x](y) <b>',
      },
    ]);

    const remedy =
      'https://github.com/example/release-index/blob/v1.0.0/.github/RUNBOOK.md#silent-for-too-long';
    expect(text).toBe(
      '### Silent for too long\n\n    x`@a/b` # <b> (svc): @everyone ``` [x](y) <b>\n\n' +
        `\`0f1e2d3c4b\`, since 2026-11-20. [What to do](${remedy})\n`,
    );
  });

  test('of the worst day fits what GitHub accepts, and names the place of the rest', () => {
    const alerts = Array.from({ length: 400 }, (_, index) => ({
      ...alert,
      cause: `component-${index}`,
      message: 'é'.repeat(1_000),
    }));

    const text = alertText(alerts);

    expect(Buffer.byteLength(text)).toBeLessThan(65_000);
    const shown = text.match(/^### /gm)!.length;
    expect(text).toContain(`**And ${400 - shown} more**`);
  });
});
