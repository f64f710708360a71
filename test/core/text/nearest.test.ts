import { expect, test } from 'vitest';
import { findNearest } from '../../../src/core/text/wording.ts';

test.each([
  ['gahter', ['gather', 'search'], 'gather'],
  ['SUPORTLEFT', ['supportLeft'], 'supportLeft'],
  ['build-agent-gradel', ['build-agent-gradle', 'build-agent-maven'], 'build-agent-gradle'],
  ['supportdUntl', ['supportedUntil'], 'supportedUntil'],
  ['nmp', ['npm', 'pypi'], 'npm'],
  ['jan', ['jane'], 'jane'],
  ['foo', ['root', 'to'], undefined],
  ['x', ['to', 'csv'], undefined],
  ['3', ['1', '2'], undefined],
  ['X', ['x'], 'x'],
  ['server', ['serial'], undefined],
  ['tool'.repeat(51), [`${'tool'.repeat(51)}s`], undefined],
])('%j of %j means %j', (typed, names, meant) => {
  expect(findNearest(typed, names)).toBe(meant);
});
