import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { renovateProposals } from '../../ask/answers/renovate-proposals.ts';
import { judgePublished } from '../../ask/answers/version-answer.ts';
import { readJson } from '../../ask/answers/published-documents.ts';
import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { warning, inputError } from '../../core/schemas/finding.ts';
import { counted } from '../../core/text/text.ts';
import { entriesOf, GitError, openGit } from '../../io/files/git.ts';
import type { PresetFile } from '../../core/schemas/published/small-files.ts';
import { index, shared, siteUrlOf, unableStatus } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { anyOf, pinFinder, type FoundPin, type NearMiss } from '../find-pins.ts';
import { ownManager } from '../../site/render/renovate/places.ts';
import { datasourceOf } from '../../site/render/renovate/preset.ts';
import { askPublished, openOwn } from '../open-index.ts';

const optionTable = {
  index,
  ...shared('root', 'as-of', 'base-url'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['folder'] },
  options: optionTable,
  details: [
    'Each comment "renovate: datasource=... depName=..." of this index in the files of a folder (default: the current one): the',
    'version below it, its verdict, and what Renovate proposes with the preset. Then each comment that Renovate does not read,',
    'and why. In a git repository, it reads only files that git knows, like Renovate. From renovate.json it reads "extends",',
    'ignorePaths and separateMajorMinor; other rules of yours may change the proposals. Versions that Renovate finds by itself,',
    'such as packages and images, are not listed.',
    'Exits with 0 if Renovate reads every comment, 1 if it does not, 2 if the command line is wrong, and 3 if the index cannot be',
    'reached or the folder is missing.',
  ],
  examples: [
    ['pins', 'in the current folder'],
    [
      'pins ../service --index https://releases.example.com',
      'in another folder, by a published index',
    ],
    ['pins --json', 'for a script'],
  ],
  statusOfInputErrors: unableStatus,
  run,
};

interface JudgedPin extends FoundPin {
  readonly state: string;
  readonly sentence: string;
  readonly proposed: readonly string[];
  readonly replacement?: string | undefined;
}

interface FoundPins {
  readonly pins: readonly JudgedPin[];
  readonly misses: readonly NearMiss[];
}

async function run(invocation: Invocation<Options>): Promise<number> {
  const { arguments: words, options, root, day, report } = invocation;
  const folder = words[0] ?? process.cwd();
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw inputError(folder, 'There is no such folder.');
  }

  const url = siteUrlOf('--index', options.index);
  const { pins, misses } = await (url === undefined
    ? findOwnPins(invocation, folder)
    : askPublished(invocation, url, async (index, documents) => {
        const preset = await readJson<PresetFile>(documents, 'renovate.json');
        const [datasource = ''] = Object.keys(preset.customDatasources);

        return findPins(invocation, index, folder, {
          datasource: `custom.${datasource}`,
          managers: preset.customManagers,
          address: url,
        });
      }));
  const place = ({ file, line }: { file: string; line: number }) => `${file}:${line}`;

  if (pins.length > 0) {
    report.print({
      headings: ['where', 'component', 'version', 'state', 'Renovate proposes'],
      rows: pins.map((pin) => [place(pin), pin.component, pin.version, pin.state, proposalOf(pin)]),
    });
  }

  if (misses.length > 0) {
    report.print({
      headings: ['not read', 'because'],
      rows: misses.map((miss) => [place(miss), miss.reason]),
    });
  }

  const counts = `${counted(pins.length, 'version')} read, ${counted(misses.length, 'comment')} not.`;

  report.print(`${counts} Packages and images that Renovate finds by itself are not listed.`);
  report.document({ verb: 'pins', asOf: day, folder, root: root.dir, pins, misses });

  return misses.length > 0 ? 1 : 0;
}

function proposalOf({ proposed, replacement }: JudgedPin): string {
  return [...proposed, replacement].filter((version) => version !== undefined).join(', ') || '-';
}

function findOwnPins(invocation: Invocation, folder: string): Promise<FoundPins> {
  const { index, config } = openOwn(invocation);
  const datasource = datasourceOf({ config });

  return findPins(invocation, index, folder, {
    datasource,
    managers: [ownManager(datasource)],
    address: invocation.baseUrl ?? config.releasesUrl,
  });
}

/** The preset of an index, as far as it finds versions. */
interface FindingPreset {
  readonly datasource: string;
  readonly managers: PresetFile['customManagers'];
  /** Of the index. */
  readonly address: string;
}

async function findPins(
  invocation: Invocation,
  published: PublishedIndex,
  folder: string,
  { datasource, managers, address: indexUrl }: FindingPreset,
): Promise<FoundPins> {
  const address = `${indexUrl}/renovate.json`;
  const components = new Set(Object.keys((await published.status()).components));
  const context = { datasource, managers, components };

  const own = readOwnConfig(folder);

  if (!own.text.includes(address)) {
    invocation.report.finding(
      warning(folder, `no configuration of Renovate here extends ${address}`),
    );
  }

  const ignored = anyOf(own.ignorePaths);
  const find = pinFinder(context);
  const files = filesIn(folder, invocation.env).filter((file) => !ignored.test(file));
  const found = files.map((file) => find(file, readText(join(folder, file))));
  const pins: JudgedPin[] = [];

  for (const pin of found.flatMap((each) => each.pins)) {
    pins.push(await judge(published, pin, own.separateMajorMinor));
  }

  const misses = found.flatMap((each) => each.misses);

  return { pins, misses };
}

async function judge(
  published: PublishedIndex,
  pin: FoundPin,
  separatesMajors: boolean,
): Promise<JudgedPin> {
  const details = (await published.details(pin.component))!;
  const version = pin.version.replace(/^v(?=\d)/i, '');
  const { state, sentence } = (await judgePublished(published, details, { version })).answer;
  const all = renovateProposals(details, pin.version);
  const proposed = separatesMajors ? all : all.slice(-1);
  const { replacedBy } = details;
  const latest =
    replacedBy === undefined ? undefined : (await published.details(replacedBy))?.latest;
  const replacement = latest && `${replacedBy}@${withoutPrefix(latest.version)}`;

  return { ...pin, state, sentence, proposed, replacement };
}

function withoutPrefix(version: string): string {
  return version.replace(/^v/i, '');
}

/** Renovate ignores these paths, unless a configuration states others. */
const ignoredPaths = ['**/{node_modules,bower_components}/**'];

/** These presets also ignore `ignoredByPresets`. */
const presetsWithPaths =
  /"(?:config:(?:recommended|best-practices|js-app|js-lib)|:ignoreModulesAndTests)"/;
const ignoredByPresets = ['**/{vendor,examples,__tests__,test,tests,__fixtures__}/**'];

const maxFileSize = 2 ** 20;

/** Paths below the folder with slashes, as git knows them; outside git, all files. */
function filesIn(folder: string, env: Invocation['env']): string[] {
  return listFiles(folder, env)
    .filter((file) => !file.startsWith('.git/'))
    .filter((file) => {
      const stat = lstatSync(join(folder, file), { throwIfNoEntry: false });
      return stat?.isFile() === true && stat.size <= maxFileSize;
    })
    .sort();
}

function listFiles(folder: string, env: Invocation['env']): string[] {
  try {
    return entriesOf(openGit(folder, env)(['ls-files', '-z']));
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

    return files.map((file) => file.replaceAll('\\', '/'));
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
}

interface OwnConfig {
  readonly text: string;
  readonly ignorePaths: readonly string[];
  readonly separateMajorMinor: boolean;
}

const configNames = [
  'renovate.json',
  '.github/renovate.json',
  '.gitlab/renovate.json',
  '.renovaterc.json',
  '.renovaterc',
];

/** The first configuration of Renovate in a folder, as far as it is plain JSON. */
function readOwnConfig(folder: string): OwnConfig {
  const file = configNames.find((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
  );
  const text = file === undefined ? '{}' : readText(join(folder, file));
  const ofPresets = presetsWithPaths.test(text) ? ignoredByPresets : [];
  const { ignorePaths, separateMajorMinor } = parsedConfig(text);

  return {
    text,
    ignorePaths: Array.isArray(ignorePaths)
      ? ignorePaths.map(String)
      : [...ignoredPaths, ...ofPresets],
    separateMajorMinor: separateMajorMinor !== false,
  };
}

function parsedConfig(text: string): { ignorePaths?: unknown; separateMajorMinor?: unknown } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
