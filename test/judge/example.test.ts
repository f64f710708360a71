import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { requireAll } from '../../src/core/errors.ts';
import { pick } from '../../src/core/objects.ts';
import { readDefinitions, readSettings } from '../../src/core/read-definitions.ts';
import { openData } from '../../src/record/data-files.ts';
import { listEvents } from '../../src/record/journal.ts';
import { exampleDay, exampleRoot, loadExample, program } from '../harness/example.ts';

const file = join(program, 'test/fixtures/example/verdicts.ndjson.gz');
const lines = gunzipSync(readFileSync(file)).toString().trim();
const expectedVerdicts = lines.split('\n').map((line) => JSON.parse(line) as { day: string });
const verdictsByDay = Map.groupBy(expectedVerdicts, ({ day }) => day);
const facts = [
  ...(['version', 'state', 'isDeprecated', 'supportedUntil', 'supportedUntilAtMost'] as const),
  ...(['moveTo', 'moveReason', 'moveBy', 'releasesBehind'] as const),
];

test('the fixture verdicts.ndjson.gz contains 906 expected verdicts for three dates', () => {
  expect([verdictsByDay.size, expectedVerdicts.length]).toEqual([3, 906]);
});

test.each([...verdictsByDay])(
  'on the date %s, each release of the example gets the expected verdict',
  (day, expected) => {
    const judged = loadExample(day).components.flatMap(({ component, releases }) =>
      releases.map((release) => ({ day, component, ...pick(release, facts) })),
    );

    expect(judged).toEqual(expected);
  },
);

test("the journals of the example contain every event of the example's components", () => {
  const { definitions } = readDefinitions(exampleRoot, readSettings(exampleRoot));
  const components = requireAll(openData(exampleRoot).readComponents(definitions));

  expect(components).toHaveLength(16);
  expect(components.flatMap((each) => listEvents(each, exampleDay, ''))).toEqual([]);
});
