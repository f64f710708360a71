import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Host, placeholder } from '../../core/schemas/site-config.ts';
import { HttpsUrl } from '../../core/schemas/links.ts';
import { InputError, problem } from '../../core/schemas/finding.ts';
import { programRepository, programVersion, wantedWrangler } from '../../io/program.ts';
import { isAbsent, makeFolder } from '../../io/files/file-system.ts';
import { type Command, inputError, type Invocation, parseOption, siteUrlOf, text } from '../command.ts';

export const command: Command = {
  arguments: '[folder]',
  options: {
    'releases-url': text('URL', 'address of the published site'),
    host: text('HOST', 'cloudflare (default), pages (GitHub Pages) or files (any other server)'),
    'repository-url': text('URL', 'repository of the index, where readers report problems'),
  },
  details: [
    'Writes components/, data/ and site/ of an empty index, a package.json that pins this version of the program, the workflows',
    'that check it and run it every day, and a configuration of Renovate that proposes later versions. Without a folder, into',
    'the current one. If one of the files exists, it is named and nothing is written.',
    '--host pages needs no other account and no secret: the index is files alone, and its workflow deploys them to GitHub Pages.',
    'Without --releases-url, their address is then made from that of the repository at GitHub.',
    'An address that is not given stays open in site/site.json: "check" reports it, and "publish" rejects it.',
  ],
  examples: [
    ['init', 'in the current folder'],
    ['init --host pages --repository-url https://github.com/me/my-index', 'on GitHub Pages'],
    ['init my-index --releases-url https://releases.example.com', 'in a folder that may be new'],
  ],
  run,
};

function run(invocation: Invocation): number {
  const { options, report, day } = invocation;
  const folder = resolve(invocation.arguments[0] ?? '.');
  const host = parseOption('--host', options['host'], Host) ?? 'cloudflare';
  const repositoryUrl = parseOption('--repository-url', options['repository-url'], HttpsUrl);
  const releasesUrl =
    siteUrlOf('--releases-url', options['releases-url']) ??
    (host === 'pages' ? pagesUrlOf(repositoryUrl) : undefined);
  const files = starterFiles(join(invocation.checkout, 'site', 'starter'), {
    'OWNER/REPOSITORY': programRepository(),
    VERSION: programVersion(),
    HOSTING_STEP: hostSteps[host],
    HOSTING_KIND: host,
    INDEX_FOLDER: '.',
    WRANGLER: wantedWrangler(),
    RELEASES_URL: releasesUrl ?? placeholder('releases'),
    REPOSITORY_URL: repositoryUrl ?? placeholder('repository'),
  });
  if (host !== 'cloudflare') withoutCloudflare(files);
  rejectExisting(folder, [...files.keys()]);
  for (const [name, content] of files) {
    const path = join(folder, name);
    makeFolder(dirname(path));
    writeFileSync(path, content, { flag: 'wx' });
  }
  const isComplete = releasesUrl !== undefined && repositoryUrl !== undefined;
  report.print(...files.keys(), ...nextSteps(invocation.arguments[0], isComplete, hostSteps[host]));
  report.document({ verb: 'init', asOf: day, folder, files: [...files.keys()], findings: [] });
  return 0;
}

/**
 * The files that an index of one's own begins with, by path. Each of these words is replaced by its value in them. A name that
 * begins with a dot is written `dot-` there, since npm leaves some of those out of packages.
 */
function starterFiles(starter: string, values: Readonly<Record<string, string>>): Map<string, string> {
  const words = new RegExp(Object.keys(values).join('|'), 'g');
  const paths = readdirSync(starter, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = paths.map((path): [string, string] => {
    const name = relative(starter, path).replaceAll(sep, '/');
    const content = readFileSync(path, 'utf8').replaceAll(words, (word) => values[word]!);
    return [name.replaceAll(/(^|\/)dot-/g, '$1.'), content];
  });
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a person does once at the host. */
const hostSteps: Readonly<Record<Host, string>> = {
  cloudflare: 'give the repository the secrets CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID',
  pages: 'in the settings of the repository, under Pages, choose "GitHub Actions" as source',
  files: 'let a job build and copy the site (runbook, "Serve it with a server of your own")',
};

/** Other hosts need neither its secrets nor its program. */
function withoutCloudflare(files: Map<string, string>): void {
  for (const [name, content] of files)
    if (name.endsWith('.yml')) files.set(name, content.replaceAll(/^.*CLOUDFLARE_.*\n/gm, ''));
  const { devDependencies: _, ...manifest } = JSON.parse(files.get('package.json')!) as Record<
    string,
    object
  >;
  files.set('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Where GitHub serves the Pages of a repository; undefined where it is elsewhere. */
function pagesUrlOf(repositoryUrl: string | undefined): string | undefined {
  const [, owner, name] =
    /^https:\/\/github\.com\/([\w-]+)\/([\w.-]+?)(?:\.git|\/)?$/.exec(repositoryUrl ?? '') ?? [];
  if (owner === undefined || name === undefined) return undefined;
  const site = `${owner.toLowerCase()}.github.io`;
  return name.toLowerCase() === site ? `https://${site}` : `https://${site}/${name}`;
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

function nextSteps(folder: string | undefined, isComplete: boolean, hostStep: string): string[] {
  const openAddresses =
    'put the addresses of the site and of its repository into site/site.json in place of those that end in .invalid';
  const steps = [
    ...(folder === undefined ? [] : [`cd ${folder}`]),
    'npm install, which brings the program and writes package-lock.json',
    'npx release-index add npm <package>, for each component; without arguments, it lists other datasources',
    'npx release-index start, then npx release-index preview, to look at it',
    ...(isComplete ? [] : [openAddresses]),
    `commit everything, push it to GitHub, ${hostStep}, and run the workflow "daily" once`,
  ];
  return ['', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
