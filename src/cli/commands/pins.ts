import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { renovateProposals } from '../../ask/answers/renovate-proposals.ts';
import { judgePublished } from '../../ask/answers/version-answer.ts';
import {
  readPublishedJson,
  type PublishedDocuments,
} from '../../ask/answers/published-documents.ts';
import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { parseVersion } from '../../core/model/version.ts';
import { rangeInWords } from '../../core/model/words.ts';
import { inputError, warning } from '../../core/schemas/finding.ts';
import type { PresetFile } from '../../core/schemas/published/small-files.ts';
import { counted } from '../../core/text/text.ts';
import { entriesOf, GitError, openGit } from '../../io/files/git.ts';
import { commentManager } from '../../site/render/renovate/pin-places.ts';
import { datasourceOf } from '../../site/render/renovate/preset.ts';
import { index, shared, siteUrlOf, unableStatus } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { packageFinder, type FoundPackage } from '../find-packages.ts';
import { pinFinder, type FoundPin, type NearMiss } from '../find-pins.ts';
import { openCheckoutIndex } from '../open-index.ts';
import { readRepositoryConfig, type RepositoryConfig } from '../renovate-config.ts';
import { applyRules, type Dependency } from '../renovate-rules.ts';

const optionTable = {
  index,
  ...shared('root', 'as-of', 'base-url'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['folder'], isOpen: true },
  options: optionTable,
  details: [
    'Lists each version of this index in the files of folders (default: the current): below a comment "renovate: datasource=...',
    'depName=...", and of packages that Renovate finds by itself. Each row has the state, the end of support, and the proposal of',
    'Renovate: "-" if it proposes nothing, or asks another registry. Then lists each comment that Renovate does not read, and why.',
    'The rows of several folders are sorted by the end of support. In a git repository, it reads only files that git knows, like',
    'Renovate. From renovate.json it reads "extends" with presets of this index, packageRules, ignorePaths, includePaths and',
    'separateMajorMinor; other presets and minimumReleaseAge may change the proposals.',
    'Exits with 0 if Renovate reads every comment, 1 if it does not, 2 if the command line is wrong, and 3 if the index cannot be',
    'reached or a folder is missing.',
  ],
  examples: [
    ['pins', 'in the current folder'],
    [
      'pins ../service ../app --index https://releases.example.com',
      'in other folders, by a published index',
    ],
    ['pins --json', 'for a script'],
  ],
  statusOfInputErrors: unableStatus,
  run,
};

interface JudgedPin {
  readonly folder: string;
  readonly file: string;
  readonly line: number;
  readonly component: string;
  readonly version: string;
  /** The package URL of a version that Renovate finds by itself. */
  readonly package?: string | undefined;
  readonly state: string;
  readonly sentence: string;
  readonly supportedUntil?: string | undefined;
  readonly supportedUntilAtMost?: string | undefined;
  /** Absent where Renovate asks another registry. */
  readonly proposed?: readonly string[] | undefined;
  readonly replacement?: string | undefined;
}

interface FoundPins {
  readonly pins: readonly JudgedPin[];
  readonly misses: readonly (NearMiss & { folder: string })[];
}

/** The index that the files are compared with. */
interface Opened {
  readonly published: PublishedIndex;
  readonly documents: PublishedDocuments;
  /** Without a slash at the end. */
  readonly address: string;
  readonly findPins: ReturnType<typeof pinFinder>;
  readonly findPackages: Awaited<ReturnType<typeof packageFinder>>;
  readonly datasource: string;
}

async function run(invocation: Invocation<Options>): Promise<number> {
  const { arguments: words, options, root, day, report } = invocation;
  const folders = words.length > 0 ? words : [process.cwd()];
  for (const folder of folders) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw inputError(folder, 'There is no such folder.');
    }
  }

  const url = siteUrlOf('--index', options.index);
  const find = url === undefined ? findOwn : findPublished;
  const { pins, misses } = await find(invocation, folders);

  printPins(invocation, { pins, misses }, folders.length > 1);
  report.document({ verb: 'pins', asOf: day, folders, root: root.dir, pins, misses });

  return misses.length > 0 ? 1 : 0;
}

function printPins({ report }: Invocation, { pins, misses }: FoundPins, hasFolders: boolean): void {
  const place = ({ folder, file, line }: { folder: string; file: string; line: number }) =>
    `${hasFolders ? join(folder, file) : file}:${line}`;

  if (pins.length > 0) {
    report.print({
      headings: ['where', 'component', 'version', 'state', 'end', 'Renovate proposes'],
      rows: pins.map((pin) => [
        place(pin),
        pin.component,
        pin.version,
        pin.state,
        endOf(pin) || '-',
        proposalOf(pin),
      ]),
    });
  }

  if (misses.length > 0) {
    report.print({
      headings: ['not read', 'because'],
      rows: misses.map((miss) => [place(miss), miss.reason]),
    });
  }

  const packages = pins.filter((pin) => pin.package !== undefined);
  const comments = pins.length - packages.length;

  report.print(
    `${counted(comments, 'comment')} and ${counted(packages.length, 'package')} read, ${counted(misses.length, 'comment')} not.`,
  );
}

function endOf({ supportedUntil, supportedUntilAtMost }: JudgedPin): string {
  return rangeInWords({ from: supportedUntil, atMost: supportedUntilAtMost });
}

function proposalOf({ proposed = [], replacement }: JudgedPin): string {
  return [...proposed, replacement].filter((version) => version !== undefined).join(', ') || '-';
}

async function findOwn(
  invocation: Invocation<Options>,
  folders: readonly string[],
): Promise<FoundPins> {
  const { index: published, documents, config } = openCheckoutIndex(invocation);
  const datasource = datasourceOf({ config });
  const finders = await openFinders(published, datasource, [commentManager(datasource)]);
  const address = invocation.baseUrl ?? config.releasesUrl;

  return findInFolders({ published, documents, address, ...finders }, folders, invocation);
}

async function findPublished(
  invocation: Invocation<Options>,
  folders: readonly string[],
): Promise<FoundPins> {
  const { askPublished } = await import('../open-published.ts');
  const address = siteUrlOf('--index', invocation.options.index)!;

  return askPublished(invocation, address, async (published, documents) => {
    const preset = await readPublishedJson<PresetFile>(documents, 'renovate.json');
    const [datasource = ''] = Object.keys(preset.customDatasources);
    const { customManagers } = preset;
    const finders = await openFinders(published, `custom.${datasource}`, customManagers);

    return findInFolders({ published, documents, address, ...finders }, folders, invocation);
  });
}

async function openFinders(
  published: PublishedIndex,
  datasource: string,
  managers: PresetFile['customManagers'],
): Promise<Pick<Opened, 'findPins' | 'findPackages' | 'datasource'>> {
  const components = new Set(Object.keys((await published.status()).components));

  return {
    findPins: pinFinder({ datasource, managers, components }),
    findPackages: await packageFinder(published),
    datasource,
  };
}

async function findInFolders(
  opened: Opened,
  folders: readonly string[],
  invocation: Invocation<Options>,
): Promise<FoundPins> {
  const pins: JudgedPin[] = [];
  const misses: (NearMiss & { folder: string })[] = [];

  for (const folder of folders) {
    const config = readRepositoryConfig(folder, opened.address, opened.documents);
    if (!config.extendsIndex) {
      const problem = `no configuration of Renovate here extends ${opened.address}/renovate.json`;
      invocation.report.finding(warning(folder, problem));
    }

    for (const file of filesIn(folder, invocation.env).filter(config.reads)) {
      const text = readText(join(folder, file));
      const pinsOfFile = opened.findPins(file, text);
      misses.push(...pinsOfFile.misses.map((miss) => ({ ...miss, folder })));

      for (const pin of pinsOfFile.pins) {
        pins.push({ folder, ...(await judgePin(opened, pin, config)) });
      }

      const reject = (message: string) =>
        invocation.report.finding(warning(file, `its packages were not read: ${message}`));

      for (const pin of opened.findPackages(file, text, config.patternsOf, reject)) {
        pins.push({ folder, ...(await judgePackage(opened, pin, config)) });
      }
    }
  }

  return { pins: folders.length > 1 ? pins.toSorted(byEnd) : pins, misses };
}

/** Those without an end last. */
function byEnd(a: JudgedPin, b: JudgedPin): number {
  const [first, second] = [a, b].map(
    ({ supportedUntilAtMost, supportedUntil = '9999' }) => supportedUntilAtMost ?? supportedUntil,
  );

  return first! < second! ? -1 : Number(first! > second!);
}

async function judgePin(
  { published, datasource }: Opened,
  pin: FoundPin,
  { rulesFor, separatesMajors }: RepositoryConfig,
): Promise<Omit<JudgedPin, 'folder'>> {
  const details = (await published.details(pin.component))!;
  const dependency: Dependency = {
    datasource,
    packageName: pin.component,
    depName: pin.component,
    manager: 'custom.regex',
    packageFile: pin.file,
    currentValue: pin.version,
    currentVersion: pin.version,
  };
  const decision = await applyRules(await rulesFor(pin.component), dependency, separatesMajors);
  const proposed = decision.isEnabled ? renovateProposals(details, pin.version, decision) : [];
  const { replacedBy } = details;
  const latest =
    replacedBy === undefined ? undefined : (await published.details(replacedBy))?.latest;
  const replacement = latest && `${replacedBy}@${withoutPrefix(latest.version)}`;

  return { ...pin, ...(await verdictOn(published, pin)), proposed, replacement };
}

async function judgePackage(
  { published, datasource }: Opened,
  foundPackage: FoundPackage,
  { rulesFor, separatesMajors }: RepositoryConfig,
): Promise<Omit<JudgedPin, 'folder'>> {
  const { file, line, component, version, package: purl } = foundPackage;
  const details = (await published.details(component))!;
  const dependency: Dependency = {
    datasource: foundPackage.datasource,
    packageName: foundPackage.packageName,
    depName: foundPackage.packageName,
    manager: foundPackage.manager,
    packageFile: file,
    currentValue: version,
    currentVersion: version,
    currentDigest: foundPackage.digest,
  };
  const decision = await applyRules(await rulesFor(component), dependency, separatesMajors);
  // Renovate asks which version a range stands for.
  const isOfIndex = decision.datasource === datasource && parseVersion(version) !== undefined;
  let proposed: string[] | undefined = decision.isEnabled ? undefined : [];
  if (decision.isEnabled && isOfIndex) {
    proposed = renovateProposals(details, version, decision);
  }

  const verdict = await verdictOn(published, { component, version });

  return { file, line, component, version, package: purl, ...verdict, proposed };
}

async function verdictOn(
  published: PublishedIndex,
  { component, version }: { component: string; version: string },
): Promise<Pick<JudgedPin, 'state' | 'sentence' | 'supportedUntil' | 'supportedUntilAtMost'>> {
  const details = (await published.details(component))!;
  const asked = { version: withoutPrefix(version) };
  const { answer } = await judgePublished(published, details, asked);
  const { state, sentence, supportedUntil, supportedUntilAtMost } = answer;

  return { state, sentence, supportedUntil, supportedUntilAtMost };
}

function withoutPrefix(version: string): string {
  return version.replace(/^v(?=\d)/i, '');
}

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
