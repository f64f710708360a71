import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { portableCommandLine } from '../../core/command-prefix.ts';
import { placeholder } from '../../core/schemas/site-config.ts';
import { HttpsUrl } from '../../core/schemas/links.ts';
import { problem } from '../../core/schemas/finding.ts';
import { show } from '../../core/schemas/problems.ts';
import { programRepository, programVersion, wantedWrangler } from '../../io/program.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { starterFiles, writeNewFiles } from '../starter-files.ts';
import {
  type Command,
  inputError,
  InputError,
  type Invocation,
  type Options,
  siteUrlOf,
  text,
  UsageError,
} from '../command.ts';

export const command: Command = {
  arguments: '[folder]',
  options: {
    'releases-url': text('URL', 'address of the published site'),
    'repository-url': text('URL', 'repository of the index, where readers report problems'),
  },
  details: [
    'Writes components/, data/ and site/ of an empty index, a package.json that pins this version of the program, the workflows',
    'that check it and run it every day, and a configuration of Renovate that proposes later versions. Without a folder, into',
    'the current one. If one of the files exists, it is named and nothing is written.',
    'An address that is not given stays open in site/site.json: "check" reports it, and "publish" rejects it.',
  ],
  examples: [
    ['init', 'in the current folder'],
    ['init my-index --releases-url https://releases.example.com', 'in a folder that may be new'],
  ],
  run,
};

function run(invocation: Invocation): number {
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
  rejectExisting(folder, [...files.keys()]);
  writeNewFiles(folder, files);
  const isComplete = releasesUrl !== undefined && repositoryUrl !== undefined;
  report.print(...files.keys(), ...nextSteps(invocation.arguments[0], isComplete));
  report.document({ verb: 'init', asOf: day, folder, files: [...files.keys()], findings: [] });
  return 0;
}

function rejectExisting(folder: string, names: readonly string[]): void {
  if (isAbsent(folder)) return;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw inputError('init', `${folder} is not a folder. Nothing was written`);
  const there = names.filter((name) => !isAbsent(join(folder, name)));
  if (there.length === 0) return;
  const advice = 'Move it away, or choose another folder. Nothing was written';
  throw new InputError(there.map((name) => problem(join(folder, name), `already exists. ${advice}`)));
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
    `${portableCommandLine('add npm <package>')}, for each component; without arguments, it lists other datasources`,
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
