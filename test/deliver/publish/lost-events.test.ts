import { expect, test } from 'vitest';
import { findLostEvents, findGreatestIds } from '../../../src/deliver/publish/lost-events.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { createRoot, type TestRoot } from '../../harness/root.ts';
import { runWith } from '../../harness/site.ts';

const at = '2026-11-19T00:00:00.000Z';
/** A journal of these versions. */
const released = (component: string, ...versions: string[]) =>
  versions.map((version, index) =>
    JSON.stringify({
      ...{ id: index + 1, at, type: 'released', on: '2026-11-19', line: '1', version },
      ...(index === 0 && { component }),
    }),
  );
const liveEvent = (id: string, version: string) => ({ id, at, type: 'released', version });

/** An index whose journals have these lines. */
function rootWith(journals: Record<string, string[]>, decisions: object[] = []): TestRoot {
  const root = createRoot();
  for (const [name, lines] of Object.entries(journals)) {
    root.write(`data/journal/${name}.ndjson`, `${lines.join('\n')}\n`);
  }
  if (decisions.length > 0) {
    const lines = decisions.map((decision) => `${JSON.stringify(decision)}\n`);
    root.write('data/decisions.ndjson', lines.join(''));
  }
  return root;
}

const open = (root: TestRoot) => openRoot(root.dir, checkout);
const end =
  '. Nothing was recorded or published. If this checkout is behind: git pull. If its history was rewritten: restore the lost commits, or go on from the present commit: npx release-index accept history';

test('events that the journals have are not lost, also under the first name of a component', () => {
  const root = rootWith({
    svc: released('svc', '1.0', '1.1'),
    server: released('old', '2.0'),
  });
  const events = [liveEvent('svc/1', '1.0'), liveEvent('svc/2', '1.1'), liveEvent('old/1', '2.0')];

  expect(findLostEvents(open(root), events)).toBeUndefined();
  expect(findGreatestIds(open(root), events)).toEqual({});
});

test('events that are missing or have the id of another are named', () => {
  const root = rootWith({ svc: released('svc', '1.0') });
  const byLine = { id: 'tool/1', at, type: 'released', line: '1.x' };
  const byAdvisory = { id: 'tool/2', at, type: 'released', advisory: 'CVE-1' };
  const bare = { id: 'tool/3', at, type: 'novel' };
  const events = [liveEvent('svc/1', '9.9'), byLine, byAdvisory, bare, liveEvent('svc/7', '1')];

  expect(findLostEvents(open(root), events)).toEqual({
    level: 'error',
    subject: 'live site',
    kind: 'lost events',
    message: `has 4 events that the journals lack: tool/1 (released 1.x ${at}), tool/2 (released CVE-1 ${at}), tool/3 (novel ${at}) and 1 more, and calls 1 event by ids of others in the journals: svc/1 (released 9.9 ${at})${end}`,
  });
  expect(findGreatestIds(open(root), events)).toEqual({ svc: 7, tool: 3 });
});

test('an id of another event alone is lost', () => {
  const root = rootWith({ svc: released('svc', '1.0') });
  const events = [liveEvent('svc/1', '9.9')];

  expect(findLostEvents(open(root), events)?.message).toBe(
    `calls 1 event by ids of others in the journals: svc/1 (released 9.9 ${at})${end}`,
  );
  expect(findGreatestIds(open(root), events)).toEqual({ svc: 1 });
});

test.each([
  ['type', { type: 'deprecated' }],
  ['instant', { at: '2026-11-20T00:00:00.000Z' }],
])('an id of an event of another %s is lost', (_, more) => {
  const root = rootWith({ svc: released('svc', '1.0') });

  expect(findGreatestIds(open(root), [{ ...liveEvent('svc/1', '1.0'), ...more }])).toEqual({
    svc: 1,
  });
});

test('the greatest id counts, in any order', () => {
  const events = [liveEvent('svc/1', '1'), liveEvent('svc/10', '2'), liveEvent('svc/2', '3')];

  expect(findGreatestIds(open(rootWith({})), events)).toEqual({ svc: 10 });
});

test('events up to the ids that a person gave up may be missing', () => {
  const history = { id: 'history', at, by: 'Jane', published: { svc: 5 } };
  const root = rootWith({}, [history]);

  expect(findLostEvents(open(root), [liveEvent('svc/5', '9.9')])).toBeUndefined();
  expect(findLostEvents(open(root), [liveEvent('svc/6', '9.9')])).toBeDefined();
});

test('a journal that cannot be read is not taken as an empty one', () => {
  const root = open(rootWith({ svc: ['<<<<<<< HEAD', ...released('svc', '1.0')] }));
  const events = [liveEvent('svc/1', '1.0')];

  expect(() => findLostEvents(root, events)).toThrow('data/journal/svc.ndjson');
  expect(() => findGreatestIds(root, events)).toThrow('data/journal/svc.ndjson');
});

test('decisions that cannot be read are not taken as none', () => {
  const root = rootWith({});
  root.write('data/decisions.ndjson', '{\n{}\n');

  expect(() => findLostEvents(open(root), [liveEvent('svc/5', '9.9')])).toThrow(
    'data/decisions.ndjson: line 1: not JSON',
  );
});

test('a run that removed a component has used the decision', () => {
  const root = rootWith({});
  root.write(
    'data/runs/2026.ndjson',
    `${JSON.stringify({ ...runWith([]), waits: undefined, accepted: ['gone-0123456789'] })}\n`,
  );

  expect(findLostEvents(open(root), [liveEvent('gone/1', '1.0')])).toBeUndefined();
});

test('the events of a removed component may be missing', () => {
  const events = [liveEvent('gone/1', '1.0'), liveEvent('svc/1', '2.8.0')];
  const root = rootWith({});

  expect(findLostEvents(open(root), events, ['gone-0123456789'])?.message).toContain(
    'has 1 event that the journals lack: svc/1 (released 2.8.0',
  );
  // Its removal was accepted, but it is still there, or again.
  root.write('components/gone.json', {});
  expect(findLostEvents(open(root), events, ['gone-0123456789'])?.message).toContain(
    'has 2 events that the journals lack: gone/1',
  );
});

test('the events of a removed component may be missing also under its first name', () => {
  const events = [
    { ...liveEvent('old/1', '1.0'), component: 'old' },
    { id: 'old/2', at, type: 'renamed', component: 'gone' },
    { ...liveEvent('other/1', '1.0'), component: 'other' },
  ];

  expect(findLostEvents(open(rootWith({})), events, ['gone-0123456789'])?.message).toContain(
    'has 1 event that the journals lack: other/1',
  );

  // A new component has the first name.
  const root = rootWith({});
  root.write('components/old.json', {});
  expect(findLostEvents(open(root), events, ['gone-0123456789'])?.message).toContain(
    'has 3 events that the journals lack',
  );
});

test('a decision about a component that was renamed later excuses no event', () => {
  const root = rootWith({ bar: released('foo', '1.0') });
  root.write('components/bar.json', { renamedFrom: ['foo'] });
  const events = [liveEvent('foo/1', '1.0'), liveEvent('foo/2', '1.1')];

  expect(findLostEvents(open(root), events, ['foo-0123456789'])?.message).toContain(
    'has 1 event that the journals lack: foo/2 (released 1.1',
  );
});

test('accept gives up no events of a component that a decision removed', () => {
  const root = rootWith({});
  const line = { ...runWith([]), waits: undefined, accepted: ['gone-0123456789'] };
  root.write('data/runs/2026.ndjson', `${JSON.stringify(line)}\n`);

  expect(findGreatestIds(open(root), [liveEvent('gone/1', '1.0')])).toEqual({});
});

test('the journal of a removed component still has the last word on its ids', () => {
  const root = rootWith({ gone: released('gone', '1.0') });

  expect(
    findLostEvents(open(root), [liveEvent('gone/1', '9.9')], ['gone-0123456789'])?.message,
  ).toContain('calls 1 event by ids of others in the journals: gone/1 (released 9.9');
});
