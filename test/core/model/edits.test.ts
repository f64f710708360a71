import { expect, test } from 'vitest';
import { foldEdits, listChangeSentences } from '../../../src/core/model/edits.ts';
import type { PublishedChange } from '../../../src/core/schemas/published/changes-file.ts';

const edit = 'components/svc.json#support@1';
const change = (number: number, more: object): PublishedChange =>
  ({
    id: `svc/${number}`,
    at: '2026-06-01T04:00:00Z',
    component: 'svc',
    text: `Event ${number}.`,
    ...more,
  }) as never;

test('the events of an edit are one entry, at the place of the newest, and other events stay', () => {
  const changes = [
    change(5, { type: 'released', version: '2.0' }),
    change(4, { type: 'support-announced', line: '1.1', edit }),
    change(3, { type: 'support-announced', line: '1.0', edit }),
    change(2, { type: 'deprecated', version: '1.0', edit, at: '2026-05-01T04:00:00Z' }),
  ];

  const folded = foldEdits(changes);

  expect(folded[0]).toBe(changes[0]);
  expect(folded.slice(1)).toMatchObject([
    { id: 'svc/4', text: 'support in components/svc.json was edited: 2 release lines changed.' },
    { id: 'svc/2', text: 'support in components/svc.json was edited: 1 release changed.' },
  ]);
  expect(
    folded.flatMap((entry) => (entry.type === 'edited' ? listChangeSentences(entry) : [])),
  ).toEqual(['Event 4.', 'Event 3.', 'Event 2.']);
});

test('events without an edit are entries of their own, also at one instant', () => {
  const changes = [change(2, { type: 'released' }), change(1, { type: 'released' })];

  expect(foldEdits(changes)).toEqual(changes);
});

test('an edit of a default names the components, the numbers of their lines and releases, and its last event', () => {
  const key = 'site/site.json@2';
  const changes = [
    change(9, { component: 'b', line: '1.0', edit: key }),
    change(10, { component: 'a', line: '1.1', version: '1.1.1', edit: key }),
    change(8, { component: 'a', line: '1.0', edit: key }),
  ];

  const [entry, ...others] = foldEdits(changes);

  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    ...{ id: 'svc/10', type: 'edited', edit: key, components: ['a', 'b'], changes },
    text: 'site/site.json was edited: 2 release lines and 1 release of a, b changed.',
  });
  expect(entry?.type === 'edited' && listChangeSentences(entry)).toEqual([
    'b: Event 9.',
    'a: Event 10.',
    'a: Event 8.',
  ]);
});

test('an edit that changes neither lines nor releases names the number of components', () => {
  const replaced = change(1, { type: 'replaced', edit });
  const textOf = (...changes: PublishedChange[]) => foldEdits(changes)[0]?.text;

  expect(textOf(replaced)).toBe('support in components/svc.json was edited: 1 component changed.');
  expect(textOf(replaced, change(2, { line: '1.0', edit }))).toBe(
    'support in components/svc.json was edited: 1 release line changed.',
  );
});

test.each([
  [200, 200, undefined],
  [201, 201, 'And 1 more, in changes/2026.json.'],
  [203, 201, 'And 3 more, in changes/2026.json.'],
])('of an edit with %i changes, %i sentences are listed, the last is %j', (count, listed, rest) => {
  const changes = Array.from({ length: count }, (_, index) =>
    change(index, { line: `1.${index}`, edit }),
  );
  const [entry] = foldEdits([...changes, changes[0]!]);
  const sentences = entry?.type === 'edited' ? listChangeSentences(entry) : [];

  expect(sentences).toHaveLength(listed);
  expect(sentences.at(-1)).toBe(rest ?? `Event ${count - 1}.`);
});
