import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import type { Host } from '../../core/schemas/definition/site-config.ts';
import { InputError, notice, problem, inputError } from '../../core/schemas/finding.ts';
import { quote, quoteForShell } from '../../core/text/foreign-text.ts';
import {
  describePath,
  isAbsent,
  isFolder,
  readIfThere,
  resolveLinks,
} from '../../io/files/file-system.ts';
import { saveIfChanged } from '../../io/files/save.ts';
import type { Command, Invocation } from '../command.ts';
import {
  createNewFiles,
  initOptions,
  listDependencies,
  readInitOptions,
  type InitOptions,
  type NewIndexSettings,
} from '../new-index.ts';
import { copyProgram } from '../packed-program.ts';
import { findTop, type StarterFile } from '../starter/starter.ts';
import { saveWritten } from '../starter/written-files.ts';
import { updateIndex } from '../update-index.ts';

export const command: Command<InitOptions> = {
  arguments: { optional: ['folder'] },
  options: initOptions,
  details: [
    'Writes components/, data/ and site/ of an empty index, a package.json that pins this version of the program, and the',
    'workflows that check it and run it every day. The script of the checkout also puts the packed program into program/.',
    'Without a folder, uses the current one. Keeps your README.md, package.json, .gitignore, .gitattributes and .npmrc, and prints',
    'what to add to them. If another file differs, or components/, data/ or site/ has files, it names them and writes nothing.',
    'In a folder of a repository, workflows go to its root.',
    '--host pages needs no other account and no secret: the index is only files, and its workflow deploys them to GitHub Pages.',
    'Without --releases-url, the address then follows from the address of the repository at GitHub.',
    '--private needs Cloudflare, whose Worker checks each request: without --host, it chooses --host cloudflare.',
    'Further readers go into site/access.json.',
    '--to names a folder that the runner, the container or the computer of cron can write; "daily" publishes into it.',
    '--update writes the workflows of this version, and merges: your jobs, steps, secrets, hour and runner stay. With the script',
    'of the checkout, it also installs this version, by npm. git shows the changes. .release-index/ has the files as last',
    'written; commit it. With --ci, it changes the forge: the files of the former one go, unless you changed them.',
    'A missing address becomes a placeholder in site/site.json: "check" reports it, and "publish" rejects it.',
  ],
  examples: [
    ['init', 'in the current folder'],
    ['init --support latest-lines:3 --line 1', 'with a policy for every component'],
    ['init --host pages --repository-url https://github.com/me/my-index', 'on GitHub Pages'],
    ['init --update', 'after another host or a signing key in site/site.json'],
    ['init my-index --releases-url https://releases.example.com', 'in a folder that may be new'],
  ],
  needsIndex: false,
  async run(invocation) {
    // Git names the root of a repository without links.
    const folder = resolveLinks(resolve(invocation.arguments[0] ?? '.'));
    if (!isAbsent(folder) && !isFolder(folder)) {
      throw inputError('init', `${folder} is not a folder. Nothing was written`);
    }
    if (invocation.options.update) {
      return updateIndex(invocation, folder);
    }

    createIndex(invocation, folder);
    return 0;
  },
};

/** Files that a repository may already have. */
const sharedFiles = ['README.md', '.gitattributes', '.gitignore', '.npmrc', 'package.json'];

/** The steps of a person at the host. */
const hostSteps: Readonly<Record<Host, string>> = {
  cloudflare: 'give the repository the secrets CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID',
  pages: 'in the settings of the repository, under Pages, choose "GitHub Actions" as source',
  files:
    'npx release-index daily --to /srv/releases, which publishes into the folder of a server; "hosting" in site/site.json can name the folder for every day',
};

/** A runner of GitHub cannot write the folder of a server. */
const runnerAdvice =
  '; at GitHub, it needs a self-hosted runner that can write the folder; without one, set "hosting" in site/site.json to "pages", then npx release-index init --update';

/** Writes the files of a new index, and reports them with the next steps. */
function createIndex(invocation: Invocation<InitOptions>, folder: string): void {
  const { report, day, env } = invocation;
  const settings = readInitOptions(invocation.options);
  rejectFolderName(describePath(findTop(folder, env), folder));
  const { packedProgram } = settings;
  const dependencies = listDependencies(env, settings);
  const newFiles = createNewFiles(folder, env, settings, dependencies);
  const keptFiles = newFiles.filter(
    ({ path }) => sharedFiles.includes(basename(path)) && !isAbsent(path),
  );
  const files = newFiles.filter((file) => !keptFiles.includes(file));
  rejectExisting(folder, files);

  // Read before anything is written: the file may be a broken link.
  const findings = keptFiles.map((file) =>
    notice(file.path, `stays unchanged. ${describeAdvice(file, dependencies)}`),
  );

  for (const { path, content } of files) {
    saveIfChanged(path, content);
  }
  saveWritten(
    files.filter(({ isOfForge }) => isOfForge),
    folder,
  );

  const names = files.map(({ path }) => describePath(folder, path));
  report.finding(...findings);
  report.print(...names, '.release-index/');
  if (packedProgram !== undefined) {
    copyProgram(packedProgram, folder);
    report.print(`program/${basename(packedProgram)}`);
  }
  report.print(...describeNextSteps(invocation.arguments[0], settings));
  report.document({ verb: 'init', asOf: day, folder, files: names, findings });
}

/** Workflows name the folder in the repository, in commands and in YAML. Without a repository, they name none. */
function rejectFolderName(name: string): void {
  if (!/^(?:[\p{L}\p{M}\d_.][\p{L}\p{M}\d_./-]*)?$/u.test(name)) {
    const expected = 'a path of letters, digits, ".", "_", "-" and "/", as workflows name it';
    throw inputError('init', `expected ${expected}; got ${quote(name)}. Nothing was written`);
  }
}

/** The advice about an existing file that the program would write otherwise. */
function describeAdvice(
  { path, content }: StarterFile,
  dependencies: ReturnType<typeof listDependencies>,
): string {
  const existing = readFileSync(path, 'utf8');
  switch (basename(path)) {
    case 'README.md':
      return 'node_modules/release-index/.github/SETUP.md explains the index';
    case '.gitattributes':
      // Other files of the repository may have other line ends.
      return nameMissingLines('data/** text eol=lf', existing);
    case 'package.json': {
      const packages = Object.values(dependencies).flatMap(Object.entries);
      const specs = packages.map((pair) => pair.join('@'));
      return `Instead of npm install: npm install --save-exact ${specs.join(' ')}`;
    }
    default:
      return nameMissingLines(content, existing);
  }
}

function nameMissingLines(content: string, existing: string): string {
  const existingLines = existing.split(/\r?\n/);
  const lines = content.split('\n').filter((line) => line !== '' && !existingLines.includes(line));
  return lines.length === 0 ? 'It has every needed line' : `Add: ${lines.join(', ')}`;
}

/** Rejects existing files, and folders whose content would become part of the index. */
function rejectExisting(folder: string, files: readonly StarterFile[]): void {
  const folders = ['components', 'data', 'site'].map((name) => join(folder, name));
  const clashes = folders.filter(
    (path) => !isAbsent(path) && !(isFolder(path) && readdirSync(path).length === 0),
  );
  for (const { path, content } of files) {
    const isInFolder = folders.some((dir) => path.startsWith(dir + sep));
    // Two indexes in one repository share vendored files.
    if (!isInFolder && !isAbsent(path) && readIfThere(path)?.toString() !== content) {
      clashes.push(path);
    }
  }

  if (clashes.length > 0) {
    const advice = 'Move it away, or choose another folder. Nothing was written';
    throw new InputError(clashes.map((path) => problem(path, `already exists. ${advice}`)));
  }
}

/** A note on the chosen host, and the numbered steps of a person. `namedFolder`: as named on the command line. */
function describeNextSteps(namedFolder: string | undefined, settings: NewIndexSettings): string[] {
  const { options } = settings;
  const lines = [];
  if (options.private !== undefined && options.host === undefined) {
    lines.push(
      '',
      '--private: chose --host cloudflare, as other hosts serve everything to everybody.',
    );
  }

  const steps = [...listLocalSteps(namedFolder, settings), ...listHostSteps(settings)];
  return [...lines, '', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}

/** The steps until the index can be looked at and committed. */
function listLocalSteps(
  namedFolder: string | undefined,
  { options, releasesUrl, repositoryUrl }: NewIndexSettings,
): string[] {
  const steps = namedFolder === undefined ? [] : [`cd ${quoteForShell(namedFolder)}`];
  steps.push(
    'npm install, which brings the program and writes package-lock.json',
    'npx release-index add npm <package>, for each component; without arguments, it lists other datasources',
    'npx release-index start, then npx release-index preview, to look at it',
  );
  if (releasesUrl === undefined || repositoryUrl === undefined) {
    steps.push(
      'in site/site.json, replace the addresses that end in .invalid by the addresses of the site and of its repository',
    );
  }
  if (options.private !== undefined) {
    steps.push('make an access key (ACCESS.md, "Make an index private")');
  }

  return steps;
}

/** The steps until the index is published every day. */
function listHostSteps({ forge, host, to }: NewIndexSettings): string[] {
  const advice = host === 'files' && forge === 'github' ? runnerAdvice : '';
  return [
    'commit everything, and push it',
    to === undefined ? hostSteps[host] : `npx release-index daily, which publishes into ${to}`,
    `start the daily run, as the first lines of its file say${advice}`,
    'npx release-index doctor, which lists what is still missing',
  ];
}
