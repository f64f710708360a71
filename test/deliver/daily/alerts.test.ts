import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  Alert,
  alertText,
  publicationAlerts,
  remedyUrl,
  sourceAlerts,
} from '../../../src/deliver/daily/alerts.ts';
import { checkout } from '../../harness/checkout.ts';
import type { Trouble } from '../../../src/decide/component-freshness.ts';
import type { ComponentSummary } from '../../../src/decide/component.ts';

const today = '2026-11-20';

describe('an alert is raised', () => {
  const trouble: Trouble = {
    source: 'npm:svc',
    kind: 'failed',
    reason: 'GET … answered 503',
    failures: 3,
    lastAnswered: '2026-11-17',
  };
  const asked = (...troubles: Trouble[]) => alertsOfComponents([['svc', troubles]]);

  test('not for a source that is silent for as long as it may be', () => {
    expect(asked(trouble)).toEqual([]);
    expect(asked({ ...trouble, lastAnswered: '2026-11-19', failures: 1 })).toEqual([]);
  });

  test('for one that is silent for longer', () => {
    expect(asked({ ...trouble, lastAnswered: '2026-11-16' })).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{10}$/),
        since: today,
        kind: 'stale',
        cause: 'svc: npm:svc',
        components: ['svc'],
        message:
          'npm:svc last answered on 2026-11-16: GET … answered 503. Look at its address in components/svc.json.',
      },
    ]);
  });

  test('for one that has never answered', () => {
    const { lastAnswered: _, ...never } = trouble;
    expect(asked({ ...never, failures: 3 })).toEqual([]);
    expect(asked({ ...never, failures: 4 })[0]!.message).toContain('npm:svc has not answered for 4 days');
  });

  test('once for a host that fails sixty components, under the same id the next day', () => {
    const cause = 'registry.example answers 503';
    const names = Array.from({ length: 60 }, (_, index) => `lib-${index}`);
    const down = names.map((name) => [name, [{ ...trouble, lastAnswered: '2026-11-16', cause }]] as const);
    const next = names.map(
      (name) =>
        [name, [{ ...trouble, lastAnswered: '2026-11-16', cause, failures: 4, reason: 'refused' }]] as const,
    );

    const [alert, ...others] = alertsOfComponents(down);

    expect(others).toEqual([]);
    expect(alert).toMatchObject({ kind: 'stale', cause, components: names });
    expect(alertText([alert!])).toContain(`    ${cause} (60 components: lib-0, lib-1, lib-2, lib-3, lib-4`);
    expect(alertsOfComponents(next)[0]!.id).toBe(alert!.id);
  });

  test('once for one edit that is held in several components, under the id that "accept" takes', () => {
    const held: Trouble = {
      source: 'site/site.json',
      kind: 'held',
      id: '0f1e2d3c4b',
      heldSince: '2026-11-18',
      reason: 'ends 109 lines of 60 components',
      failures: 0,
    };
    expect(
      alertsOfComponents([
        ['a', [held]],
        ['b', [held]],
      ]),
    ).toEqual([
      {
        id: '0f1e2d3c4b',
        since: '2026-11-18',
        kind: 'held',
        cause: 'site/site.json',
        components: ['a', 'b'],
        message:
          'held since 2026-11-18: ends 109 lines of 60 components. ' +
          'If this is intended: npx release-index accept 0f1e2d3c4b, and commit data/decisions.ndjson.',
      },
    ]);
  });

  test('once for all components that no run has asked for too long', () => {
    const [alert, ...others] = alertsOfComponents(
      [
        ['a', []],
        ['b', []],
        ['c', []],
      ],
      '2026-11-10',
    );

    expect(others).toEqual([]);
    expect(alert).toMatchObject({ cause: 'not gathered', components: ['a', 'b', 'c'] });
    expect(alertsOfComponents([['a', []]], '2026-11-17')).toEqual([]);
  });

  test('for a site that was refused, and not for a notice about one', () => {
    const findings = [
      { level: 'notice' as const, subject: 'live site', message: 'nothing there' },
      { level: 'error' as const, subject: 'svc', message: 'would vanish' },
    ];
    expect(publicationAlerts({ kind: 'refused', findings }, today)).toMatchObject([
      { kind: 'publish', cause: 'svc', message: 'would vanish' },
    ]);
  });
});

function alertsOfComponents(
  troubled: readonly (readonly [string, readonly Trouble[]])[],
  checkedOn = today,
): Alert[] {
  const summaries = troubled.map(([name, troubles]) => ({
    name,
    freshness: { state: 'live', checkedOn, troubles },
  }));
  return sourceAlerts(summaries as unknown as ComponentSummary[], today, 3);
}

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
  for (const link of links) expect(anchors).toContain(link);
});

describe('the text of the alerts', () => {
  const alert = { id: '0f1e2d3c4b', since: today, kind: 'stale' as const, components: [] };

  test('is empty where there are none', () => {
    expect(alertText([])).toBe('');
  });

  test('lets no text from upstream mention anyone or format anything', () => {
    const text = alertText([
      { ...alert, cause: 'x`@a/b`\n# <b>', components: ['svc'], message: '@everyone ``` [x](y) <b>' },
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
