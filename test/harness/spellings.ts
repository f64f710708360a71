/** Lists the ways in which people and tools write a version. Each spelling has the component and version that it means. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { findWords, formatDay } from '../../src/core/phrases.ts';
import type { Verdict } from '../../src/core/schema/documents.ts';
import { buildFolder, writeIndex, type Facts } from './components.ts';
import { release } from './judging.ts';

const released = '2026-05-01';
const support = { policy: 'term', months: 12 };

function define(source: object, ...versions: (string | object)[]): Facts {
  const releases = versions.map((each) =>
    typeof each === 'string' ? release(each, released) : each,
  );
  return { definition: { sources: [source], support }, releases };
}

const components: Readonly<Record<string, Facts>> = {
  typing: define({ datasource: 'pypi', packageName: 'typing_extensions' }, '4.12.2', '4.13.0'),
  lang: define({ datasource: 'maven', packageName: 'org.example:Lang-3' }, '3.18.0', '3.19'),
  web: define({ datasource: 'docker', packageName: 'nginx' }, '1.29.1', '1.30.0'),
  toml: define({ datasource: 'go', packageName: 'github.com/BurntSushi/toml' }, 'v1.4.0', 'v1.5.0'),
  json: define({ datasource: 'nuget', packageName: 'Newtonsoft.Json' }, '13.0.3', '13.1'),
  kit: define({ datasource: 'npm', packageName: '@example/kit' }, '2.0.0', '2.1.0'),
  serde: define({ datasource: 'crate', packageName: 'serde_json' }, '1.0.140', '1.1.0'),
  tool: define(
    {
      datasource: 'github-tags',
      packageName: 'Owner/Tool',
      extractVersion: '^release-(?<version>.+)$',
    },
    '1.0.0',
    '1.1.0',
  ),
  agent: define(
    {
      datasource: 'git-tags',
      packageName: 'https://git.example.com/agent.git',
      extractVersion: '(?i)^AGENT-(?<version>\\d+\\.\\d+)',
    },
    '3.1',
    '3.2',
  ),
  // From the tag 3.1.4, the regular expression extracts only 3.1. The release 3.1.4 is recorded as if another source had listed it.
  cache: define(
    {
      datasource: 'docker',
      packageName: 'team/cache',
      extractVersion: '^(?<version>\\d+\\.\\d+)',
    },
    '3.1',
    '3.1.4',
    '3.2',
  ),
  vtool: define(
    { datasource: 'github-releases', packageName: 'team/vtool' },
    'v1.0.3',
    release('v4.1', released, { withdrawnSince: '2026-11-01' }),
    'v4.1.0',
    'v4.1.7',
  ),
};

/**
 * Each row has a spelling and the release that it means. Braces divide the spelling into parts: `tool{@}1.0{?type=x}` → the name `tool`,
 * the version `1.0` and the rest `?type=x`.
 */
const table: readonly [spelling: string, meant: string][] = [
  ['typing_extensions{==}4.12.2', 'typing 4.12.2'],
  ['Typing.Extensions{==}4.12.2', 'typing 4.12.2'],
  ['typing-extensions{ }4.12.2', 'typing 4.12.2'],
  ['TYPING__EXTENSIONS{@}v4.12.2', 'typing 4.12.2'],
  ['pkg:pypi/typing_extensions{@}4.12.2', 'typing 4.12.2'],
  ['pkg:PyPI/Typing-Extensions{@}4.12.2{?file_name=x.whl}', 'typing 4.12.2'],
  ['typing_extensions{==}4.12.9', 'typing 4.12.9'],
  ['The typing{ }4.12.2', 'typing 4.12.2'],
  ['pkg:generic/typing{@}4.12.2', 'typing 4.12.2'],
  ['pkg:npm/typing-extensions{@}4.12.2', 'not ours'],
  ['org.example:Lang-3{:}3.18.0', 'lang 3.18.0'],
  ['org.example:lang-3{:}3.18.0', 'lang 3.18.0'],
  ['org.example/Lang-3{ }3.18', 'lang 3.18.0'],
  ['pkg:maven/org.example/Lang-3{@}3.18.0{?type=jar}', 'lang 3.18.0'],
  ['pkg:maven/org.example:Lang-3{@}3.18.0', 'lang 3.18.0'],
  ['LANG{@}3.19.0', 'lang 3.19'],
  ['nginx{:}1.29.1', 'web 1.29.1'],
  ['library/nginx{:}1.29.1', 'web 1.29.1'],
  ['docker.io/library/nginx{:}1.29.1', 'web 1.29.1'],
  ['docker.io/nginx{:}1.29.1', 'web 1.29.1'],
  [`index.docker.io/library/nginx{:}1.29.1{@sha256:${'0f'.repeat(32)}}`, 'web 1.29.1'],
  ['mirror.example.com:5000/library/nginx{:}1.29.1', 'web 1.29.1'],
  ['pkg:docker/nginx{@}1.29.1{?arch=amd64}', 'web 1.29.1'],
  ['pkg:docker/library/nginx{@}1.29.1', 'web 1.29.1'],
  ['pkg:docker/docker.io/library/nginx{@}1.29.1', 'web 1.29.1'],
  ['pkg:oci/nginx{@}1.29.1{?repository_url=docker.io%2Flibrary%2Fnginx}', 'web 1.29.1'],
  ['harbor.example.com/dockerhub/library/nginx{:}1.29.1', 'web 1.29.1'],
  ['harbor.example.com/dockerhub/nginx{:}1.29.1', 'not ours'],
  ['mirror.example.com/team/cache{:}3.1.4', 'cache 3.1.4'],
  ['123.ecr.example.com/quay/team/cache{:}3.1.4', 'cache 3.1.4'],
  ['registry.example.com/other/cache{:}3.1.4', 'not ours'],
  ['pkg:docker/dockerhub/library/nginx{@}1.29.1', 'web 1.29.1'],
  [
    'pkg:oci/cache{@}3.1.4{?repository_url=harbor.example.com%2Fquay%2Fteam%2Fcache}',
    'cache 3.1.4',
  ],
  ['pkg:golang/example.com/other/team/cache{@}v3.1.4', 'not ours'],
  ['team/nginx{:}1.29.1', 'not ours'],
  ['github.com/BurntSushi/toml{ }v1.4.0', 'toml v1.4.0'],
  ['github.com/burntsushi/toml{@}1.4.0', 'toml v1.4.0'],
  ['github.com/!burnt!sushi/toml{@}v1.4.0', 'toml v1.4.0'],
  ['pkg:golang/github.com/BurntSushi/toml{@}v1.4.0', 'toml v1.4.0'],
  ['pkg:golang/github.com/%21burnt%21sushi/toml{@}v1.4', 'toml v1.4.0'],
  ['Newtonsoft.Json{ }13.0.3', 'json 13.0.3'],
  ['newtonsoft.json{: }13.0.3', 'json 13.0.3'],
  ['PKG://nuget/NEWTONSOFT.JSON{@}13.0.3', 'json 13.0.3'],
  ['@example/kit{@}2.0.0', 'kit 2.0.0'],
  ['@Example/Kit{@}2.0.0', 'kit 2.0.0'],
  ['pkg:npm/%40example/kit{@}2.0.0', 'kit 2.0.0'],
  ['pkg:npm/@Example/KIT{@}2.0.0', 'kit 2.0.0'],
  ['pkg:npm/kit{@}2.0.0', 'not ours'],
  ['serde_json{ }1.0.140', 'serde 1.0.140'],
  ['serde-json{: }1.0.140', 'serde 1.0.140'],
  ['pkg:cargo/serde-json{@}1.0.140', 'serde 1.0.140'],
  ['pkg:cargo/Serde_JSON{@}1.0.141', 'serde 1.0.141'],
  ['Owner/Tool{@}release-1.0.0', 'tool 1.0.0'],
  ['owner/tool{@}1.0.0', 'tool 1.0.0'],
  ['pkg:github/OWNER/tool{@}release-1.0.0', 'tool 1.0.0'],
  ['tool{ }release-1.0.0', 'tool 1.0.0'],
  ['tool{@}release-1.0', 'tool 1.0.0'],
  ['tool{ }release-1.0.9', 'tool 1.0.9'],
  ['tool{ }beta-1.0.0', 'no version'],
  ['agent{ }agent-3.1-linux', 'agent 3.1'],
  ['agent{@}3.1', 'agent 3.1'],
  ['agent{ }3.1.x', 'agent 3.1'],
  ['team/cache{:}3.1.4', 'cache 3.1.4'],
  ['team/cache{:}3.2.9-slim', 'cache 3.2'],
  ['vtool{ }1.0.3', 'vtool v1.0.3'],
  ['vtool{ }v1.0.3', 'vtool v1.0.3'],
  ['vtool{@}v4.1.0', 'vtool v4.1.0'],
  ['vtool{ }4.1.0', 'vtool v4.1.0'],
  ['pkg:github/team/vtool{@}v4.1.0', 'vtool v4.1.0'],
  ['vtool{ }v4.1', 'vtool v4.1'],
  ['vtool{ }4.1.99', 'vtool 4.1.99'],
  ['vtool{ }latest', 'no version'],
  ['left-pad{ }1.0', 'not ours'],
];

const root = writeIndex(components, { staleAfterDays: 1_000_000 });
const index = buildFolder(root, '2026-11-27');

/** The folder of the built site. */
export const spelledSite = join(root, 'dist');

export interface AnswerFields extends Partial<Verdict> {
  readonly component?: string;
}

/**
 * Returns the component and version of an answer: `svc 1.0`. `words` is the text of the answer. It must contain the sentence that the site
 * publishes for this version. Otherwise, appends `words` to the result, so that a comparison with the expected result fails.
 */
export function summarise({ component = '', version = '' }: AnswerFields, words: string): string {
  const details = index.components.find((each) => each.component === component);
  const listed = details?.releases.find((each) => each.version === version);
  const sentence =
    (details && listed && findWords(listed, details.lines).sentence) ??
    `${details?.title} ${version} is not listed.`;
  const sentenceOnPages = sentence.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
  const isPrinted = [sentence, sentenceOnPages].some((each) => words.includes(each));
  return isPrinted ? `${component} ${version}` : `${component} ${version}? ${words}`;
}

/** Reads why a message has no verdict. Either the text is not a version, or the index does not have the component. */
export function readObstacle(words: string): string {
  return /is not a version|no version is stated/i.test(words) ? 'no version' : 'not ours';
}

interface Spelling {
  readonly name: string;
  readonly version: string;
  readonly text: string;
  readonly rest: string;
  /** The component and version that the spelling means, or the reason why it means no version. */
  readonly meant: string;
}

/**
 * Sends a way to write a component and a version to an endpoint, such as the API. Returns how the endpoint understood it: `svc 1.0` or
 * `no version`. Returns undefined if a request to this endpoint cannot contain this spelling.
 */
export type Answer = (spelling: Spelling) => Promise<string | undefined>;

/**
 * Sends each spelling to an endpoint, and checks the answer. For a spelling that means no version or no component of the index, some
 * endpoints always give the same answer. `unnamed` is this answer.
 */
export async function compareSpellings(answer: Answer, unnamed?: string): Promise<void> {
  const answers: { text: string; answered: string; expected: string }[] = [];
  for (const [marked, meant] of table) {
    const spelling = readSpelling(marked, meant);
    const answered = await answer(spelling);
    if (answered !== undefined) {
      const isUnnamed = meant === 'not ours' || meant === 'no version';
      const expected = isUnnamed ? (unnamed ?? meant) : meant;
      answers.push({ text: spelling.text, answered, expected });
    }
  }

  expect(answers.filter(({ answered, expected }) => answered !== expected)).toEqual([]);
  expect(answers.length).toBeGreaterThan(15);
}

function readSpelling(marked: string, meant: string): Spelling {
  const [, name = '', joint = '', version = '', rest = ''] =
    /^(.+?)\{(.*?)\}([^{]+)(?:\{(.*)\})?$/.exec(marked) ?? [];
  return { name, version, text: name + joint + version + rest, rest, meant };
}
