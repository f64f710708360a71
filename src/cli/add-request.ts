import { dropUndefined } from '../core/model/objects.ts';
import { findNameProblem } from '../core/schemas/definition/component-name.ts';
import { InputError, problem } from '../core/schemas/finding.ts';
import { createLineSchema } from '../core/schemas/scalars.ts';
import { HttpsUrl } from '../core/schemas/urls.ts';
import { quoteForShell } from '../core/text/foreign-text.ts';
import { didYouMean, endSentence, isOneEdit } from '../core/text/wording.ts';
import { decode } from '../io/files/read-documents.ts';
import { HttpError } from '../io/http/error.ts';
import type { ComponentRequest } from '../record/add/add-component.ts';
import { deriveComponentName } from '../record/add/draft-definition.ts';
import { readReleaseList, type ReleaseList } from '../record/add/read-release-list.ts';
import { SourceError } from '../record/sources/source-answer.ts';
import { TypedSource } from '../record/sources/index.ts';
import { packageSources } from '../record/sources/source-packages.ts';
import {
  describeOptionProblems,
  flag,
  shared,
  text,
  UsageError,
  type OptionValues,
} from './command.ts';
import { policyForms, readPolicy } from './policy-option.ts';
import { readInput } from './read-items.ts';

export const addOptions = {
  from: text(
    'FILE',
    'a bill of materials, or package URLs and images, one a line (- for standard input)',
  ),
  'from-instance': text('URL|FOLDER', 'products of an instance of endoflife.date, or of a fork'),
  all: text('URL|FOLDER', 'with endoflife-date: likewise, all products'),
  name: text('COMPONENT', "name of the component (default: the last part of the package's name)"),
  'registry-url': text('URL', 'registry of the package, instead of the default one'),
  title: text('TEXT', 'in place of the answer of the registry'),
  homepage: text('URL', 'in place of the answer of the registry; for several, with {component}'),
  changelog: text('URL', 'likewise'),
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

/** The datasources that read one document with the releases of a component. */
const documentDatasources = ['json', 'static'];

/** The arguments and options of `add`. */
export interface AddArguments {
  /** A datasource and the names of its packages; empty where an option names the packages. */
  words: readonly string[];
  options: OptionValues<AddOptions>;
}

/** The package, unless the words name several, or an option does. Throws a UsageError where they name none. */
export function readSinglePackage({ words, options }: AddArguments): ListedPackage | undefined {
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

/** Throws a UsageError for options and arguments that do not fit several packages. */
export function checkManyOptions({ options, words: [datasource, ...names] }: AddArguments): void {
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

  if (datasource !== undefined && documentDatasources.includes(datasource)) {
    throw new UsageError(`add ${datasource} expects a single document`);
  }
  if (datasource !== undefined && !findPackageSource(datasource)) {
    throw new UsageError(...describeMissing(datasource));
  }

  if (options.from !== undefined && datasource !== undefined) {
    throw new UsageError('--from: expected no datasource and no packages beside it');
  }
  if (options.all !== undefined && (datasource !== 'endoflife-date' || names.length > 0)) {
    throw new UsageError('--all expects: add endoflife-date --all URL|FOLDER');
  }
}

/** The argument or option of keys of a source. */
const sourceOptions = { packageName: '<package>', registryUrl: '--registry-url' };

/** Throws a UsageError for a wrong datasource or a missing registry, else with every problem of the arguments and options. */
export async function readPackageRequest(
  entry: ListedPackage,
  options: OptionValues<AddOptions>,
): Promise<ComponentRequest> {
  checkRegistry(entry);

  const { datasource, packageName, registryUrl } = entry;
  const list = await readCoordinates(datasource, packageName);
  const source = dropUndefined({ datasource, ...list.coordinates, registryUrl });
  const name = options.name ?? deriveComponentName(findNamePart(datasource, packageName));
  const { facts, problems: factProblems } = readFacts(options, name);
  const problems = [
    ...describeOptionProblems('source', source, TypedSource, sourceOptions),
    ...factProblems,
    ...describeWrongName(entry, options, name),
  ];
  if (problems.length > 0 || name === undefined) {
    throw new UsageError(...problems);
  }

  return {
    name,
    source: TypedSource.parse(source),
    facts: { ...list.facts, ...facts },
    statedLatest: list.latest,
    notes: list.notes,
  };
}

/** The values that the options state about a component, and the problems of these options. */
function readFacts(options: OptionValues<AddOptions>, name = '') {
  const { title } = options;
  const homepage = options.homepage?.replaceAll('{component}', name);
  const changelogUrl = options.changelog?.replaceAll('{component}', name);
  const { policy: support, problem: policyProblem } =
    options.support === 'none'
      ? { policy: { policy: 'none' as const } }
      : readPolicy(options.support, `${policyForms}, or none`);

  const problems = [
    ...describeOptionProblems('--title', title, createLineSchema(200).optional()),
    ...describeOptionProblems('--homepage', homepage, HttpsUrl.optional()),
    ...describeOptionProblems('--changelog', changelogUrl, HttpsUrl.optional()),
  ];
  if (policyProblem !== undefined) {
    problems.push(`--support: ${policyProblem}`);
  }

  return { facts: dropUndefined({ title, homepage, changelogUrl, support }), problems };
}

/** Throws a UsageError for an unknown datasource, and for one that needs a registry. */
function checkRegistry({ datasource, registryUrl }: ListedPackage): void {
  if (!listForms().some((form) => form.datasource === datasource)) {
    throw new UsageError(...describeMissing(datasource));
  }

  if (findPackageSource(datasource)?.needsRegistry && registryUrl === undefined) {
    throw new UsageError(
      `--registry-url: ${datasource} has no default registry; give the address of its registry`,
    );
  }
}

function findPackageSource(datasource: string) {
  return packageSources.find((source) => source.datasource === datasource);
}

/** The problem of the name of a component, with the command that gives it another name. */
function describeWrongName(
  entry: ListedPackage,
  options: OptionValues<AddOptions>,
  name: string | undefined,
): string[] {
  if (name === undefined) {
    return [`--name: "${entry.packageName}" cannot become a component name`];
  }

  const reason = findNameProblem(name);
  if (reason === undefined) {
    return [];
  }

  return options.name === undefined
    ? [`${reason}: ${describeRenaming(entry, name)}`]
    : [`--name: ${reason}`];
}

/** The keys of a source that the second argument states, and what a list of releases states about the component. */
async function readCoordinates(
  datasource: string,
  subject: string,
): Promise<Partial<ReleaseList> & { coordinates: object }> {
  switch (datasource) {
    case 'json':
      return { coordinates: { url: subject } };
    case 'static': {
      const content = decode(await readInput(subject));
      const { releases, ...list } = readReleaseList(subject, content);
      return { coordinates: { releases }, ...list };
    }
    default:
      return { coordinates: { packageName: subject } };
  }
}

/** The text that gives the component its name: the package, or the file without its ending. */
function findNamePart(datasource: string, subject: string): string {
  if (!documentDatasources.includes(datasource)) {
    return subject;
  }

  const path = URL.parse(subject)?.pathname ?? subject;
  const parts = path.replace(/\.[a-z]+$/i, '').split('/');
  return parts.findLast((part) => part !== '' && !/^(?:releases|index)$/i.test(part)) ?? subject;
}

/** Each datasource with an example of a command: of a package, a document of releases, or a list in a file. */
function listForms() {
  const forms = packageSources.map(({ datasource, example, needsRegistry }) => {
    const registry = needsRegistry ? ' --registry-url URL' : '';
    return { datasource, form: `add ${datasource} ${example}${registry}` };
  });
  return [
    ...forms,
    { datasource: 'json', form: 'add json https://example.com/agent.json' },
    { datasource: 'static', form: 'add static releases.csv' },
  ];
}

/** Whether all words are products of endoflife.date: the first is neither a datasource nor a mistyped one. */
export function areProducts(words: readonly string[]): boolean {
  const [first = ''] = words;
  const isDatasource = listForms().some(
    ({ datasource }) => datasource === first || isOneEdit(first, datasource),
  );
  return words.length > 0 && !isDatasource && words.every((word) => /^\w[\w.+-]*$/.test(word));
}

/** The problem of a command without a known datasource or without a package, and the forms expected. */
function describeMissing(datasource: string | undefined): string[] {
  const forms = listForms();
  const form = forms.find((candidate) => candidate.datasource === datasource);
  if (form) {
    return [`add ${datasource} needs a second argument: ${form.form}`];
  }

  const names = forms.map((candidate) => candidate.datasource);
  const heading =
    datasource === undefined
      ? 'add expects <datasource> <package>; got none.'
      : `"${datasource}" is not a datasource of packages.${didYouMean(datasource, names)}`;
  return [
    `${heading} Datasources:`,
    ...forms.map(({ form }) => `  ${form}`),
    '  add nodejs postgresql: products of endoflife.date',
    'Releases on a page of text are defined by hand: components/<component>.json.',
  ];
}

/** The command that adds a package under another name: the whole name of the package, or with the datasource. */
export function describeRenaming(entry: ListedPackage, name: string): string {
  const { datasource, packageName } = entry;
  const longName = packageName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const isUsable = longName !== name && !documentDatasources.includes(datasource);
  const newName = isUsable ? longName : `${name}-${datasource}`;
  return describeAdding(entry, newName);
}

/** The command that adds a package under a name, as a shell takes it. */
export function describeAdding(
  { datasource, packageName, registryUrl }: ListedPackage,
  name: string,
): string {
  const registry = registryUrl === undefined ? '' : ` --registry-url ${quoteForShell(registryUrl)}`;
  return `npx release-index add ${datasource} ${quoteForShell(packageName)}${registry} --name ${name}`;
}

export const nothingWritten = 'Nothing was written.';

/** Throws an InputError for a failure of upstream, and any other error unchanged. */
export function rejectUpstream(subject: string, error: unknown, remedy: string): never {
  if (!(error instanceof HttpError || error instanceof SourceError)) {
    throw error;
  }

  const message = `${endSentence(error.message)} ${remedy}`;
  throw new InputError([problem(subject, message)], { cause: error });
}
