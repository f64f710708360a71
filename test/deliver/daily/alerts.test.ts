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
  const asked = (...troubles: Trouble[]) =>
    sourceAlerts([{ name: 'svc', freshness: { troubles } } as unknown as ComponentSummary], today, 3);

  test('not for a source that is silent for as long as it may be', () => {
    expect(asked(trouble)).toEqual([]);
    expect(asked({ ...trouble, lastAnswered: '2026-11-19', failures: 1 })).toEqual([]);
  });

  test('for one that is silent for longer', () => {
    expect(asked({ ...trouble, lastAnswered: '2026-11-16' })).toEqual([
      {
        kind: 'stale',
        subject: 'svc',
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

  test('for one that is held, at once', () => {
    const held: Trouble = {
      ...trouble,
      kind: 'held',
      id: '0f1e2d3c4b',
      heldSince: today,
      reason: 'no longer lists 2026.6',
      failures: 0,
    };
    expect(asked(held)).toEqual([
      {
        kind: 'held',
        subject: 'svc',
        message:
          'npm:svc has been held since 2026-11-20: no longer lists 2026.6. ' +
          'If upstream is right: npx release-index accept 0f1e2d3c4b, and commit data/decisions.ndjson.',
      },
    ]);
  });

  test('for a site that was refused, and not for a notice about one', () => {
    const findings = [
      { level: 'notice' as const, subject: 'live site', message: 'nothing there' },
      { level: 'error' as const, subject: 'svc', message: 'would vanish' },
    ];
    expect(publicationAlerts({ kind: 'refused', findings })).toEqual([
      { kind: 'publish', subject: 'svc', message: 'would vanish' },
    ]);
  });
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
    ...Alert.shape.kind.options.map((kind) => remedyUrl({ kind, subject: '', message: '' }).split('#')[1]),
    ...Array.from(runbook.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor),
  ];

  expect(new Set(anchors).size).toBe(anchors.length);
  expect(links.length).toBeGreaterThan(Alert.shape.kind.options.length);
  for (const link of links) expect(anchors).toContain(link);
});

describe('the text of the alerts', () => {
  test('is empty where there are none', () => {
    expect(alertText([])).toBe('');
  });

  test('lets no text from upstream mention anyone or format anything', () => {
    const text = alertText([
      { kind: 'stale', subject: 'x`@a/b`\n# <b>', message: '@everyone ``` [x](y) <b>' },
    ]);

    const remedy =
      'https://github.com/example/release-index/blob/v1.0.0/.github/RUNBOOK.md#silent-for-too-long';
    expect(text).toBe(
      `### Silent for too long\n\n    x\`@a/b\` # <b>: @everyone \`\`\` [x](y) <b>\n\n[What to do](${remedy})\n`,
    );
  });

  test('of the worst day fits what GitHub accepts, and names the place of the rest', () => {
    const alerts = Array.from({ length: 400 }, (_, index) => ({
      kind: 'held' as const,
      subject: `component-${index}`,
      message: 'é'.repeat(1_000),
    }));

    const text = alertText(alerts);

    expect(Buffer.byteLength(text)).toBeLessThan(65_000);
    const shown = text.match(/^### /gm)!.length;
    expect(text).toContain(`**And ${400 - shown} more**`);
  });
});
