import { expect, test } from 'vitest';
import { problem } from '../../src/core/schemas/finding.ts';
import { lostEvents } from '../../src/deliver/publish/lost-events.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { listHeldFindings, saveStop, toHeldChange } from '../../src/run/held-changes.ts';
import { digestInputs } from '../../src/site/inputs.ts';
import { checkout } from '../harness/checkout.ts';
import { makeRoot } from '../harness/root.ts';

const definition = 'components/svc.json';
const data = ['data/svc.json', 'data/journal/svc.ndjson'];

const wait = {
  id: 'svc-0123456789',
  component: 'svc',
  kind: 'files',
  since: '2026-11-20',
  reason: 'is damaged',
  items: ['is damaged'],
} as const;

/** The command that restores files whose definition is good in `a`, and whose data is good in `b`. */
const restore = (causes: string[]) =>
  toHeldChange({ ...wait, items: [...wait.items], causes, commit: 'a', dataCommit: 'b' }).command;

test('restores data from its own commit, although the definition was edited, too', () => {
  expect(restore(data)).toBe('git restore --source=b -- data/svc.json data/journal/svc.ndjson');
});

test('restores a definition and data from the commit of each', () => {
  expect(restore([definition, ...data])).toBe(
    `git restore --source=a -- ${definition} && git restore --source=b -- ${data.join(' ')}`,
  );
});

test('a finding about several damaged files leads to the first', () => {
  const held = toHeldChange({ ...wait, items: [...wait.items], causes: data });

  expect(listHeldFindings([held])).toMatchObject([{ subject: data.join(', '), file: data[0] }]);
});

test('a stop after the build does not make the built site outdated', () => {
  const root = openRoot(makeRoot({ 'data/svc.json': {} }), checkout);
  const inputs = digestInputs(root);

  const lost = { ...problem('live site', 'would lose svc/1'), kind: lostEvents };
  saveStop(root, '2026-11-20', [lost]);

  expect(digestInputs(root)).toBe(inputs);
});
