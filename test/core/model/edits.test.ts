import { expect, test } from 'vitest';
import { foldEdits, listSentences } from '../../../src/core/model/edits.ts';
import type { PublishedChange } from '../../../src/core/schemas/published/small-files.ts';

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

  expect(folded).toMatchObject([
    { id: 'svc/5' },
    { id: 'svc/4', text: 'support in components/svc.json was edited: 2 release lines changed.' },
    { id: 'svc/2', text: 'support in components/svc.json was edited: 1 release changed.' },
  ]);
  expect(folded.flatMap((entry) => (entry.type === 'edited' ? listSentences(entry) : []))).toEqual([
    'Event 4.',
    'Event 3.',
    'Event 2.',
  ]);
});
