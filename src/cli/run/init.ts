import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { InputError } from '../../core/errors.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { formatJson, listFiles, saveFile } from '../../core/files.ts';
import { runProgram } from '../../core/run-program.ts';
import { Settings } from '../../core/schema/settings.ts';
import { openGit } from '../../record/git.ts';
import { program } from '../build.ts';
import { parseUrl, type Context } from '../context.ts';

interface Options {
  host: string;
  releasesUrl?: string;
  repositoryUrl?: string;
}

const isCheckout = import.meta.filename.endsWith('.ts');

export function define(command: Command, context: Context): void {
  command
    .argument('[folder]', 'where the index is to be, perhaps in a repository', '.')
    .option('--host <host>', 'pages, cloudflare, or the folder that a server serves', 'pages')
    .option('--releases-url <url>', 'address of the published site', parseUrl)
    .option('--repository-url <url>', 'repository of the index', parseUrl)
    .action((folder: string, options: Options) => createIndex(resolve(folder), options, context));
}

/** Files of this kind stay, if a repository has them. */
const usual = ['README.md', '.gitattributes', '.gitignore', '.npmrc'];

async function createIndex(
  folder: string,
  options: Options,
  { report, signal }: Context,
): Promise<void> {
  const files = readStarter(options);
  files.set('package.json', createManifest(options.host, await hasOldNode(signal)));
  const settings = 'site/site.json';
  parseDocument(Settings, JSON.parse(files.get(settings)!), settings);
  const clashes = ['components', 'data', 'site', ...files.keys()].filter(
    (path) => existsSync(join(folder, path)) && !usual.includes(path),
  );
  if (clashes.length > 0) {
    const message = 'exists already. Nothing was written. Move it away, or name another folder';
    throw new InputError(clashes.map((path) => ({ subject: join(folder, path), message })));
  }

  // First: what a signal ends here can be run again.
  await packProgram(folder, signal);
  for (const [path, text] of files) {
    if (existsSync(join(folder, path))) {
      // Without comments and empty lines.
      const lines = text.split('\n').filter((line) => /^[^;]/.test(line));
      const advice = path === 'README.md' ? 'It is yours' : `Add: ${lines.join(' ')}`;
      report.problem({ subject: path, message: `stays as it is. ${advice}`, level: 'notice' });
    } else {
      saveFile(join(folder, path), text);
    }
  }
  if (await isInside(folder, signal)) {
    const message =
      'GitHub runs only workflows at the top of a repository, which is above this folder';
    report.problem({ subject: '.github/workflows', message, level: 'warning' });
  }

  report.print(
    ...files.keys(),
    '',
    'Next:',
    ...listSteps(folder, options).map((step, index) => `  ${index + 1}. ${step}`),
  );
  report.document({ folder, files: [...files.keys()] });
}

/** Whether a folder is below the top of a repository. */
async function isInside(folder: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await openGit(folder, signal)('rev-parse', '--show-prefix')) !== '';
  } catch {
    return false;
  }
}

/** The files below `site/starter/`, by their paths in the index. npm leaves files with a dot out of packages. */
function readStarter({ host, releasesUrl, repositoryUrl }: Options): Map<string, string> {
  const kind = Object.hasOwn(lastSteps, host) ? host : 'folder';
  const words: Readonly<Record<string, string>> = {
    HOSTING: JSON.stringify(kind === 'folder' ? { folder: resolve(host) } : host),
    RELEASES_URL: releasesUrl ?? 'https://releases.invalid',
    REPOSITORY_URL: repositoryUrl ?? 'https://repository.invalid',
  };
  const starter = join(program, 'site/starter');
  const daily = `/daily-${kind}.yml`;
  // There is a daily workflow for each kind of host.
  const paths = listFiles(starter)
    .map(({ path }) => path)
    .filter((path) => !path.includes('/daily-') || path.endsWith(daily));
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(starter, path), 'utf8');
      return [
        path.replaceAll('dot-', '.').replace(daily, '/daily.yml'),
        text.replaceAll(/__(\w+?)__/g, (_, word: string) => words[word]!),
      ];
    }),
  );
}

/** The program, as a package beside the index; wrangler for Cloudflare; and Node where npm has an old one. */
function createManifest(host: string, isNodeOld: boolean): string {
  const { version, devDependencies, optionalDependencies } = manifest;
  // In a package, its manifest has another name for them (.ci/pack.ts).
  const { nodePackages } = manifest as { nodePackages?: object };
  const wrangler = `^${devDependencies.wrangler}`;
  return formatJson({
    private: true,
    dependencies: { 'release-index': `file:program/release-index-${version}.tgz` },
    ...(host === 'cloudflare' && { devDependencies: { wrangler } }),
    ...(isNodeOld && { optionalDependencies: nodePackages ?? optionalDependencies }),
  });
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

/** Whether the Node that runs npm is too old for the program; a checkout brings one of its own. */
async function hasOldNode(signal: AbortSignal): Promise<boolean> {
  const paths = process.env['PATH']!.split(':').filter((each) => !each.includes('node_modules'));
  const env = { ...process.env, PATH: paths.join(':') };
  const args = [join(program, 'src/cli.js'), '--version'];
  try {
    await runProgram('node', args, { subject: 'node', signal, env });
    return false;
  } catch {
    return true;
  }
}

/** The last step, by host; that of a folder is to publish. */
const lastSteps: Readonly<Record<string, string>> = {
  pages: 'in Settings / Pages of the repository, choose "GitHub Actions" as source',
  cloudflare:
    'give the environment "cloudflare" of the repository the secrets CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID',
};

function listSteps(folder: string, { host, releasesUrl, repositoryUrl }: Options): string[] {
  const hasAddresses = releasesUrl !== undefined && repositoryUrl !== undefined;
  return [
    `cd ${folder}`,
    'npm install',
    'npx release-index add npm <package>, for each component',
    'npx release-index start, then npx release-index preview',
    ...(hasAddresses ? [] : ['in site/site.json, replace the addresses that end in .invalid']),
    'commit everything, and push it',
    lastSteps[host] ?? `npx release-index daily, which publishes into ${host}`,
  ];
}
