import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import nodePackage from '../../../.ci/node/package.json' with { type: 'json' };
import manifest from '../../../package.json' with { type: 'json' };
import { inputError } from '../../core/errors.ts';
import { formatJson, listFiles, readIfThere, saveFile } from '../../core/files.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { runProgram } from '../../core/run-program.ts';
import { Settings } from '../../core/schema/written.ts';
import { formatList, quoteWord } from '../../core/text.ts';
import { openGit } from '../../record/git.ts';
import { expectArgument, parseUrl, program, type Context, type Define } from '../context.ts';
import type { Report } from '../report.ts';

interface Options {
  host: string;
  releasesUrl?: string;
  repositoryUrl?: string;
}

/** The kinds of hosts. In `--host`, a path is the folder of a server. */
const kinds = ['pages', 'cloudflare', 'folder'] as const;
type Kind = (typeof kinds)[number];

export const define: Define = (command, context) => {
  command
    .argument('[folder]', 'folder of the new index, perhaps in a repository', '.')
    .option(
      '--host <host>',
      'pages, cloudflare, or a folder such as /srv/releases',
      parseHost,
      'pages',
    )
    .option('--releases-url <url>', 'address of the published site', parseUrl)
    .option('--repository-url <url>', 'repository of the index', parseUrl)
    .action((folder: string, options: Options) => createIndex(resolve(folder), options, context));
};

/** Rejects a word that is no path, because `github` or `cloudfare` is hardly meant as a folder. */
function parseHost(text: string): string {
  const expected =
    'pages (GitHub or GitLab), cloudflare, or a folder with a slash, such as /srv/releases';
  expectArgument(/^(?:pages|cloudflare)$|[\\/]/.test(text), expected);
  return text;
}

/** Files that stay as they are if the repository already contains them. */
const kept = ['README.md', '.gitattributes', '.gitignore', '.npmrc'];

async function createIndex(
  folder: string,
  options: Options,
  { report, signal, env }: Context,
): Promise<void> {
  const kind = kinds.find((name) => name === options.host) ?? 'folder';
  const path = await findPathInRepository(folder, signal);
  const files = readStarter(kind, options, path);
  const registryVersion = findRegistryVersion();
  const dependency = registryVersion ?? `file:program/release-index-${manifest.version}.tgz`;
  const isNodeOld = await hasOldNode(env, signal);
  files.set('package.json', createManifest(kind, dependency, isNodeOld));
  if (isNodeOld) {
    files.set(`${nodeFolder}/package.json`, formatJson(nodePackage));
  }
  const settings = 'site/site.json';
  parseDocument(Settings, JSON.parse(files.get(settings)!), settings);
  rejectClashes(folder, files);

  // Packs the CLI before the files of the index are written. If a signal ends `init` during the packing, none of these files is written
  // yet, and `init` can be run again.
  if (registryVersion === undefined) {
    await packProgram(folder, signal);
  }
  saveStarter(folder, files, report);
  if (path !== '') {
    const message =
      'was not written, because GitHub runs only workflows at the top of a repository, which is above this folder. SETUP, "An index of one tool", has a workflow for the top';
    report.problem({ subject: '.github/workflows', message, level: 'notice' });
  }

  const steps = listSteps(folder, kind, options);
  report.print(
    ...files.keys(),
    '',
    'Next:',
    ...steps.map((step, position) => `  ${position + 1}. ${step}`),
  );
  report.document({ folder, files: [...files.keys()] });
}

/** Returns the path of a folder in its git repository, such as `releases`. Empty for the top of a repository, and outside of one. */
async function findPathInRepository(folder: string, signal: AbortSignal): Promise<string> {
  let parent = folder;
  while (!existsSync(parent)) {
    parent = dirname(parent);
  }
  try {
    const prefix = await openGit(parent, signal)('rev-parse', '--show-prefix');
    return [prefix.trim().replace(/\/$/, ''), relative(parent, folder)].filter(Boolean).join('/');
  } catch {
    signal.throwIfAborted();
    return '';
  }
}

/**
 * Returns the files of a new index, from `site/starter/`, as a map of paths to contents. npm leaves files such as `.gitignore` out of
 * packages. So `site/starter/` contains `dot-gitignore` instead.
 * - `path`: the path of the index in its repository. GitHub reads no workflows there, unless it is empty.
 */
export function readStarter(
  kind: Kind,
  { host, releasesUrl, repositoryUrl }: Options,
  path = '',
): Map<string, string> {
  const words: Readonly<Record<string, string>> = {
    PATH: path === '' ? '' : `${path}/`,
    SCHEDULE:
      path === ''
        ? '.github/workflows/daily.yml'
        : 'a workflow at the top of the repository (SETUP, "An index of one tool")',
    HOSTING: JSON.stringify(kind === 'folder' ? { folder: resolve(host) } : kind),
    RELEASES_URL: releasesUrl ?? 'https://releases.invalid',
    REPOSITORY_URL: repositoryUrl ?? 'https://repository.invalid',
    // GitHub's own runners cannot reach the folder of a server.
    RUNNER: kind === 'folder' ? 'self-hosted' : 'ubuntu-24.04',
  };
  const starter = join(program, 'site/starter');
  const files = new Map(
    listFiles(starter).map((file) => [
      file.path.replaceAll('dot-', '.'),
      readFileSync(join(starter, file.path), 'utf8').replaceAll(
        /__(\w+?)__/g,
        (_, word: string) => words[word]!,
      ),
    ]),
  );
  if (path !== '') {
    return new Map([...files].filter(([name]) => !name.startsWith('.github/workflows/')));
  }

  // The daily workflow ends with the steps that publish to the chosen kind of host.
  const daily = '.github/workflows/daily.yml';
  const publication = readFileSync(join(program, `site/hosts/${kind}.yml`), 'utf8');
  return files.set(daily, `${files.get(daily)}${publication}`);
}

/**
 * The folder of a package that installs Node. npm skips this package where the machine's own Node is new enough, because `engines` in it
 * accepts only older versions. Other machines and pipelines keep their Node.
 */
const nodeFolder = 'program/node';

/**
 * Creates `package.json`. Adds wrangler for Cloudflare, and Node if the machine's own Node is too old.
 * - `dependency`: the CLI, as a version in the registry or as the packed file in `program/`
 */
function createManifest(kind: Kind, dependency: string, isNodeOld: boolean): string {
  const { wrangler } = manifest.devDependencies;
  return formatJson({
    private: true,
    dependencies: { 'release-index': dependency },
    ...(kind === 'cloudflare' && { devDependencies: { wrangler } }),
    ...(isNodeOld && { optionalDependencies: { [nodePackage.name]: `file:${nodeFolder}` } }),
  });
}

/** Tells whether the machine's own Node is too old for the CLI. Ignores a newer Node in `node_modules`, which may run this process. */
async function hasOldNode(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean> {
  const paths = env['PATH']!.split(':').filter((each) => !each.includes('node_modules'));
  const args = [join(program, 'src/cli.js'), '--version'];
  const start = { subject: 'node', signal, env: { ...env, PATH: paths.join(':') } };
  try {
    await runProgram('node', args, start);
    return false;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}

/** Throws an `InputError` if the folder contains entries that `init` would write. */
function rejectClashes(folder: string, files: ReadonlyMap<string, string>): void {
  const folders = ['components', 'data', 'site'];
  const others = [...files.keys()].filter((path) => !folders.includes(path.split('/')[0]!));
  const clashes = [...folders, ...others].filter(
    (path) => existsSync(join(folder, path)) && !kept.includes(path),
  );
  if (clashes.length > 0) {
    const message = `already contains ${formatList(clashes, 5)}. Nothing was written. Name another folder, or move them away`;
    throw inputError(folder, message);
  }
}

const isCheckout = import.meta.filename.endsWith('.ts');

/**
 * Returns the version of this CLI if npm installed it from a registry. Undefined for a packed file or a checkout. In npm's list of
 * installed packages, `resolved` says where the CLI came from:
 * - registry: the URL ends with `/release-index/-/release-index-1.0.0.tgz`
 * - registry, with npm's option `omit-lockfile-registry-resolved`: `resolved` is absent
 * - packed file: any other path or URL, such as `file:program/release-index-1.0.0.tgz`
 */
function findRegistryVersion(): string | undefined {
  const text = readIfThere(join(program, '../.package-lock.json'))?.toString() ?? '{}';
  const { packages } = JSON.parse(text) as {
    packages?: Record<string, { version: string; resolved?: string }>;
  };
  const entry = packages?.['node_modules/release-index'];
  return /\/release-index\/-\/[^/]+$|^$/.test(entry?.resolved ?? '') ? entry?.version : undefined;
}

async function packProgram(folder: string, signal: AbortSignal): Promise<void> {
  const target = join(folder, 'program');
  const start = { subject: 'program', signal, cwd: program };
  if (isCheckout) {
    await runProgram(process.execPath, [join(program, '.ci/pack.ts'), target], start);
  } else {
    mkdirSync(target, { recursive: true });
    const args = ['pack', '--loglevel=error', '--ignore-scripts', '--pack-destination', target];
    await runProgram('npm', args, start);
  }
}

/** Writes the files of a new index. Existing files stay, and a notice says what to add to these files. */
function saveStarter(folder: string, files: ReadonlyMap<string, string>, report: Report): void {
  for (const [path, text] of files) {
    if (existsSync(join(folder, path))) {
      // The notice leaves out comments and empty lines.
      const lines = text.split('\n').filter((line) => /^[^;]/.test(line));
      const advice = path === 'README.md' ? 'It is yours' : `Add: ${lines.join(' ')}`;
      report.problem({ subject: path, message: `stays as it is. ${advice}`, level: 'notice' });
    } else {
      saveFile(join(folder, path), text);
    }
  }
}

function listSteps(
  folder: string,
  kind: Kind,
  { host, releasesUrl, repositoryUrl }: Options,
): string[] {
  const hasAddresses = releasesUrl !== undefined && repositoryUrl !== undefined;
  const lastSteps: Readonly<Record<Kind, string>> = {
    pages: 'in Settings / Pages of the repository, choose "GitHub Actions" as source',
    cloudflare:
      'give the environment "cloudflare" of the repository the secrets CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID',
    folder: `npx release-index daily, which publishes into ${host}`,
  };
  return [
    `cd ${quoteWord(folder)}`,
    'npm install',
    'npx release-index add npm <package>, for each component',
    'npx release-index start, then npx release-index preview',
    ...(hasAddresses ? [] : ['in site/site.json, replace the addresses that end in .invalid']),
    'commit everything, and push it',
    lastSteps[kind],
  ];
}
