import { expect, test } from 'vitest';
import { createVersionTest } from '../../../src/core/model/selected-versions.ts';

test.each([
  [
    ['1.0', 'v2.0'],
    ['v1.0', '2.0', 'latest', '1.1'],
    [true, true, false, false],
  ],
  ['>=1.0', ['1.0.0', '0.9', 'latest'], [true, false, false]],
])('of %j, the versions %j are selected: %j', (selected, versions, expected) => {
  expect(versions.map(createVersionTest(selected))).toEqual(expected);
});
