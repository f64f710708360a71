import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { merge } from '../../src/record/merge.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import { sha256 as sha } from '../harness/imitation.ts';
import { answerOf, type AnswerValues } from '../harness/recorded.ts';

/** The files that a source lists, by version. Each letter is a file. The letter is both its name and its content. */
type Files = Readonly<Record<string, string>>;

const list = (files: Files): SourceRelease[] =>
  Object.entries(files).map(([version, letters]) => {
    const assets = Array.from(letters, (name) => ({ name, digest: sha(name) }));
    return { version, assets, digests: assets.map(({ digest }) => digest).sort() };
  });

const findLetter = (digest: string) => [...'abcdefx'].find((letter) => sha(letter) === digest)!;

/**
 * Creates a component with up to two sources, `a` and `b`. Each call of `record` is the next day. A source without a list does not answer.
 */
function open(...sources: AnswerValues[]) {
  const ids = sources.map((_, place) => 'ab'[place]!);
  const digestSource = ids[sources.findIndex(({ digestOf }) => digestOf)];
  const state = { recorded: { releases: [] } as Recorded, day: '2026-06-28' };
  const record = (...lists: (readonly SourceRelease[] | undefined)[]) => {
    state.day = addDays(state.day, 1);
    const answers = lists.flatMap((listed, place) =>
      listed ? answerOf(ids[place]!, listed, sources[place]) : [],
    );
    state.recorded = merge({ ...state, answers, sources: ids, digestSource });
    return state.recorded.releases;
  };
  return {
    state,
    record,
    /**
     * Records the next day. `lists` has the files that each source lists. Returns the recorded file of each version: `a`, or `a!` if
     * upstream replaced the file.
     */
    live: (...lists: (Files | undefined)[]) =>
      Object.fromEntries(
        record(...lists.map((files) => files && list(files))).map((release) => [
          release.version,
          `${release.digest ? findLetter(release.digest) : ''}${release.republishedOn ? '!' : ''}`,
        ]),
      ),
  };
}

const filesFollow = ['github-releases', 'pypi', 'rubygems'];

test.each([...filesFollow, 'json', 'helm', 'crate'])(
  'a later file does not change the digest of a release: datasource %s',
  (datasource) => {
    const { live } = open({ datasource });
    // In some datasources, upstream may add a second file to a release on the next day. For these datasources, the digest of a file is
    // recorded only on the second day.
    const [a, lateE] = filesFollow.includes(datasource) ? ['', ''] : ['a', 'e'];

    const first = { '1.0': 'a', '1.1': 'cd' };
    expect(live(first)).toEqual({ '1.0': a, '1.1': '' });
    expect(live(first)).toEqual({ '1.0': 'a', '1.1': '' });
    // A second file of 1.0 appears.
    const late = { '1.0': 'ab', '1.1': 'cd', '1.2': '' };
    expect(live(late)).toEqual({ '1.0': 'a', '1.1': '', '1.2': '' });
    // 1.0 loses its first file, and 1.2 gets its first file.
    const gone = { ...late, '1.0': 'b', '1.2': 'e' };
    expect(live(gone)).toEqual({ '1.0': 'a', '1.1': '', '1.2': lateE });
    expect(live(gone)).toEqual({ '1.0': 'a', '1.1': '', '1.2': 'e' });
    const other = { ...late, '1.0': 'x', '1.2': 'ef' };
    for (const recorded of [live(other), live(other)]) {
      expect(recorded).toEqual({ '1.0': 'a!', '1.1': '', '1.2': 'e' });
    }
  },
);

test.each<[name: string, days: string[], digest: string]>([
  ['no digest is recorded if two files appear one by one', ['c', 'cd', 'cd', 'cd'], ''],
  [
    'the digest of a file that was alone on two days stays after another file appears',
    ['c', 'c', 'cd'],
    'c',
  ],
  [
    'the digest of the remaining file is recorded on the second day on which it is alone',
    ['cd', 'd', 'd'],
    'd',
  ],
  ['no digest is recorded if two files take turns', ['c', 'd', 'c'], ''],
])('if digestOf has no file names, %s', (_, days, digest) => {
  // Upstream may later add a second file whose name also matches `digestOf`. So `digestOf` changes nothing: a digest is recorded only on
  // the second day.
  for (const digestOf of [undefined, '^[a-f]$']) {
    const { live } = open({ datasource: 'github-releases', digestOf });
    const [last] = days.map((files) => live({ '1.0': files })).slice(-1);

    expect(last).toEqual({ '1.0': expect.stringMatching(`^${digest}!?$`) });
  }
});

/**
 * Returns the letters of the recorded files.
 * - Capitals: `hasAllFiles` is set.
 * - `!`: Upstream replaced a file.
 * - `digest`: The release also has a single digest.
 */
function describeFiles({
  files = {},
  hasAllFiles,
  republishedOn,
  digest,
}: Recorded['releases'][0]) {
  const letters = Object.values(files).map(findLetter).join('');
  const text = hasAllFiles ? letters.toUpperCase() : letters;
  return `${text}${republishedOn ? '!' : ''}${digest ? ' digest' : ''}`;
}

/** Returns a list with one release that has these files. */
const publish = (files: Readonly<Record<string, string>>): SourceRelease[] => {
  const assets = Object.entries(files).map(([name, bytes]) => ({ name, digest: sha(bytes) }));
  return [{ version: '1.0', assets, digests: assets.map(({ digest }) => digest).sort() }];
};

test('if a file in digestOf is replaced, the release keeps the recorded digest', () => {
  const digestOf = { amd64: '^agent_amd64', arm64: '^agent_arm64' };
  const { record } = open({ datasource: 'github-releases', digestOf });
  const [amd64, arm64] = ['agent_amd64.tgz', 'agent_arm64.tgz'];
  const days: [files: Record<string, string>, recorded: string][] = [
    [{ [amd64]: 'a' }, 'a'],
    [{ [amd64]: 'a', 'notes.txt': 'n' }, 'a'],
    // Two files match the name arm64, so neither of them is recorded.
    [{ [amd64]: 'a', [arm64]: 'b', 'agent_arm64.deb': 'x' }, 'a'],
    [{ [amd64]: 'a', [arm64]: 'b' }, 'AB'],
    [{ [amd64]: 'a' }, 'AB'],
    [{ [amd64]: 'a', [arm64]: 'x' }, 'AB!'],
  ];
  for (const [files, recorded] of days) {
    expect(record(publish(files)).map(describeFiles)).toEqual([recorded]);
  }
});

test('files that appear one after the other are recorded in the order of their names', () => {
  const { record } = open({ datasource: 'json', digestOf: { linux: 'linux', darwin: 'darwin' } });
  const addressed = (name: string) => ({
    name,
    digest: sha(name),
    url: `https://a.example/${name}`,
  });
  const assets = ['linux', 'darwin'].map(addressed);

  record([{ version: '1.0', assets: assets.slice(0, 1), digests: [sha('linux')] }]);
  const [release] = record([
    { version: '1.0', assets, digests: assets.map((each) => each.digest) },
  ]);

  expect(Object.keys(release!.files!)).toEqual(['darwin', 'linux']);
  expect(Object.keys(release!.urls!)).toEqual(['darwin', 'linux']);
});

test.each([
  [{ amd64: 'amd64' }, 'urls'],
  ['amd64', 'url'],
  [undefined, 'url'],
] as const)(
  'a replaced file does not change the recorded URL of a release: digestOf %j',
  (digestOf, key) => {
    const { record } = open({ datasource: 'json', digestOf });
    const listAt = (url: string | undefined, bytes: string): SourceRelease[] => [
      {
        version: '1.0',
        digests: [sha(bytes)],
        assets: [{ name: 'amd64', digest: sha(bytes), url }],
      },
    ];
    const days: [url: string | undefined, bytes: string, recorded: string | undefined][] = [
      [undefined, 'a', undefined],
      ['https://a.example/1', 'a', 'https://a.example/1'],
      ['https://a.example/2', 'a', 'https://a.example/2'],
      [undefined, 'a', 'https://a.example/2'],
      ['https://a.example/3', 'x', 'https://a.example/2'],
      ['https://a.example/3', 'a', 'https://a.example/2'],
    ];
    for (const [url, bytes, recorded] of days) {
      const [release] = record(listAt(url, bytes));
      const { url: single, urls } = release!;
      const isNamed = key === 'urls';
      expect([single, urls]).toEqual(
        isNamed ? [undefined, recorded && { amd64: recorded }] : [recorded, undefined],
      );
    }
  },
);

test('an edit of digestOf does not change the recorded digests of a release', () => {
  const before = open({ digestOf: { amd64: 'agent_amd64' } });
  before.record(publish({ 'agent_amd64.tgz': 'a' }));

  const after = open({ digestOf: { amd64: 'amd64.sig$', arm64: 'arm64' } });
  Object.assign(after.state, before.state);
  const releases = after.record(publish({ 'agent_amd64.tgz': 'a', 'agent_amd64.sig': 'b' }));

  expect(releases.map(describeFiles)).toEqual(['A']);
});

test('a release is incomplete while it lacks a file that another release in the list has', () => {
  const { record } = open({ datasource: 'json' });
  const file = (bytes: string) => ({ digest: sha(bytes) });
  const listWith = (files: SourceRelease['files']): SourceRelease[] => [
    { version: '1.0', digest: null, files: { a: file('a'), b: file('b') } },
    { version: '1.1', digest: sha('a'), files },
  ];

  const first = record(listWith({ b: file('x') }));
  const second = record(listWith({ a: file('a'), b: file('x') }));

  expect(first.map(describeFiles)).toEqual(['AB', 'x digest']);
  expect(second.map(describeFiles)).toEqual(['AB', 'AX digest']);
});

test.each([
  ['^b$', 'abc', 'b'],
  ['b', 'b', 'b'],
  ['^[ab]', 'abc', ''],
])('with digestOf %j and the files %j, a release has the digest %j', (digestOf, files, digest) => {
  const { live } = open({ digestOf });

  expect(live({ '1.0': files })).toEqual({ '1.0': digest });
});

test('a digest is recorded even if its file is published after the release', () => {
  const { live, state } = open({ digestOf: '^b' });

  expect(live({ '1.0': 'a', '1.1': 'ab' })).toEqual({ '1.0': '', '1.1': 'b' });
  state.recorded.releases[1]!.digest = undefined;
  expect(live({ '1.0': 'ab', '1.1': 'ab' })).toEqual({ '1.0': 'b', '1.1': 'b' });
});

test('all digests of a component come from one source, even while that source does not answer', () => {
  const { live } = open({}, {});
  const releases = { '1.0': 'c', '1.1': 'd' };

  expect(live(undefined, releases)).toEqual({ '1.0': '', '1.1': '' });
  expect(live({ '1.0': 'a' }, releases)).toEqual({ '1.0': 'a', '1.1': '' });
  expect(live(undefined, releases)).toEqual({ '1.0': 'a', '1.1': '' });
});

test('if the first source lists no digests, the digests come from the next source', () => {
  expect(open({}, {}).live({ '0.9': '' }, { '1.0': 'a' })).toEqual({ '0.9': '', '1.0': 'a' });
  expect(open({}, { digestOf: '^d' }).live({ '1.0': 'a' }, { '1.0': 'cd' })).toEqual({
    '1.0': 'd',
  });
});

test.each<[title: string, source: AnswerValues, release: Partial<SourceRelease>]>([
  ['a commit hash of a SHA-256 repository', {}, { digests: [sha('a')], digest: null }],
  ['the digest of a tag that is rebuilt', { rebuildsTags: true }, { digests: [sha('a')] }],
  ['a SHA-512 digest', {}, { digests: [`sha512:${'a'.repeat(128)}`] }],
])('%s is never recorded as the digest of a release', (_, source, release) => {
  const { record } = open(source);

  expect(record([{ version: '1.0', ...release }])[0]!.digest).toBeUndefined();
});

test('a digest that a person corrected stays', () => {
  const { live, state } = open({});

  expect(live({ '1.0': 'a' })).toEqual({ '1.0': 'a' });
  state.recorded.releases[0]!.digest = sha('b');
  expect(live({ '1.0': 'a' })).toEqual({ '1.0': 'b' });
});
