import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { InputError } from '../../core/errors.ts';
import { listFiles, saveFile } from '../../core/files.ts';
import { parseUrl, type Context } from '../context.ts';

interface Options {
  host: 'files' | 'pages' | 'cloudflare';
  to?: string;
  releasesUrl?: string;
  repositoryUrl?: string;
}

const program = resolve(import.meta.dirname, '../../..');
/** The package has JavaScript. */
const isCheckout = import.meta.filename.endsWith('.ts');

export function define(command: Command, context: Context): void {
  command
    .argument('[folder]', 'where the index is to be, perhaps in a repository', '.')
    .addOption(
      new Option('--host <host>', 'files: any server; pages: GitHub Pages')
        .choices(['files', 'pages', 'cloudflare'])
        .default('files'),
    )
    .option('--to <folder>', 'with files: the folder that the server serves')
    .option('--releases-url <url>', 'address of the published site', parseUrl)
    .option('--repository-url <url>', 'repository of the index', parseUrl)
    .addHelpText(
      'after',
      '\nWrites components/, data/, site/, package.json and workflows for GitHub. SETUP has cron and GitLab.',
    )
    .action((folder: string, options: Options) => createIndex(resolve(folder), options, context));
}

/** Files of this kind stay, if a repository has them. */
const usual: Readonly<Record<string, string>> = {
  'README.md': 'It is yours',
  '.gitattributes': 'Add: data/** text eol=lf',
  '.gitignore': 'Add: node_modules/ dist/ .cache/ .access/ *.key',
  '.npmrc': 'It is yours',
};

function createIndex(folder: string, options: Options, { report, env }: Context): void {
  const files = readStarter(options);
  const existing = [...files.keys()].filter((path) => existsSync(join(folder, path)));
  const clashes = existing.filter((path) => !Object.hasOwn(usual, path));
  const filled = ['components', 'data', 'site'].filter(
    (name) => existsSync(join(folder, name)) && readdirSync(join(folder, name)).length > 0,
  );
  if (clashes.length + filled.length > 0) {
    throw new InputError(
      [...new Set([...clashes, ...filled])].map((path) => ({
        subject: join(folder, path),
        message: 'exists already. Nothing was written. Move it away, or name another folder',
      })),
    );
  }

  for (const [path, text] of files) {
    if (existing.includes(path)) {
      report.problem({ subject: path, message: `stays as it is. ${usual[path]}`, level: 'notice' });
    } else {
      saveFile(join(folder, path), text);
    }
  }
  addDependencies(folder, options.host, env);

  report.print(
    ...files.keys(),
    '',
    'Next:',
    ...listSteps(folder, options).map((step, index) => `  ${index + 1}. ${step}`),
  );
  report.document({ verb: 'init', folder, files: [...files.keys()] });
}

/** The files below `site/starter/`, by their paths in the index. npm leaves files with a dot out of packages. */
function readStarter({ host, to, releasesUrl, repositoryUrl }: Options): Map<string, string> {
  const words: Readonly<Record<string, string>> = {
    HOSTING: JSON.stringify(to === undefined ? host : { folder: resolve(to) }),
    RELEASES_URL: releasesUrl ?? 'https://releases.invalid',
    REPOSITORY_URL: repositoryUrl ?? 'https://repository.invalid',
    // A server's folder is out of reach of GitHub's own runners.
    RUNNER: host === 'files' ? 'self-hosted' : 'ubuntu-24.04',
  };
  const starter = join(program, 'site/starter');
  const pattern = new RegExp(Object.keys(words).join('|'), 'g');
  return new Map(
    listFiles(starter).map(({ path }) => {
      const text = selectParts(readFileSync(join(starter, path), 'utf8'), host);
      return [
        path.replaceAll('dot-', '.'),
        text.replaceAll(pattern, (word) => words[word] ?? word),
      ];
    }),
  );
}

/** Without the parts for other hosts, between `# only: pages` and `# end`. */
function selectParts(text: string, host: string): string {
  return text.replaceAll(/^ *# only: (.+)\n([^]*?)^ *# end\n/gm, (_, name: string, part: string) =>
    name === host ? part : '',
  );
}

/** The program, as a packed file in the index if it runs from its checkout; wrangler for Cloudflare; and Node where npm has an old one. */
function addDependencies(folder: string, host: string, env: NodeJS.ProcessEnv): void {
  const path = join(folder, 'package.json');
  const document = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>;
  document['dependencies'] = {
    ...document['dependencies'],
    'release-index': isCheckout ? pack(folder) : manifest.version,
  };
  if (host === 'cloudflare') {
    document['devDependencies'] = { wrangler: `^${manifest.devDependencies.wrangler}` };
  }
  if (hasOldNode(env)) {
    document['optionalDependencies'] = manifest.optionalDependencies;
  }

  saveFile(path, `${JSON.stringify(document, undefined, 2)}\n`);
}

function pack(folder: string): string {
  const target = join(folder, 'program');
  mkdirSync(target, { recursive: true });
  const args = ['pack', '--loglevel=error', '--pack-destination', target];
  const output = execFileSync('npm', args, {
    cwd: program,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return `file:program/${basename(output.trim().split('\n').at(-1) ?? '')}`;
}

/** Whether the Node of npm is too old for the program. */
function hasOldNode(env: NodeJS.ProcessEnv): boolean {
  const node = env['npm_node_execpath'] ?? 'node';
  const version =
    spawnSync(node, ['--version'], {
      encoding: 'utf8',
      env: { ...env, PATH: withoutModules(env['PATH'] ?? '') },
    }).stdout ?? '';
  const [major = 0, minor = 0] = (version.match(/\d+/g) ?? []).map(Number);
  return major < 22 || (major === 22 && minor < 18);
}

function withoutModules(path: string): string {
  return path
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
}

function listSteps(folder: string, { host, releasesUrl, repositoryUrl, to }: Options): string[] {
  const secrets = 'give the repository the secrets CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID';
  const atHost = {
    cloudflare: secrets,
    pages: 'in Settings / Pages of the repository, choose "GitHub Actions" as source',
    files:
      to === undefined
        ? 'npx release-index daily --to /srv/releases'
        : `npx release-index daily, which publishes into ${to}`,
  };
  const placeholders =
    releasesUrl && repositoryUrl
      ? []
      : ['in site/site.json, replace the addresses that end in .invalid'];
  return [
    `cd ${folder}`,
    'npm install',
    'npx release-index add npm <package>, for each component',
    'npx release-index start, then npx release-index preview',
    ...placeholders,
    'commit everything, and push it',
    atHost[host],
  ];
}
