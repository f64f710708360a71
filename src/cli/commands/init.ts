import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { portableCommandLine } from '../../core/command-prefix.ts';
import { placeholder } from '../../core/schemas/site-config.ts';
import { HttpsUrl } from '../../core/schemas/links.ts';
import { problem } from '../../core/schemas/finding.ts';
import { show } from '../../core/schemas/problems.ts';
import { programRepository, programVersion, wantedWrangler } from '../../io/program.ts';
import { isAbsent } from '../../io/files/entry.ts';
import { starterFiles, writeNewFiles } from '../../io/files/starter.ts';
import { InputError, refusal, UsageError, type Invocation, type Options } from './command.ts';
import { siteUrlOf } from './site-url.ts';

/** Writes the files of a new index, and touches nothing that is there. */
export async function init(invocation: Invocation): Promise<number> {
  const { options, report, day } = invocation;
  const folder = resolve(invocation.arguments[0] ?? '.');
  const releasesUrl = siteUrlOf('--releases-url', options['releases-url']);
  const repositoryUrl = addressOf('--repository-url', options['repository-url']);
  const files = starterFiles(join(invocation.checkout, 'site', 'starter'), {
    'OWNER/REPOSITORY': programRepository(),
    VERSION: programVersion(),
    WRANGLER: wantedWrangler(),
    RELEASES_URL: releasesUrl ?? placeholder('releases'),
    REPOSITORY_URL: repositoryUrl ?? placeholder('repository'),
  });
  refuseToOverwrite(folder, [...files.keys()]);
  writeNewFiles(folder, files);
  for (const name of files.keys()) report.line(name);
  const isComplete = releasesUrl !== undefined && repositoryUrl !== undefined;
  for (const line of nextSteps(invocation.arguments[0], isComplete)) report.line(line);
  report.result({ verb: 'init', asOf: day, folder, files: [...files.keys()], findings: [] });
  return 0;
}

function refuseToOverwrite(folder: string, names: readonly string[]): void {
  if (isAbsent(folder)) return;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw refusal('init', `${folder} is no folder. Nothing was written`);
  const there = names.filter((name) => !isAbsent(join(folder, name)));
  if (there.length === 0) return;
  const advice = 'Move it away, or choose another folder. Nothing was written';
  throw new InputError(there.map((name) => problem(join(folder, name), `is there already. ${advice}`)));
}

function addressOf(name: string, value: Options[string]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const wrong = HttpsUrl.safeParse(value).error?.issues[0];
  if (wrong) throw new UsageError(`${name}: ${wrong.message}; got ${show(value)}`);
  return value;
}

function nextSteps(folder: string | undefined, isComplete: boolean): string[] {
  const steps = [
    ...(folder === undefined ? [] : [`cd ${folder}`]),
    'npm install, which brings the program and writes package-lock.json',
    `${portableCommandLine('add npm <package>')}, for each component; without arguments, it tells other datasources`,
    `${portableCommandLine('start')}, then ${portableCommandLine('preview')}, to look at it`,
    ...(isComplete
      ? []
      : [
          'put the addresses of the site and of its repository into site/site.json in place of those that end in .invalid',
        ]),
    'commit everything, push it to GitHub, give the repository the secrets of its host (README.md), and run the workflow "daily" once',
  ];
  return ['', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
