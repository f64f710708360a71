import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { UpgradeStop } from '../../../src/core/schemas/upgrades.ts';
import { StatedWorksWith } from '../../../src/core/schemas/works-with.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { evaluateTransform } from '../../../src/record/sources/json.ts';
import { runCli } from '../../harness/cli.ts';
import { openGatedIndex } from '../../harness/gated-index.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';
import { answer, startUpstream } from '../../harness/upstream.ts';

const entry = (version: string, from: string) =>
  `## ${version}\nCompatible with Server ${from} or later.\n`;
const pageOf = (...froms: string[]) =>
  froms.map((from, index) => entry(`4.${index}`, from)).join('');

/** An index whose page states compatible versions of five agents. */
async function gathered() {
  let page = '';
  const upstream = await startUpstream(
    () => (_, response) => answer(response, 200, 'text/markdown', page),
  );
  onTestFinished(() => upstream.close());
  const root = makeRoot({
    'components/svc.json': definition({ title: 'Server' }),
    'data/svc.json': { releases: [{ version: '2025.1' }, { version: '2026.1' }] },
    'components/agent.json': definition({
      sources: [
        {
          datasource: 'page',
          url: `${upstream.url}history`,
          matchStrings: [
            '^## (?<version>[\\d.]+)$(?:\\s+Compatible with Server (?<from>[\\w.]+) or later)?',
          ],
          worksWith: 'svc',
        },
      ],
    }),
  });
  const day = async (asOf: string, text: string) => {
    page = text;
    const gathered = await runCli([
      'gather',
      '--record-freshness',
      '--root',
      root,
      '--as-of',
      asOf,
    ]);
    await runCli(['record', '--root', root, '--as-of', asOf]);
    const { releases } = readJsonIn<RecordedData>(root, 'data/agent.json');
    return { gathered, releases, statements: releases.map(({ worksWith }) => worksWith?.[0]) };
  };
  return { root, day };
}

const events = (root: string) =>
  readFileSync(`${root}/data/journal/agent.ndjson`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => String(type).startsWith('compatibility'));

test('statements of a page on a release are recorded, reported, published and kept', async () => {
  const { root, day } = await gathered();
  await day('2026-06-01', pageOf('2025.1', '2025.1', '2025.1', '2025.1', '2026.1'));
  await day('2026-06-02', pageOf('2025.1', '2025.1', '2025.1', '2025.1', '2025.1'));
  const last = `${pageOf('2025.1', '2025.1', '2025.1', '2025.1')}## 4.4\n`;
  const { releases } = await day('2026-06-03', last);
  const again = await day('2026-06-03', last);
  await runCli(['build', '--root', root, '--as-of', '2026-06-03']);

  const known = { other: 'svc', from: '2025.1', source: expect.any(String) as string };
  expect(releases[0]!.worksWith).toEqual([{ ...known, firstSeen: '2026-06-01' }]);
  expect(releases[4]!.worksWith).toEqual([
    { ...known, firstSeen: '2026-06-02', lastSeen: '2026-06-02' },
  ]);
  expect(again.releases).toEqual(releases);
  const stated = {
    type: 'compatibility-stated',
    with: 'svc',
    releases: '=4.0',
    to: 'svc 2025.1 or later',
  };
  expect(events(root)).toEqual([
    expect.objectContaining({ ...stated, initial: true }),
    ...Array.from(
      { length: 4 },
      () => expect.objectContaining({ type: 'compatibility-stated' }) as unknown,
    ),
    expect.objectContaining({
      ...{ type: 'compatibility-changed', releases: '=4.4', on: '2026-06-02' },
      ...{ from: 'svc 2026.1 or later', to: 'svc 2025.1 or later' },
    }),
  ]);
  expect(readJsonIn(root, 'dist/details/svc.json')).toMatchObject({
    statedBy: { agent: [{ versions: '=4.0 || =4.1 || =4.2 || =4.3 || =4.4', from: '2025.1' }] },
  });
  expect(readJsonIn(root, 'dist/changes.json')).toMatchObject({
    changes: expect.arrayContaining([
      expect.objectContaining({
        text: '4.4 is now stated to work with svc 2025.1 or later, instead of svc 2026.1 or later.',
      }),
    ]) as unknown,
  });
});

test('an unreadable statement affects nothing else', async () => {
  const { day } = await gathered();

  const { gathered: ran, statements } = await day('2026-06-01', pageOf('2025.1', 'soon'));

  expect(statements).toMatchObject([{ from: '2025.1' }, undefined]);
  expect(ran.stderr).toContain('"4.1": worksWith');
});

test.each([
  ['2026-06-02', ['3 of 10 statements on other components would change within 30 days']],
  ['2026-07-02', []],
])(
  'of statements that change one after another, the third within a month is held: %s',
  (day, reasons) => {
    const releases = Array.from({ length: 10 }, (_, index) => `4.${index}`);
    const index = openGatedIndex();
    const state = (on: string, changed: number) => {
      const svc = releases.map((versions, at) => ({
        versions,
        from: at < changed ? '2099.1' : '2025.1',
      }));
      return index
        .run(on, { releases, definition: { worksWith: { svc } } })
        .held.map(({ reason }) => reason);
    };

    expect([state('2026-01-01', 0), state('2026-05-20', 2), state(day, 3)]).toEqual([
      [],
      [],
      reasons,
    ]);
  },
);

const contract = readFileSync(new URL('../../../.github/CONTRACT.md', import.meta.url), 'utf8');
const forms = contract
  .split('### Forms of others')[1]!
  .matchAll(
    /\n(?<name>[^\n]+):\n\n```jsonata\n(?<transform>[^]*?)```\n\n```json\n(?<example>[^]*?)```/g,
  );

test.each(
  Array.from(forms, ({ groups }) => [groups!['name']!, groups!['transform']!, groups!['example']!]),
)('the contract reads %s', async (_name, transform, example) => {
  interface Read {
    version?: string;
    worksWith?: Record<string, unknown>;
  }
  const { document, result } = JSON.parse(example!) as Record<string, unknown>;

  const made = await evaluateTransform('CONTRACT.md', {
    document: JSON.stringify(document),
    transform: transform!,
  });

  expect(made).toEqual(result);
  for (const { worksWith = {}, ...rest } of [made].flat() as Read[]) {
    const read = Object.fromEntries(
      Object.entries(worksWith).map(([name, one]) => [name, [one].flat()]),
    );
    StatedWorksWith.parse(read);
    if (rest.version === undefined) {
      UpgradeStop.parse(rest);
    }
  }
});
