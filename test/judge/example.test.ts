import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Component } from '../../src/core/schema/published.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { readDefinitions, readSettings } from '../../src/core/index/read-folder.ts';
import { openData } from '../../src/record/files.ts';
import { listEvents } from '../../src/record/journal.ts';
import { exampleDay, exampleRoot, program } from '../harness/example.ts';

const example = join(program, 'test/fixtures/example');
const lines = gunzipSync(readFileSync(join(example, 'verdicts.ndjson.gz')))
  .toString()
  .trim();
const expectedVerdicts = lines.split('\n').map((line) => JSON.parse(line) as { day: string });
const verdictsByDay = Map.groupBy(expectedVerdicts, ({ day }) => day);

/** By component and day: the reasons to move, and how many verdicts have them without `moveTo`. */
const { nothingToMoveTo } = JSON.parse(readFileSync(join(example, 'differences.json'), 'utf8')) as {
  nothingToMoveTo: Record<string, Record<string, Record<string, number>>>;
};

const { definitions } = readDefinitions(exampleRoot, readSettings(exampleRoot));
const data = openData(exampleRoot);
const subjects = Array.from(definitions, ([name, definition]) => ({
  name,
  definition,
  recorded: data.readRecorded(name),
}));

function listVerdicts(day: string, components: readonly Component[]) {
  return components.flatMap((judged) =>
    judged.releases.map((release) => {
      const { component } = judged;
      const { version, state, isDeprecated, moveTo, moveReason, moveBy, releasesBehind } = release;
      const { supportedUntil, supportedUntilAtMost } = release;
      return {
        ...{ day, component, version, state, isDeprecated, supportedUntil, supportedUntilAtMost },
        ...{ moveTo, moveReason, moveBy, releasesBehind },
      };
    }),
  );
}

test('there are verdicts of three days', () => {
  expect([verdictsByDay.size, expectedVerdicts.length]).toEqual([3, 906]);
});

const judgedByDay = new Map(
  Array.from(verdictsByDay.keys(), (day) => [day, listVerdicts(day, judgeAll(subjects, day))]),
);

test.each([...verdictsByDay])('judges the releases of the example on %s', (day, expected) => {
  // `differences.json` has the reasons without a target.
  const judged = judgedByDay
    .get(day)!
    .map((verdict) => ({ ...verdict, moveReason: verdict.moveTo && verdict.moveReason }));

  expect(judged).toEqual(expected);
});

test('says why to move also where there is nothing to move to, of the releases in differences.json alone', () => {
  const counts: typeof nothingToMoveTo = {};
  for (const { day, component, moveReason, moveTo } of [...judgedByDay.values()].flat()) {
    if (moveReason && !moveTo) {
      const ofDay = ((counts[component] ??= {})[day] ??= {});
      ofDay[moveReason] = (ofDay[moveReason] ?? 0) + 1;
    }
  }

  expect(counts).toEqual(nothingToMoveTo);
});

test('the journals of the example, of which many are in former forms, tell all that its components say', () => {
  expect(subjects).toHaveLength(16);
  expect(listEvents(data.readComponents(definitions), exampleDay, '').size).toBe(0);
});
