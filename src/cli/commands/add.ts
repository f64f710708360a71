import { notice, inputError } from '../../core/schemas/finding.ts';
import { endSentence } from '../../core/text/wording.ts';
import { requireSiteConfig } from '../../io/files/settings-files.ts';
import { formatDocument } from '../../io/files/save.ts';
import type { RequiredKey } from '../../record/add/draft-definition.ts';
import { packageSources } from '../../record/sources/index.ts';
import { openUpstreams } from '../../run/run-context.ts';
import { addMany, describeAdded } from '../add-many.ts';
import { addOne, readUsedNames, type AddContext, type AddedComponent } from '../add-one.ts';
import { listProductNames } from '../add-products.ts';
import {
  areProducts,
  describeMissing,
  addOptions,
  type ListedPackage,
  type AddOptions,
} from '../add-request.ts';
import { UsageError, type Command, type Invocation, type OptionValues } from '../command.ts';
import { listPackages } from '../packages-to-add.ts';

export const command: Command<AddOptions> = {
  arguments: { optional: ['datasource', 'package'], isOpen: true },
  options: addOptions,
  details: [
    'Asks the registry for title, description, homepage and changelog of the package, writes components/<component>.json, and',
    'records its releases in data/<component>.json. --replace keeps recorded data and values that no registry states, such as a',
    'support policy. Where no homepage or changelog is stated, it uses the page of the repository, its releases, the page in the',
    'registry or that in this index, and says so. The support policy comes from endoflife.date, if that has the package;',
    'otherwise a terminal asks for it. If a registry fails or does not know the package, nothing is written.',
    'Products of endoflife.date, or of --from-instance: lists of releases become sources, a rule the policy. Without a rule, or',
    'where that gives a line another state today, the product goes on stating the ends.',
    'With several packages, it skips those that the index already has, and goes on after a failure.',
    '--from ignores versions. A bill of materials is CycloneDX or SPDX 2 as JSON. The images of a cluster:',
    '  kubectl get pods -A -o jsonpath="{..image}" | tr " " "\\n"',
  ],
  examples: [
    ['add npm @example/agent', 'a package of the registry that npm is configured with'],
    ["add npm '@example/*'", 'all packages of a scope'],
    ['add --from bom.json', 'all packages of a bill of materials'],
    ['add maven com.example:agent --dry-run', 'what would be written'],
    ['add docker example/server --registry-url https://ghcr.io', 'from another registry'],
    [
      'add helm server --registry-url https://charts.example.com',
      'a chart, which needs its repository',
    ],
    [
      'add json https://example.com/agent.json',
      "a document of Renovate's form, or of another index",
    ],
    ['add nodejs postgresql', 'products of endoflife.date, with their sources and rules'],
    ['add endoflife-date --all ../ends', 'all products of a fork of endoflife.date'],
    ['add static agent.csv', 'a list that you keep: JSON, CSV, or lines of version and day'],
  ],
  run(invocation) {
    const { arguments: words } = invocation;
    return addPackages({
      ...invocation,
      words: areProducts(words) ? ['endoflife-date', ...words] : words,
    });
  },
};

interface AddInput extends Omit<Invocation, 'arguments' | 'options'> {
  /** A datasource and the names of its packages; empty where an option names the packages. */
  words: readonly string[];
  options: OptionValues<AddOptions>;
}

interface AddRun extends AddInput, AddContext {}

/** The options for values that a registry may not state. */
const keyOptions: Readonly<Record<RequiredKey, string>> = {
  homepage: '--homepage URL',
  changelogUrl: '--changelog URL',
};

/** Defines and gathers components. Also for the first packages of a new index. */
export async function addPackages(input: AddInput): Promise<number> {
  const singlePackage = readSinglePackage(input);
  if (!singlePackage) {
    checkManyOptions(input);
  }

  const { root, env } = input;
  const usedNames = readUsedNames(root);
  const upstreams = openUpstreams(input, requireSiteConfig(root));
  const canAsk = singlePackage !== undefined && process.stdin.isTTY && !env['CI'];
  const context = { ...input, usedNames, upstreams, canAsk };

  try {
    return await (singlePackage ? addSingle(context, singlePackage) : addAll(context));
  } finally {
    await upstreams.http.close();
  }
}

/** The package, unless the words name several, or an option does. Throws a UsageError where they name none. */
function readSinglePackage({ words, options }: AddInput): ListedPackage | undefined {
  const [datasource, packageName] = words;
  const { from, all } = options;
  if (words.length > 2 || packageName?.endsWith('/*') || from !== undefined || all !== undefined) {
    return undefined;
  }
  if (datasource === undefined || packageName === undefined) {
    throw new UsageError(...describeMissing(datasource));
  }

  return { datasource, packageName };
}

async function addSingle(context: AddRun, entry: ListedPackage): Promise<number> {
  const { report, day } = context;
  const result = await addOne(context, entry);
  if ('missing' in result) {
    const { subject, missing, reason, notes } = result;
    const options = missing.map((key) => keyOptions[key]).join(' ');
    report.finding(...notes.map((message) => notice(subject, message)));
    throw inputError(subject, `${endSentence(reason)} Give ${options}. Nothing was written.`);
  }

  const { file, isWritten, definition, notes, findings, undated } = result;
  const outcome = isWritten ? 'written' : 'would be written';
  report.finding(...findings, ...undated);
  report.print(`${file}: ${outcome}, from the answer of ${entry.datasource}`);
  if (!isWritten) {
    report.print(...formatDocument(definition).trimEnd().split('\n'));
  }

  report.print(...notes, describeAdded(result));
  if (entry.datasource === 'static') {
    report.print(`Add later releases to "releases" in ${file}`);
  }
  if (isWritten) {
    report.print(`Look at ${file}, then: npx release-index start`);
  }

  report.document({ verb: 'add', asOf: day, ...result });
  return 0;
}

/** Throws a UsageError for options and arguments that do not fit several packages. */
function checkManyOptions({ options, words: [datasource, ...names] }: AddInput): void {
  const problems: string[] = [];
  for (const name of ['name', 'title', 'replace'] as const) {
    if (options[name] !== undefined) {
      problems.push(`--${name}: expected a single package`);
    }
  }
  for (const name of ['homepage', 'changelog'] as const) {
    if (options[name]?.includes('{component}') === false) {
      problems.push(`--${name}: expected an address with {component}, or a single package`);
    }
  }
  if (problems.length > 0) {
    throw new UsageError(...problems);
  }

  if (
    datasource !== undefined &&
    !packageSources.some((source) => source.datasource === datasource)
  ) {
    throw new UsageError(...describeMissing(datasource));
  }

  if (options.from !== undefined && datasource !== undefined) {
    throw new UsageError('--from: expected no datasource and no packages beside it');
  }
  if (options.all !== undefined && (datasource !== 'endoflife-date' || names.length > 0)) {
    throw new UsageError('--all expects: add endoflife-date --all URL|FOLDER');
  }
}

async function addAll(context: AddRun): Promise<number> {
  const { options, report, words, usedNames, upstreams } = context;
  const { from, all, 'registry-url': registryUrl } = options;
  const [datasource = '', ...packageNames] = words;
  const names = all === undefined ? packageNames : await listProductNames(all, upstreams.http);
  const packages = await listPackages({ datasource, names, from, registryUrl }, report, upstreams);
  return addMany(context, {
    packages,
    owners: usedNames.owners,
    isDry: options['dry-run'] === true,
    registryUrl,
    add: (entry) => addListed(context, entry),
  });
}

/** Adds one of several packages, for which no option can give missing values. */
async function addListed(context: AddContext, entry: ListedPackage): Promise<AddedComponent> {
  const result = await addOne(context, entry);
  if (!('missing' in result)) {
    return result;
  }

  const { subject, missing, reason } = result;
  const keys = missing.map((key) => `defaults.${key}`).join(' and ');
  throw inputError(
    subject,
    `${endSentence(reason)} Set ${keys} in site/site.json. Nothing was written.`,
  );
}
