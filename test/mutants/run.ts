import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../harness/checkout.ts';
import { foreignPackages } from '../harness/install.ts';
import { groups } from './groups.ts';

/*
 * Changes one condition, comparison or returned value of a group at a time and runs the tests of the group: nine of ten changes
 * must fail one. Arguments: the groups; without any, the group whose turn it is on this day.
 */
const programs = foreignPackages('mutants', ['peer']);
const stryker = programs.add('@stryker-mutator/core', '10.1.1');
programs.add('@stryker-mutator/vitest-runner', '10.1.1');

await programs.install();

const names = Object.keys(groups);
const turn = names[Math.floor(Date.now() / 86_400_000) % names.length]!;
const wanted = process.argv.length > 2 ? process.argv.slice(2) : [turn];
const unknown = wanted.filter((name) => !names.includes(name));

if (unknown.length > 0) {
  console.error(`Expected groups of ${names.join(', ')}; got ${unknown.join(', ')}.`);
  process.exit(2);
}

for (const name of wanted) {
  const reports = join(checkout, '.cache/mutants-reports', name);
  const config = join(reports, 'stryker.json');
  mkdirSync(reports, { recursive: true });
  writeFileSync(config, JSON.stringify(describeRun(name, reports)));
  console.log(`== ${name}`);

  const { status } = spawnSync(
    process.execPath,
    [join(stryker.dir, 'bin/stryker.js'), 'run', config],
    { cwd: checkout, stdio: 'inherit', env: { ...process.env, MUTANTS: name } },
  );
  process.exitCode = status === 0 ? process.exitCode : 1;
}

function describeRun(name: string, reports: string) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    mutate: groups[name]!.code,
    // Words and lists are for the tests of sentences.
    mutator: {
      excludedMutations: [
        'ArrayDeclaration',
        'BlockStatement',
        'ObjectLiteral',
        'Regex',
        'StringLiteral',
      ],
    },
    coverageAnalysis: 'perTest',
    ignorePatterns: ['dist', '.wrangler'],
    tempDirName: '.cache/mutated',
    reporters: ['clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: join(reports, 'report.html') },
    jsonReporter: { fileName: join(reports, 'report.json') },
    thresholds: { high: 95, low: 90, break: 90 },
    warnings: false,
    // Its preprocessor needs a version of TypeScript that reads settings by an API; there are no paths to rewrite.
    tsconfigFile: 'none',
  };
}
