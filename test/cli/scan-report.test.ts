import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  countEntries,
  describeAccount,
  type ScannedItem,
} from '../../src/ask/scan/scan-results.ts';
import { reportScan } from '../../src/cli/scan-report.ts';
import type { Finding } from '../../src/core/schemas/finding.ts';

test('a workflow may have more failures than a call accepts arguments', () => {
  const count = 130_000;
  const failure = { status: 'unsatisfied', thing: 'svc', details: { reason: 'It has ended.' } };
  const scanned = Array.from({ length: count }, (_, position) => ({
    ...{
      position,
      item: { text: `svc@1.${position}` },
      policy: { name: 'supported' },
      scan: failure,
    },
  })) as unknown as ScannedItem[];
  const findings: Finding[] = [];
  const report = {
    finding: (...added: Finding[]) => added.forEach((finding) => findings.push(finding)),
    print: () => undefined,
  };
  const account = { entries: count, judged: count, excepted: 0, 'not ours': 0, unknown: 0 };
  const plan = { items: [], steps: [] };

  const status = reportScan(
    { env: { GITHUB_ACTIONS: 'true' }, options: {}, report } as never,
    { account: { ...account, duplicates: 0 }, scanned, unjudgedInputs: [], plan } as never,
  );

  expect([status, findings.length]).toEqual([1, count]);
  expect(findings.at(-1)).toEqual({
    level: 'error',
    subject: 'svc@1.129999',
    message: 'does not satisfy "supported". It has ended.',
  });
});

test.each([
  { component: 'svc', version: '2.0' },
  { component: 'other', version: '3.0' },
])('an annotation gives no advice but that of the plan, at its file: $component $version', (to) => {
  const details = {
    component: 'svc',
    version: '1.0',
    reason: 'It has ended.',
    moveTo: { component: 'svc', version: '3.0' },
  };
  const scan = {
    status: 'unsatisfied',
    thing: 'svc@1.0',
    details,
    policyRemediation: 'Move to 3.0.',
  };
  const item = { text: 'svc@1.0', file: 'list.txt', line: 2 };
  const failure = { position: 0, item, policy: { name: 'supported' }, scan };
  const move = { component: 'svc', from: '1.0', to };
  const account = { entries: 1, judged: 1, excepted: 0, 'not ours': 0, unknown: 0, duplicates: 0 };
  const plan = { items: [], steps: [move] };
  const findings: Finding[] = [];
  const report = {
    finding: (...added: Finding[]) => findings.push(...added),
    print: () => undefined,
  };

  reportScan(
    { env: { GITHUB_ACTIONS: 'true' }, options: {}, report } as never,
    { account, scanned: [failure], unjudgedInputs: [], plan } as never,
  );

  expect(findings).toEqual([
    {
      level: 'error',
      subject: 'svc@1.0',
      message: 'does not satisfy "supported". It has ended.',
      file: resolve('list.txt'),
      line: 2,
    },
  ]);
});

test.each([
  ['excepted', 'unknown', 'unknown', 'unknown (secure)'],
  ['excepted', 'satisfied', 'excepted', 'excepted until 2026-12-31 (supported)'],
  ['unsatisfied', 'excepted', 'judged', 'unsatisfied (supported)'],
  ['satisfied', 'unknown', 'unknown', 'unknown (secure)'],
])('an entry that is %s and %s counts as %s, as its row says', (one, other, set, cell) => {
  const scanned = [one, other].map((status, index) => ({
    ...{ position: 0, item: { text: 'svc@1.0' }, isUnwatched: false },
    policy: { name: ['supported', 'secure'][index] },
    scan: { status, thing: 'svc@1.0', details: { exception: { until: '2026-12-31' } } },
  })) as unknown as ScannedItem[];
  const printed: unknown[] = [];
  const report = {
    finding: () => undefined,
    print: (...lines: unknown[]) => printed.push(...lines),
  };

  const account = countEntries(1, scanned, 0);
  reportScan(
    { env: {}, options: {}, report } as never,
    { account, scanned, unjudgedInputs: [], plan: { items: [], steps: [] } } as never,
  );

  expect(describeAccount(account)).toMatch(new RegExp(`\\b1 ${set}$`));
  expect(printed).toMatchObject([
    { rows: [['svc@1.0', cell, '-', '-', '-', '-']] },
    ...printed.slice(1),
  ]);
});
