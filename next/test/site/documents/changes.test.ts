import { describe, expect, test } from 'vitest';
import { listAllChanges, listChanges, renderChanges } from '../../../src/site/documents/changes.ts';
import type { Event } from '../../../src/core/schema/events.ts';
import { judgeComponents } from '../../harness/components.ts';
import { loadExample } from '../../harness/example.ts';

const at = '2026-11-20T06:00:00.000Z';
const later = '2026-11-21T06:00:00.000Z';

describe('an event in words', () => {
  const { components } = judgeComponents({ svc: { definition: { title: 'Server' } } });
  const cases: [Partial<Event>, string][] = [
    [
      { type: 'released', version: '2026.3', on: '2026-11-20' },
      'Server 2026.3 was released on 2026-11-20.',
    ],
    [
      { type: 'released', version: '2026.3', on: '2026-11-20', isObserved: true },
      'Server 2026.3 was released on or before 2026-11-20.',
    ],
    [
      { type: 'released', version: '2026.3', on: '2026-11-20', timestampKind: 'observed' },
      'Server 2026.3 was released on or before 2026-11-20.',
    ],
    [{ type: 'withdrawn', version: '2026.3' }, 'Server 2026.3 was withdrawn.'],
    [{ type: 'relisted', version: '2026.3' }, 'Server 2026.3 is listed again.'],
    [{ type: 'excluded', version: '2026.3' }, 'Server 2026.3 is no longer in this index.'],
    [{ type: 'included', version: '2026.3' }, 'Server 2026.3 is in this index again.'],
    [
      { type: 'deprecated', version: '2026.3', reason: 'Loses data' },
      'Server 2026.3 is deprecated. Loses data.',
    ],
    [{ type: 'restored', version: '2026.3' }, 'Server 2026.3 is no longer deprecated.'],
    [
      { type: 'corrected', version: '2026.3', field: 'day', from: '2026-11-20', to: '2026-11-19' },
      'Server 2026.3 was corrected: its day is 2026-11-19 now.',
    ],
    [{ type: 'republished', version: '2026.3' }, 'Server 2026.3 has other bytes than recorded.'],
    [
      { type: 'support-changed', line: '2026.3', to: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20.',
    ],
    [
      { type: 'support-changed', line: '2026.3', from: '2028-01-01', to: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20, not 2028-01-01.',
    ],
    [
      { type: 'support-changed', line: '2026.3', toAtMost: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20 at the latest.',
    ],
    [
      { type: 'support-changed', line: '2026.3', from: '2028-01-01' },
      'Server 2026.3 has no stated end of support, not 2028-01-01.',
    ],
    [
      { type: 'support-announced', line: '2026.3', to: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20.',
    ],
    [
      { type: 'support-ending', line: '2026.3', on: '2026-12-31' },
      'Server 2026.3 will soon be out of support: its last sure day is 2026-12-31.',
    ],
    [{ type: 'support-ended', line: '2026.3' }, 'Server 2026.3 is no longer supported.'],
    [
      { type: 'advisory-published', advisory: 'CVE-2026-1', to: '<2026.3' },
      'Advisory CVE-2026-1 on Server was published: it affects <2026.3.',
    ],
    [
      { type: 'advisory-changed', advisory: 'CVE-2026-1', to: '<2026.2' },
      'Advisory CVE-2026-1 on Server was changed: it affects <2026.2.',
    ],
    [
      { type: 'advisory-withdrawn', advisory: 'CVE-2026-1' },
      'Advisory CVE-2026-1 on Server was withdrawn.',
    ],
    [{ type: 'replaced', to: 'next' }, 'Server is replaced by next.'],
    [{ type: 'replaced', from: 'next' }, 'Server is no longer replaced.'],
  ];

  test.each(cases)('%j', (event, text) => {
    const journal = [{ id: 1, at, on: '2026-11-20', ...event } as Event];

    expect(listChanges(components[0]!, journal)).toEqual([
      { at, on: '2026-11-20', ...event, id: 'svc/1', component: 'svc', text },
    ]);
  });
});

const released = (version: string, instant: string) => ({
  type: 'released',
  version,
  at: instant,
  on: '2026-11-20',
});

describe('changes', () => {
  const index = judgeComponents({
    a: { journal: [released('1.0', at), released('1.1', later)] },
    b: {
      definition: { renamedFrom: ['first', 'second'] },
      journal: [
        released('1.0', at),
        released('1.1', at),
        released('2.0', '2025-12-31T23:59:59.999Z'),
      ],
    },
  });

  test('are newest first, of a run by component and number, under the first name', () => {
    const ids = listAllChanges(index).map(({ id }) => id);

    expect(ids).toEqual(['a/2', 'first/2', 'first/1', 'a/1', 'first/3']);
  });

  test('are written by year, with a line for each', () => {
    const files = new Map(renderChanges(listAllChanges(index), index));

    expect([...files.keys()]).toEqual(['changes.json', 'changes/2026.json', 'changes/2025.json']);
    expect(files.get('changes/2025.json')!.split('\n')).toHaveLength(4);
  });

  test('of which only the newest 1,000 are in changes.json', () => {
    const many = Array.from({ length: 1001 }, (_, place) => released(`1.${place}`, at));
    const full = judgeComponents({ a: { journal: many } });
    const files = new Map(renderChanges(listAllChanges(full), full));
    const list = (path: string): { id: string }[] => JSON.parse(files.get(path)!).changes;

    expect(list('changes.json')).toHaveLength(1000);
    expect(list('changes.json').at(-1)!.id).toBe('a/2');
    expect(list('changes/2026.json')).toHaveLength(1001);
  });

  test('of no run are an empty list', () => {
    const files = new Map(renderChanges([], judgeComponents({})));

    expect(Object.fromEntries(files)).toEqual({ 'changes.json': '{"changes": [\n]}\n' });
  });

  test('of the example keep their ids, and its runs their place', () => {
    const example = loadExample();
    const files = new Map(renderChanges(listAllChanges(example), example));
    const { changes } = JSON.parse(files.get('changes/2026.json')!) as {
      changes: { id: string }[];
    };

    expect(changes).toHaveLength(539);
    expect(changes.slice(0, 3).map(({ id }) => id)).toEqual([
      'svc/158',
      'svc/157',
      'test-distribution-agent/12',
    ]);
    expect(JSON.parse(files.get('builds/2026.json')!).builds[0].id).toBe('mey0smz1rwuej');
  });
});
