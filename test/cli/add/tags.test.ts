import { expect, test } from 'vitest';
import { choosePrefix, writeTagPattern } from '../../../src/cli/add/tags.ts';

const place = { repository: 'acme/mono', command: 'add github-tags acme/mono' };

/** Repeats a form of tags with the versions 1.0, 1.1, …: `core-v*` → `core-v1.0`. */
function tag(form: string, count = 12): string[] {
  return Array.from({ length: count }, (_, index) => form.replace('*', `1.${index}`));
}

function readProblem(tags: readonly string[], wanted?: string): string {
  try {
    choosePrefix(tags, place, wanted);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

test.each<[forms: string, tags: string[], prefix: string]>([
  ['v1.2', tag('v*.0'), ''],
  ['1.2 and v1.2', [...tag('*'), ...tag('v*')], ''],
  ['jq-1.7', tag('jq-*'), 'jq-'],
  ['bun-v1.2.0', [...tag('bun-v*.0'), 'canary', 'not-quite-v0'], 'bun-v'],
  ['release-1.2-rc.1', [...tag('release-*'), 'release-1.2-rc.1'], 'release-'],
  ['@acme/core@1.2.0', tag('@acme/core@*.0'), '@acme/core@'],
  ['core-1.2 and core-v1.2', [...tag('core-*'), ...tag('core-v*')], 'core-'],
  ['log4j-2.17', tag('log4j-*'), 'log4j-'],
  ['s3-client-v5', ['s3-client-v5', 's3-client-v6'], 's3-client-v'],
  ['go1.22', tag('go*'), 'go'],
  ['b4567', ['b4567', 'b4568'], 'b'],
  ['RELEASE.2024-01-16T16-07-38Z', ['RELEASE.2024-01-16T16-07-38Z'], 'RELEASE.'],
  ['v1.2 and helm-chart-1.2', [...tag('v*'), ...tag('helm-chart-*', 40)], ''],
  ['v1.2 and cmd/tool/v1.2', [...tag('v*'), ...tag('cmd/tool/v*')], ''],
  ['two old 1.2 and agent-1.2', [...tag('*', 2), ...tag('agent-*', 40)], 'agent-'],
  ['one 1.2 and nine agent-1.2', [...tag('*', 1), ...tag('agent-*', 9)], 'agent-'],
  ['one 1.2 of ten', [...tag('*', 1), ...tag('agent-*', 5), ...tag('core-*', 4)], ''],
])('finds the prefix of tags such as %s', (_, tags, prefix) => {
  expect(choosePrefix(tags, place).text).toBe(prefix);
});

test('an error lists the prefixes of a monorepo with counts and commands, the most frequent first', () => {
  const tags = [...tag('core-v*', 3), ...tag('@acme/cli@*', 5), ...tag('a b/*', 2), ...tag('*', 1)];

  expect(readProblem(tags)).toBe(`\
acme/mono: its versions have several prefixes, so choose a prefix. Nothing was written
@acme/cli@: 5 tags. add github-tags acme/mono --tags @acme/cli@
core-v: 3 tags. add github-tags acme/mono --tags core-v
a b/: 2 tags. add github-tags acme/mono --tags 'a b/'
no prefix: 1 tag. add github-tags acme/mono --tags ''`);
});

test('an error about a monorepo of 30 packages lists ten prefixes', () => {
  const tags = Array.from({ length: 30 }, (_, index) => tag(`part-${'x'.repeat(index)}-v*`)).flat();

  const lines = readProblem(tags).split('\n');

  expect(lines).toHaveLength(11);
  expect(lines[0]).toContain(' 20 more prefixes are rarer.');
});

test.each([[tag('REL_*')[0]!.replace('.', '_')], ['1a2b3c4'], ['nightly-1a2b3c4']])(
  'an error names three tags if none ends with a version: %s',
  (name) => {
    expect(readProblem([name, 'latest', 'stable', 'edge'])).toContain(
      `acme/mono: no tag ends with a version, for example ${name}, latest, stable. Nothing was written.`,
    );
  },
);

test('--tags selects a prefix, and an error lists the prefixes if no tag has it', () => {
  const tags = [...tag('core-v*'), ...tag('cli-v*')];

  expect(choosePrefix(tags, place, 'core-v')).toEqual({ text: 'core-v', count: 12 });
  expect(readProblem(tags, 'cor-v')).toContain(
    'no tag consists of "cor-v" and a version, so choose a prefix. Nothing was written\ncli-v: 12',
  );
});

test('the pattern of a prefix matches the prefix literally', () => {
  expect(writeTagPattern('a.b+')).toBe(String.raw`^a\.b\+(?<version>.+)$`);
  expect(writeTagPattern('')).toBeUndefined();
});
