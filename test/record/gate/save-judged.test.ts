import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRoot } from '../../../src/io/files/root.ts';
import { saveJudged } from '../../../src/record/gate/save-judged.ts';
import type { WaitingChange } from '../../../src/record/gate/rules/waiting-change.ts';
import { uniteAnswers, type GatherResult } from '../../../src/record/gather/unite-answers.ts';
import { FullDefinition } from '../../../src/record/read-definition.ts';
import { checkout } from '../../harness/checkout.ts';
import { answer, outcomeOf } from '../../harness/merging.ts';
import { definition, makeRoot, pathsIn, readJsonIn, writeIn } from '../../harness/root.ts';

const day = '2026-06-02';
const about = (name: string) => definition({ sources: [{ datasource: 'npm', packageName: name }] });
const recorded = (name: string) => ({
  releases: [{ version: '1.0', source: `npm:${name}`, firstSeen: '2026-06-01' }],
});

/** An index of two components with one release each, and what waits in it. */
function openIndex(...waits: WaitingChange[]) {
  const root = makeRoot({
    'components/agent.json': about('agent'),
    'components/svc.json': about('svc'),
    'data/agent.json': recorded('agent'),
    'data/svc.json': recorded('svc'),
  });
  const accepted = new Set<string>();
  const lastRun = {
    ...{ commit: '', dataCommit: '', at: '2026-06-01T00:00:00.000Z', used: [] },
    ...{ waits, changed: new Set<string>(), accepted },
  };
  const edits = {
    ...{ root: openRoot(root, checkout), lastRun, accepted },
    ...{ waiting: [], used: [], edits: new Map(), findings: [] },
  };
  return {
    root,
    accepted,
    judge: (gathered: readonly GatherResult[], more: object = {}) =>
      saveJudged({ dataLock: { renew: () => undefined }, day, edits, gathered, ...more }),
    versions: (name: string) =>
      readJsonIn<{ releases: { version: string }[] }>(root, `data/${name}.json`).releases.map(
        ({ version }) => version,
      ),
  };
}

/** What the source of a component lists now; without versions, it does not answer. */
function gather(component: string, ...versions: string[]): GatherResult {
  const id = `npm:${component}`;
  const input = {
    ...{ component, definition: FullDefinition.parse(about(component)) },
    ...{
      ...recorded(component),
      freshness: { sources: {} },
      waits: [],
      accepted: new Set<string>(),
    },
  };
  const outcome =
    versions.length === 0
      ? { kind: 'failed' as const, id, reason: 'status 503', findings: [] }
      : outcomeOf(answer(id, versions, { day }));
  return uniteAnswers(input, [outcome], day);
}

const nothing = { waiting: [], used: [], findings: [] };

test('what sources state is recorded, with the day of their answer', () => {
  const index = openIndex();

  expect(index.judge([gather('svc', '1.0', '1.1')])).toEqual(nothing);
  expect(index.versions('svc')).toEqual(['1.0', '1.1']);
  expect(readJsonIn(index.root, 'data/freshness/svc.json')).toMatchObject({
    sources: { 'npm:svc': { since: day } },
  });
  expect(pathsIn(index.root)).not.toContain('data/freshness/agent.json');
});

test('a component without sources gets no freshness', () => {
  const { root, judge } = openIndex();
  writeIn(root, 'components/svc.json', definition({ sources: [] }));

  judge([{ ...gather('svc', '1.0'), sources: [] }]);

  expect(pathsIn(root)).not.toContain('data/freshness/svc.json');
});

test('data without news keeps the form of its file, and is not judged for the host', () => {
  const { root, judge } = openIndex();
  judge([gather('svc', '1.0')]);
  const file = join(root, 'data/svc.json');
  const text = JSON.stringify(readJsonIn(root, 'data/svc.json'), undefined, 8);
  writeFileSync(file, text);

  expect(judge([gather('svc', '1.0')], { whyReject: () => 'too large' })).toEqual(nothing);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('what the host would not take is not saved, and the next component is', () => {
  const index = openIndex();
  const whyReject = (name: string, { length }: { length: number }) =>
    name === 'agent' ? `${length} releases are too many` : undefined;

  const { findings } = index.judge([gather('agent', '1.0', '1.1'), gather('svc', '1.0', '1.1')], {
    whyReject,
  });

  expect(findings).toMatchObject([
    {
      ...{ level: 'error', subject: 'agent' },
      message: '2 releases are too many. Not saved; what was recorded before is unchanged.',
    },
  ]);
  expect(index.versions('agent')).toEqual(['1.0']);
  expect(index.versions('svc')).toEqual(['1.0', '1.1']);
});

test('data that another run has saved since the sources were asked stay', () => {
  const index = openIndex();
  const gathered = [gather('agent', '1.0', '1.1'), gather('svc', '1.0', '1.1')];
  const first = index.judge([gather('svc', '1.0', '1.1')]);
  index.judge([gather('agent', '1.0', '1.2')]);

  const { findings } = index.judge(gathered);

  expect(first.findings).toEqual([]);
  expect(findings).toMatchObject([
    {
      ...{ level: 'error', subject: 'agent' },
      message:
        'another run has changed its data since its sources were asked. Not saved; what was recorded before is unchanged.',
    },
  ]);
  expect(index.versions('agent')).toEqual(['1.0', '1.2']);
});

test('a decision lets a change of sources through, and is used', () => {
  const index = openIndex();
  const append = (path: string, line: object) =>
    writeIn(index.root, path, `${JSON.stringify(line)}\n`);
  const at = '2026-06-01T06:00:00.000Z';
  append('data/journal/svc.ndjson', {
    ...{
      id: 1,
      at,
      on: '2026-06-01',
      component: 'svc',
      type: 'released',
      version: '1.0',
      line: '1.0',
    },
  });
  const result = gather('svc', '1.0', '900.0');
  const [{ id } = { id: '' }] = index.judge([result]).waiting;
  expect(index.versions('svc')).toEqual(['1.0']);
  index.accepted.add(id);

  const before = readJsonIn<GatherResult['before']>(index.root, 'data/svc.json');
  expect(index.judge([{ ...result, before }])).toEqual({ ...nothing, used: [id] });
  expect(index.versions('svc')).toEqual(['1.0', '900.0']);
});

test('data that cannot be read stops its component alone, and a defect of the program all', () => {
  const index = openIndex();
  writeIn(index.root, 'data/agent.json', '{');
  const gathered = [gather('agent', '1.0'), gather('svc', '1.0', '1.1')];

  expect(index.judge(gathered).findings).toMatchObject([
    { level: 'error', file: 'data/agent.json' },
  ]);
  expect(index.versions('svc')).toEqual(['1.0', '1.1']);
  expect(() =>
    index.judge([gather('svc', '1.0', '1.2')], {
      whyReject() {
        throw new TypeError('A defect.');
      },
    }),
  ).toThrow(TypeError);
});

test('what waits goes on waiting where nobody was asked, and where the source is silent', () => {
  const wait = (component: string, more: object = {}): WaitingChange => ({
    ...{ id: `${component}-0f1e2d3c4b`, component, kind: 'list', since: '2026-06-01' },
    ...{ causes: ['npm:svc'], reason: 'lists 4 releases fewer', items: [], ...more },
  });
  const [ofAgent, ofSvc] = [wait('agent'), wait('svc')];
  const edits = [
    wait('agent', { commit: 'a' }),
    wait('agent', { dataCommit: 'b' }),
    wait('agent', { kind: 'files' }),
  ];

  expect(openIndex(ofAgent, ...edits, ofSvc).judge([gather('svc')]).waiting).toEqual([
    ...[ofSvc, ofAgent],
  ]);
  expect(openIndex(ofAgent, ofSvc).judge([gather('svc', '1.0')]).waiting).toEqual([ofAgent]);
  expect(openIndex(wait('removed')).judge([]).waiting).toEqual([]);
  const rejecting = openIndex(ofSvc).judge([gather('svc', '1.0', '1.1')], {
    whyReject: () => 'the file is too large',
  });
  expect(rejecting).toMatchObject({ waiting: [ofSvc], findings: [{ level: 'error' }] });
});
