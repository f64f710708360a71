import { expect, test } from 'vitest';
import { createLenient } from '../../../../src/core/schemas/published/lenient.ts';
import { relationKeys } from '../../../../src/core/schemas/definition/about-component.ts';
import { describeProblems } from '../../../../src/core/schemas/problems.ts';
import { ChangesYearFile } from '../../../../src/core/schemas/published/changes-file.ts';
import { SearchFile } from '../../../../src/core/schemas/published/search-file.ts';
import { BuildsFile } from '../../../../src/core/schemas/published/status-file.ts';
import { troubled } from '../../../ask/server/api/recorded-runs.ts';

const release = { version: '1.0', status: 'supported' };

function searchFile(release: object): object {
  const line = { line: '1.0', releases: [release] };
  return { components: { svc: { title: 'Service', policy: 'none', lines: [line] } } };
}

test('a document of this program passes', () => {
  expect(createLenient(SearchFile).safeParse(searchFile(release)).success).toBe(true);
});

test.each([
  ['an unknown key', { ...release, licence: 'MIT' }],
  ['an unknown word', { ...release, status: 'forgotten' }],
])('%s of a newer program passes, which the schema itself rejects', (_, release) => {
  expect(SearchFile.safeParse(searchFile(release)).success).toBe(false);
  expect(createLenient(SearchFile).safeParse(searchFile(release)).success).toBe(true);
});

test('a change that is about something new passes', () => {
  const changes = [
    {
      id: 'svc/7',
      at: '2026-01-01T00:00:00.000Z',
      type: 'audited',
      on: '2026-01-01',
      component: 'svc',
      auditor: 'somebody',
      text: '1.0 was audited.',
    },
  ];

  expect(createLenient(ChangesYearFile).safeParse({ changes }).success).toBe(true);
});

test('a run with a trouble of a new kind passes', () => {
  const troubles = [{ ...troubled.troubles![0], kind: 'postponed' }];

  expect(createLenient(BuildsFile).safeParse({ builds: [troubled] }).success).toBe(true);
  expect(createLenient(BuildsFile).safeParse({ builds: [{ ...troubled, troubles }] }).success).toBe(
    true,
  );
});

test('an unknown key in one of several forms passes', () => {
  const { upgradeStops } = relationKeys;
  const stops = ['15.10', { at: '15.11', ticket: 'PLAN-42' }];

  expect(upgradeStops.safeParse(stops).success).toBe(false);
  expect(createLenient(upgradeStops).safeParse(stops).success).toBe(true);
  expect(createLenient(upgradeStops).safeParse([15]).success).toBe(false);
});

test('a number in the place of a version is rejected', () => {
  const document = searchFile({ ...release, version: 1 });

  expect(describeProblems(document, createLenient(SearchFile))).toEqual([
    'components.svc.lines[0].releases[0].version: expected string; got 1',
  ]);
});

test('checks other than of keys and words stay', () => {
  expect(createLenient(ChangesYearFile).safeParse({ changes: [] }).success).toBe(false);
});
