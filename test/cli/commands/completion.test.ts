import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureIndex } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

async function scriptFor(shell: 'bash' | 'zsh'): Promise<string> {
  const file = join(temporaryFolder(), `completion.${shell}`);
  const { status, stdout } = await runHere(['completion', shell]);
  expect(status).toBe(0);
  writeFileSync(file, stdout);
  return file;
}

/** What is typed before the tabulator, and what may follow. */
const cases: [typed: string[], expected: string[]][] = [
  [['release-index', 'ga'], ['gather']],
  [['npx', 'release-index', 'key', 'n'], ['new']],
  [['release-index', 'key', 'new', '--user', 'jane', '--ex'], ['--expires']],
  [['release-index', 'daily', '--p'], ['--push']],
  [
    ['npx', 'release-index', 'gather', 'svc'],
    ['svc', 'svcctl'],
  ],
  [['npx', 'another-program', '--p'], []],
];

test('completes verbs, options and components in bash', async () => {
  const complete = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _release_index; echo "\${COMPREPLY[*]}"`;
  const file = await scriptFor('bash');

  for (const [typed, expected] of cases) {
    const run = spawnSync('bash', ['-c', complete, file, ...typed], { cwd: fixtureIndex, encoding: 'utf8' });
    expect(run, typed.join(' ')).toMatchObject({ stdout: `${expected.join(' ')}\n`, stderr: '' });
  }
  const registered = spawnSync('bash', ['-c', `source ${file}; complete -p npx release-index`]);
  expect(registered.status).toBe(0);
});

test('completes the same in a zsh that somebody types into', async (context) => {
  if (spawnSync('zsh', ['--version']).status !== 0) {
    console.log('Skipped: there is no zsh here.');
    context.skip();
  }
  const begin = `PS1=; autoload -Uz compinit; compinit -D -u; source ${await scriptFor('zsh')}; echo ready=$((1 + 1))`;
  const lines: [typed: string, whole: string][] = [
    ['release-index ga', 'gather'],
    ['npx release-index key rev', 'key revoke'],
    ['release-index daily --pu', '--push'],
    ['release-index gather svcc', 'svcctl'],
  ];
  const script = [
    'zmodload zsh/zpty',
    'zpty z zsh -f -i',
    `zpty -w z '${begin}'`,
    `zpty -r z out '*ready=2*'`,
    // Each line is completed, then thrown away.
    ...lines.flatMap(([typed, whole]) => [
      `shown=; zpty -w -n z $'${typed}\t'`,
      `repeat 100 { zpty -r -t z out && shown+=$out; [[ $shown == *'${whole}'* ]] && break; sleep 0.1 }`,
      `[[ $shown == *'${whole}'* ]] && print -r -- '${whole}' || print -r -- "$shown"; zpty -w -n z $'\x15'`,
    ]),
    'zpty -d z',
  ];
  const run = spawnSync('zsh', ['-f', '-c', script.join('\n')], {
    cwd: fixtureIndex,
    encoding: 'utf8',
    timeout: 25_000,
  });

  expect(run.stdout.trim().split('\n')).toEqual(lines.map(([, whole]) => whole));
});

test('knows no other shell', async () => {
  const { status, stderr } = await runHere(['completion', 'fish']);

  expect(status).toBe(2);
  expect(stderr).toContain('completion: expected bash or zsh; got "fish"');
});
