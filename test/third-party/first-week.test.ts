import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/core/model/dates.ts';
import type { ReleaseFile } from '../../src/core/schemas/published/release-documents.ts';
import { serveFolder } from '../../src/deliver/host/static-server.ts';
import { blocks, freshClone, installingFrom } from '../harness/newcomer.ts';
import { packument } from '../harness/npm-registry.ts';
import { packageRegistry } from '../harness/package-registry.ts';
import { pathsIn, readJsonIn, writeIn } from '../harness/root.ts';
import { runbook, setup } from '../harness/runbook.ts';
import { runProgram, type Run } from '../harness/run.ts';

const today = toDay(new Date());
const first = addDays(today, -6);

/** The lines of the block of the README that has this command. */
function linesOfReadme(command: string): string[] {
  const block = blocks.find(({ text }) => text.includes(command));
  expect(block, command).toBeDefined();
  return block!.text.replaceAll('\\\n', '').trim().split('\n');
}

/** The keys of a file that a page of the manual shows in a sentence. */
function keysIn(page: string, name: string): Record<string, unknown> {
  const [, keys] = new RegExp(`\`("${name}": [^\`]*)\``).exec(page)!;
  return JSON.parse(`{${keys}}`) as Record<string, unknown>;
}

/** The command that a message prints: what this pattern finds first. */
function printed(run: Run, pattern: RegExp): string {
  const text = `${run.stdout}\n${run.stderr}`;
  const [, command] = pattern.exec(text) ?? [];
  expect(command, text).toBeDefined();
  return command!;
}

/** Somebody with a clone, a registry and an empty remote, who types lines on a day. */
async function openComputer() {
  const registry = await packageRegistry();
  onTestFinished(() => registry.close());
  const clone = freshClone();
  const home = dirname(clone);
  const index = join(home, 'my-index');
  const state = { day: first, cwd: clone };

  /** Types a line. It ends with this status, and the shell stays in the folder that it went to. */
  const type = async (line: string, status = 0): Promise<Run> => {
    const { day, cwd } = state;
    const env = {
      ...installingFrom(registry.url),
      NO_PROXY: '127.0.0.1',
      DAY: day,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, '../harness/shifted-clock.mjs')}`,
      GIT_AUTHOR_DATE: `${day}T04:00:00Z`,
      GIT_COMMITTER_DATE: `${day}T04:00:00Z`,
      // A person who writes the message of a commit that names none.
      GIT_EDITOR: 'echo Edit >',
    };
    const run = await runProgram('bash', ['-c', `${line}\nstatus=$?; pwd; exit $status`], {
      cwd,
      env,
    });
    const lines = run.stdout.trimEnd().split('\n');
    expect(run.status, `${day}: ${line}\n${run.stdout}${run.stderr}`).toBe(status);
    state.cwd = lines.pop()!;

    return { ...run, stdout: lines.join('\n') };
  };

  const daily = linesOfReadme('daily --to').at(-1)!;

  return {
    ...{ registry, home, index, type, state },
    /** The command of the README for every day. */
    runDay: (status = 0) => type(daily, status),
    edit(path: string, change: (document: Record<string, object>) => object) {
      writeIn(index, path, change(readJsonIn(index, path)));
    },
    commit: (message: string) => type(`git commit --quiet --all --message '${message}'`),
    live: (component: string) =>
      readJsonIn<ReleaseFile>(join(home, 'served'), `${component}.json`).releases,
    explain: async (version: string) =>
      (await type(`npx release-index explain eslint ${version}`)).stdout.split('\n')[1]!,
  };
}

const started: Record<string, Day> = {
  '2025.1.0': addDays(today, -600),
  '2025.2.0': addDays(today, -400),
  '2026.1.0': addDays(today, -200),
  '2026.1.1': addDays(today, -100),
};

test('one week of an index, typed from the README, the manual and what messages print', async () => {
  const computer = await openComputer();
  const { registry, home, index, type, state, runDay, edit, commit, live, explain } = computer;
  const nextDay = () => {
    state.day = addDays(state.day, 1);
  };
  const listing = Object.entries(started).map(([version, day]) => [
    version,
    { at: `${day}T00:00:00.000Z` },
  ]);
  const about = {
    homepage: 'https://example.com/',
    repository: { type: 'git', url: 'git+https://github.com/example/it.git' },
  };
  registry.packuments.set('eslint', packument('eslint', Object.fromEntries(listing), about));

  // The first day, from an empty folder to a site.
  await type('npm ci');
  for (const line of [
    ...linesOfReadme('npm run init'),
    ...linesOfReadme('add static').filter((each) => !each.includes(' preview')),
    'npx release-index add npm eslint',
    ...linesOfReadme('daily --to'),
  ]) {
    await type(line);
  }
  await type('git init --quiet --bare ../remote');
  for (const pattern of [/(git remote add origin) </, /^ +(git push --set-upstream .*)$/m]) {
    const command = printed(await type('npx release-index doctor', 1), pattern);
    await type(command.endsWith('origin') ? `${command} ../remote` : command);
  }
  expect(live('eslint').map(({ isDeprecated }) => isDeprecated)).not.toContain(true);
  nextDay();

  // A policy, which ends lines that had no end.
  const rejected = await type('npx release-index add npm eslint --support term:18', 1);
  await type(
    `npx release-index add npm eslint --support term:18 ${printed(rejected, /(--replace)/)}`,
  );
  await type(printed(await runDay(1), /Commit it first: (.*?)\. For/));
  const held = await runDay(1);
  expect(live('eslint').map(({ isDeprecated }) => isDeprecated)).not.toContain(true);
  await type(printed(held, /If this is right: (npx release-index accept \S+),/));
  await type(/^(git add data\/decisions.ndjson && git commit .*?) && git push/m.exec(runbook)![1]!);
  await runDay();
  expect(live('eslint')[0]).toMatchObject({ version: '2025.1.0', isDeprecated: true });
  nextDay();

  // One line is supported for longer than the policy says.
  const until = addDays(today, 200);
  const { lines } = keysIn(setup, 'lines') as { lines: Record<string, object> };
  const [exception] = Object.values(lines);
  edit('components/eslint.json', (document) => ({
    ...document,
    support: { ...document['support'], lines: { '2025.1': { ...exception, until } } },
  }));
  await commit('Extend a line');
  await runDay();
  expect(await explain('2025.1.0')).toContain(`is supported until ${until}`);
  nextDay();

  // A bad release.
  const withdrawn = keysIn(runbook, 'deprecated') as { deprecated: [object] };
  const entry = { ...withdrawn.deprecated[0], versions: ['2026.1.1'], since: state.day };
  edit('components/eslint.json', (document) => ({ ...document, deprecated: [entry] }));
  await commit('Withdraw a release');
  await runDay();
  expect(await explain('2026.1.1')).toContain('Move back to 2026.1.0 now.');
  nextDay();

  // A wrong day.
  const corrected = addDays(started['2025.2.0']!, 3);
  edit('data/eslint.json', (document) => {
    const releases = document['releases'] as { version: string }[];
    const correct = { releaseTimestamp: corrected, ...keysIn(runbook, 'corrected') };
    return {
      ...document,
      releases: releases.map((release) =>
        release.version === '2025.2.0' ? { ...release, ...correct } : release,
      ),
    };
  });
  await commit('Correct a day');
  await runDay();
  expect(live('eslint')[1]!.releaseTimestamp).toContain(corrected);
  nextDay();

  // A later version of the program.
  const later = freshClone();
  state.cwd = later;
  await type('npm ci');
  const { version } = readJsonIn<{ version: string }>(later, 'package.json');
  for (const name of ['package.json', 'package-lock.json']) {
    const text = readFileSync(join(later, name), 'utf8');
    writeIn(later, name, text.replace(`"version": "${version}"`, '"version": "99.0.0"'));
  }
  const workflow = 'site/starter/forge-github/dot-github/workflows/check.yml';
  const steps = readFileSync(join(later, workflow), 'utf8');
  writeIn(later, workflow, steps.replace('timeout-minutes: 15', 'timeout-minutes: 16'));
  const [, update] = /^(npm run init -- .* --update)$/m.exec(setup)!;
  const updated = await type(update!.replace('../my-index', index));
  const again = await type(update!.replace('../my-index', index));
  expect(updated.stdout).toContain(
    'Written: .github/workflows/check.yml, program/release-index-99.0.0.tgz, package.json, package-lock.json.',
  );
  expect(again.stdout).toContain('Nothing to change');
  for (const line of updated.stdout.split('Next:\n')[1]!.split('\n')) {
    await type(line.trim());
  }
  await runDay();
  expect((await type('npx release-index --version')).stdout).toBe('99.0.0');
  expect((await type('git ls-files program')).stdout).toBe('program/release-index-99.0.0.tgz');
  await type('grep "timeout-minutes: 16" .github/workflows/check.yml');
  nextDay();

  // A component that nobody uses any more.
  const [, removal] = /### Remove a component\n.*?```sh\n(.*?)\n```/s.exec(runbook)!;
  const planned = await type(removal!.replaceAll('<component>', 'agent'), 1);
  await type(printed(planned, /If this is right: (npx release-index accept \S+)/));
  await type("git add --all && git commit --quiet --message 'Remove a component'");
  await runDay();
  expect(pathsIn(join(home, 'served')).filter((path) => path.startsWith('agent.'))).toEqual([]);
  expect((await type('git status --porcelain')).stdout).toBe('');

  // Leaving: any server has the last files, and another index reads them.
  const last = await serveFolder(join(home, 'served'));
  onTestFinished(() => last.close());
  const unsigned = await type('npx release-index verify ../served', 1);
  await type(`npx release-index verify ../served ${printed(unsigned, /(--digests-only)/)}`);
  await type('npx release-index init ../elsewhere');
  await type(
    `npx release-index add json ${last.url}/eslint.json --name eslint --root ../elsewhere`,
  );
  await type('npx release-index build --root ../elsewhere');
  expect(readJsonIn(home, 'elsewhere/dist/eslint.json')).toEqual(
    readJsonIn(home, 'served/eslint.json'),
  );
}, 900_000);
