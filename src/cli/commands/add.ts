import pLimit from 'p-limit';
import { InputError, notice, inputError } from '../../core/schemas/finding.ts';
import { endSentence, formatCount } from '../../core/text/wording.ts';
import { requireSiteConfig } from '../../io/files/settings-files.ts';
import { formatDocument } from '../../io/files/save.ts';
import { deriveComponentName } from '../../core/schemas/definition/component-name.ts';
import type { RequiredKey } from '../../record/add/draft-definition.ts';
import { openUpstreams } from '../../run/upstreams.ts';
import { addOne, type AddContext } from '../add-one.ts';
import {
  describeAdded,
  listFindings,
  listNotes,
  type AddedComponent,
  type Failure,
} from '../add-report.ts';
import {
  addOptions,
  areProducts,
  checkInstanceOption,
  checkManyOptions,
  describeRenaming,
  readSinglePackage,
  type AddOptions,
  type ListedPackage,
} from '../add-arguments.ts';
import { UsageError, type Command, type Invocation } from '../command.ts';
import { findStoppedStatus } from '../exit-status.ts';
import { listPackages } from '../packages-to-add.ts';
import { createPackageId, readUsedNames } from '../used-names.ts';

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
      arguments: areProducts(words) ? ['endoflife-date', ...words] : words,
    });
  },
};

/** The options for values that a registry may not state. */
const keyOptions: Readonly<Record<RequiredKey, string>> = {
  homepage: '--homepage URL',
  changelogUrl: '--changelog URL',
};

/** Defines and gathers components. */
async function addPackages(input: Invocation<AddOptions>): Promise<number> {
  checkInstanceOption(input);
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
    return await (singlePackage ? addSingle(context, singlePackage) : addMany(context));
  } finally {
    await upstreams.http.close();
  }
}

async function addSingle(context: AddContext, entry: ListedPackage): Promise<number> {
  const { report, day } = context;
  const result = await addOne(context, entry);
  if ('missing' in result) {
    const { subject, missing, reason, notes } = result;
    const options = missing.map((key) => keyOptions[key]).join(' ');
    report.finding(...notes.map((message) => notice(subject, message)));
    throw inputError(subject, `${endSentence(reason)} Give ${options}. Nothing was written.`);
  }

  const { file, isWritten, definition, notes, findings } = result;
  const outcome = isWritten ? 'written' : 'would be written';
  report.finding(...findings);
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

/** Packages looked up at a time. The HTTP client still limits the requests to each host. */
const maxLookups = 8;

/** Adds several packages. Skips those that the index already has, goes on after a failure, and reports all problems together. */
async function addMany(context: AddContext): Promise<number> {
  const { options, report, signal, day, usedNames } = context;
  const packages = await listPackages(context);
  const existing: string[] = [];
  const newPackages: ListedPackage[] = [];
  for (const entry of packages) {
    const owner = usedNames.byPackageId.get(createPackageId(entry));
    if (owner === undefined) {
      newPackages.push(entry);
    } else {
      existing.push(owner);
    }
  }

  const { components, failures } = await addEach(context, newPackages);
  const findings = listFindings(components, failures);
  const isDry = options['dry-run'] === true;
  const outcome = `${isDry ? 'would add' : 'added'} ${components.length} of ${formatCount(packages.length, 'package')}`;
  report.finding(...findings);
  report.print(
    ...components.map(describeAdded),
    ...listNotes(components, existing),
    `add: ${outcome}; ${existing.length} in the index before, ${failures.length} failed.`,
  );
  if (!isDry && components.length > 0) {
    report.print('Look at components/, then: npx release-index start');
  }

  report.document({ verb: 'add', asOf: day, components, existing, findings });

  if (signal.aborted) {
    return findStoppedStatus(signal);
  }

  return failures.length > 0 ? 1 : 0;
}

/** Adds packages, some at a time. After a signal, it starts no further one. */
async function addEach(context: AddContext, packages: readonly ListedPackage[]) {
  const { report, signal } = context;
  const byName = Map.groupBy(packages, ({ packageName }) => deriveComponentName(packageName));
  let finished = 0;
  const results = await pLimit(maxLookups).map(packages, async (entry) => {
    if (signal.aborted) {
      return undefined;
    }

    const result = await tryToAdd(context, entry, byName);
    finished += 1;
    report.progress(`add ${finished}/${packages.length} ${entry.packageName}`);
    return result;
  });

  const components: AddedComponent[] = [];
  const failures: Failure[] = [];
  for (const result of results) {
    if (result && 'error' in result) {
      failures.push(result);
    } else if (result) {
      components.push(result);
    }
  }

  components.sort((a, b) => (a.component < b.component ? -1 : 1));
  return { components, failures };
}

type PackagesByName = ReadonlyMap<string | undefined, readonly ListedPackage[]>;

/** Adds a package, unless an earlier one makes the same name. Throws only for a bug. */
async function tryToAdd(
  context: AddContext,
  entry: ListedPackage,
  byName: PackagesByName,
): Promise<AddedComponent | Failure> {
  try {
    rejectRepeatedName(entry, byName);
    return await addListed(context, entry);
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) {
      return { packageName: entry.packageName, error };
    }

    throw error;
  }
}

/** Throws an InputError for a package whose name an earlier package makes, too. */
function rejectRepeatedName(entry: ListedPackage, byName: PackagesByName): void {
  const { packageName } = entry;
  const name = deriveComponentName(packageName);
  const first = byName.get(name)?.[0];
  if (name === undefined || !first || first === entry) {
    return;
  }

  const isSameName = first.packageName === packageName;
  const owner = isSameName ? `the package of ${first.datasource}` : first.packageName;
  const command = describeRenaming(entry, name);
  throw inputError(packageName, `makes the name ${name}, as ${owner} does. To add it: ${command}`);
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
