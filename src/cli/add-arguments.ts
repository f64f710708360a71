import { findNameProblem, spellComponentName } from '../core/schemas/definition/component-name.ts';
import { quoteForShell } from '../core/text/foreign-text.ts';
import { didYouMean, isOneEdit } from '../core/text/wording.ts';
import { datasources } from '../record/sources/index.ts';
import { flag, shared, text, throwUsage, UsageError, type Invocation } from './command.ts';
import { policyForms } from './option-values.ts';

const address = text(
  'URL',
  'in place of the answer of the registry; for several, with {component}',
);

export const addOptions = {
  from: text(
    'FILE',
    'a bill of materials, or package URLs and images, one a line (- for standard input)',
  ),
  'from-instance': text('URL|FOLDER', 'products of an instance of endoflife.date, or of a fork'),
  all: text('URL|FOLDER', 'with endoflife-date: all products of such an instance or fork'),
  name: text('COMPONENT', "name of the component (default: the last part of the package's name)"),
  'registry-url': text('URL', 'registry of the package, instead of the default one'),
  title: text('TEXT', 'in place of the answer of the registry'),
  homepage: address,
  changelog: address,
  support: text('POLICY', `${policyForms}, or none, instead of the policy at endoflife.date`),
  replace: flag('overwrite an existing definition; recorded data stays'),
  'dry-run': flag('ask the registry and show the result, but write nothing'),
  ...shared('root'),
};

export type AddOptions = typeof addOptions;

/** A package to add, from the command line or from a file. */
export interface ListedPackage {
  datasource: string;
  /** For `json` and `static`, the address or file of a document with releases. */
  packageName: string;
  /** A registry other than that of the datasource. */
  registryUrl?: string | undefined;
}

const documentForms = [
  { datasource: 'json', example: 'https://example.com/agent.json', needsRegistry: false },
  { datasource: 'static', example: 'releases.csv', needsRegistry: false },
];

/** The datasources that read one document with the releases of a component. */
export const documentDatasources = documentForms.map(({ datasource }) => datasource);

/** Each datasource of `add` with an example of a package or document, and whether a definition must name the registry. */
export const addForms = [
  ...datasources.flatMap(({ datasource, coordinates, defaultRegistry }) => {
    if (!('packageName' in coordinates)) {
      return [];
    }

    // `createNameSchema` documents a name with an example.
    const { examples } = coordinates.packageName.meta() as { examples: [string] };
    const needsRegistry = 'registryUrl' in coordinates && defaultRegistry === undefined;
    return { datasource, example: examples[0], needsRegistry };
  }),
  ...documentForms,
];

/** The words are a datasource and the names of its packages, or empty where an option names the packages. */
export type AddArguments = Pick<Invocation<AddOptions>, 'arguments' | 'options'>;

/** The package, unless the words name several, or an option does. Throws a UsageError where they name none. */
export function readSinglePackage({
  arguments: words,
  options,
}: AddArguments): ListedPackage | undefined {
  const [datasource, packageName] = words;
  const { from, all, 'registry-url': registryUrl } = options;
  if (words.length > 2 || packageName?.endsWith('/*') || from !== undefined || all !== undefined) {
    return undefined;
  }
  if (datasource === undefined || packageName === undefined) {
    throw new UsageError(...explainForms(datasource));
  }

  return { datasource, packageName, registryUrl };
}

/** Throws a UsageError for an instance of endoflife.date without products of it, and for two instances. */
export function checkInstanceOption({ options, arguments: [datasource] }: AddArguments): void {
  if (options['from-instance'] === undefined) {
    return;
  }
  if (options.all !== undefined) {
    throw new UsageError('--from-instance and --all: expected one of them');
  }
  if (datasource !== 'endoflife-date') {
    throw new UsageError('--from-instance expects products: add nodejs --from-instance URL|FOLDER');
  }
}

/** Throws a UsageError for options and arguments that do not fit several packages. */
export function checkManyOptions({
  options,
  arguments: [datasource, ...names],
}: AddArguments): void {
  const problems: string[] = [];
  for (const name of ['name', 'title', 'replace'] as const) {
    if (options[name] !== undefined) {
      problems.push(`--${name}: expected a single package`);
    }
  }
  for (const name of ['homepage', 'changelog'] as const) {
    const address = options[name];
    if (address !== undefined && !address.includes('{component}')) {
      problems.push(`--${name}: expected an address with {component}, or a single package`);
    }
  }
  if (options.from !== undefined && datasource !== undefined) {
    problems.push('--from: expected no datasource and no packages beside it');
  }
  if (options.all !== undefined && (datasource !== 'endoflife-date' || names.length > 0)) {
    problems.push('--all expects: add endoflife-date --all URL|FOLDER');
  }
  if (datasource !== undefined && documentDatasources.includes(datasource)) {
    problems.push(`add ${datasource} expects a single document`);
  } else if (datasource !== undefined && !findForm(datasource)) {
    problems.push(...explainForms(datasource));
  }

  throwUsage(problems);
}

/** Whether all words are products of endoflife.date: the first is neither a datasource nor a mistyped one. */
export function areProducts(words: readonly string[]): boolean {
  const [first = ''] = words;
  const isDatasource = addForms.some(
    ({ datasource }) => datasource === first || isOneEdit(first, datasource),
  );
  return words.length > 0 && !isDatasource && words.every((word) => /^\w[\w.+-]*$/.test(word));
}

/** Throws a UsageError for an unknown datasource, and for one that needs a registry. */
export function checkDatasource({ datasource, registryUrl }: ListedPackage): void {
  const form = findForm(datasource);
  if (!form) {
    throw new UsageError(...explainForms(datasource));
  }
  if (form.needsRegistry && registryUrl === undefined) {
    throw new UsageError(
      `--registry-url: ${datasource} has no default registry; give the address of its registry`,
    );
  }
}

function findForm(datasource: string | undefined) {
  return addForms.find((form) => form.datasource === datasource);
}

/** The problem of a command without a known datasource or without a package, with the expected forms. */
function explainForms(datasource: string | undefined): string[] {
  const form = findForm(datasource);
  if (form) {
    return [`add ${datasource} needs a second argument: ${renderForm(form)}`];
  }

  const names = addForms.map((candidate) => candidate.datasource);
  const heading =
    datasource === undefined
      ? 'add expects <datasource> <package>; got none.'
      : `"${datasource}" is not a datasource of packages.${didYouMean(datasource, names)}`;
  return [
    `${heading} Datasources:`,
    ...addForms.map((candidate) => `  ${renderForm(candidate)}`),
    '  add nodejs postgresql: products of endoflife.date',
    'Releases on a page of text are defined by hand: components/<component>.json.',
  ];
}

function renderForm({ datasource, example, needsRegistry }: (typeof addForms)[number]): string {
  return `add ${datasource} ${example}${needsRegistry ? ' --registry-url URL' : ''}`;
}

/**
 * The command that adds a package whose `name` is not free: under its whole name, else under `name` and its datasource. A person
 * chooses another name where that one is invalid, too.
 */
export function describeRenaming(entry: ListedPackage, name: string): string {
  const { datasource, packageName, registryUrl } = entry;
  const wholeName = spellComponentName(packageName);
  // If `name` begins with the whole name, an earlier command may have given it because the whole name was not free.
  const hasWholeName = !name.startsWith(wholeName) && !documentDatasources.includes(datasource);
  const names = hasWholeName ? [wholeName, `${name}-${datasource}`] : [`${name}-${datasource}`];
  const newName = names.find((each) => findNameProblem(each) === undefined) ?? 'NAME';
  const registry = registryUrl === undefined ? '' : ` --registry-url ${quoteForShell(registryUrl)}`;
  return `npx release-index add ${datasource} ${quoteForShell(packageName)}${registry} --name ${newName}`;
}
