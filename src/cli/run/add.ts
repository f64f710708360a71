import { datasourceFacts, datasourceNames } from '../../core/datasources.ts';
import {
  inputError,
  InputError,
  readProblems,
  UsageError,
  type Problem,
} from '../../core/errors.ts';
import { readDefinitions, readSettings } from '../../core/read-definitions.ts';
import { SupportPolicy } from '../../core/schema/policy.ts';
import type { Recorded } from '../../core/schema/recorded.ts';
import type { Definition, Settings } from '../../core/schema/written.ts';
import { findNearest, formatCount, formatList } from '../../core/text.ts';
import { createHttp, type Http } from '../../sources/http/client.ts';
import { isAbsent, SourceError } from '../../sources/http/failures.ts';
import {
  addComponent,
  type AddRun,
  type WriteOptions,
  deriveComponentName,
  type Draft,
  type DraftOptions,
  type LineRule,
} from '../add/component.ts';
import { draftPackage, examples, hasTags, nameTags, readPackage } from '../add/package.ts';
import {
  dropEmptyList,
  findPublishedList,
  type Product,
  ProductNames,
  PublishedList,
  readProduct,
  readProductAddress,
} from '../add/product.ts';
import { fetchJson } from '../../sources/requests.ts';
import { expectArgument, parseUrl, type Context, type Define } from '../context.ts';

interface Options extends DraftOptions, WriteOptions {
  /** The name for the component (`--name`), instead of the name derived from the package. */
  name?: string;
  registryUrl?: string;
}

export const define: Define = (command, context) => {
  command
    .argument('<datasource|product>', 'a datasource, or a product of endoflife.date')
    .argument('[names...]', 'packages of the datasource, or more products')
    .option(
      '--name <component>',
      "name of the component (default: the last part of the package's name)",
    )
    .option('--registry-url <url>', 'registry of the package, instead of the default one', parseUrl)
    .option('--title <text>', 'title of the component (default: from the registry)')
    .option('--homepage <url>', 'homepage (default: from the registry)', parseUrl)
    .option(
      '--changelog <url>',
      'URL of the release history (default: from the registry)',
      parseUrl,
    )
    .option('--support <policy>', 'term:<months>, latest-lines:<count> or none', parseSupport)
    .option(
      '--line <rule>',
      'a line is: 1 or 2 groups of digits, or semver, the major version (npm, crate and nuget: semver, else 2)',
      parseLine,
    )
    .option(
      '--tags <prefix>',
      'read only the tags of a repository that begin so: core-v, if core-v1.2 and cli-v1.2 are tags',
    )
    .option('--replace', 'overwrite the definition; recorded data stays')
    .option('--dry-run', 'ask the registry and show the definition, but write nothing')
    .addHelpText('after', listForms)
    .action((first: string, names: string[], options: Options) =>
      add([first, ...names], options, context),
    );
};

function parseSupport(text: string): Definition['support'] {
  const [policy = '', number] = text.split(':');
  const policies: Readonly<Record<string, object>> = {
    term: { policy, months: Number(number) },
    'latest-lines': { policy, count: Number(number) },
    none: { policy },
  };
  const { data } = SupportPolicy.safeParse(policies[policy]);
  expectArgument(data, 'term:<months>, latest-lines:<count> or none');
  return data;
}

function parseLine(text: string): LineRule {
  const rule = ([1, 2, 'semver'] as const).find((each) => String(each) === text);
  expectArgument(rule, '1, 2 or semver');
  return rule;
}

function listForms(): string {
  const forms = Object.entries(examples).map((words) => `  add ${words.join(' ')}\n`);
  return `\nDatasources:\n${forms.join('')}  add nodejs postgresql: products of endoflife.date\nColumns for static: version, date, changelog, deprecated, end of support`;
}

async function add(words: string[], options: Options, context: Context): Promise<void> {
  const { defaults, repositoryUrl, plainHttpHosts } = readSettings(context.root);
  const { env, signal, report } = context;
  const http = createHttp({ env, signal, repositoryUrl, plainHttpHosts });
  const run = { ...context, http, defaults, names: readNames(context.root, defaults) };
  try {
    const subjects = listSubjects(words);
    if (subjects.length > 1) {
      await addSeveral(subjects, options, run);
    } else {
      report.document({ added: [await addSubject(subjects[0]!, options, run)] });
    }
  } finally {
    await http.close();
  }
}

/** Reads the names and aliases of all components, in lower case. */
function readNames(root: string, defaults: Settings['defaults']): Map<string, string> {
  const { definitions } = readDefinitions(root, { defaults });
  const named = [...definitions].flatMap(([component, { aliases = [], renamedFrom = [] }]) =>
    [component, ...renamedFrom, ...aliases].map((name) => [name.toLowerCase(), component] as const),
  );
  return new Map(named);
}

/**
 * Adds several packages or products. If some of them cannot be added, adds the others, and reports which ones were left out. Without
 * `--replace`, existing components do not change, so the command can be run again.
 */
async function addSeveral(
  subjects: readonly (readonly string[])[],
  options: Options,
  run: AddRun,
): Promise<void> {
  const { report, signal } = run;
  for (const option of ['name', 'tags'] as const) {
    if (options[option] !== undefined) {
      throw new UsageError(`--${option}: expected one package or product`);
    }
  }

  const { definitions } = readDefinitions(run.root, run);
  const added: object[] = [];
  const kept: string[] = [];
  const failures: { name: string; error: unknown }[] = [];
  for (const subject of subjects) {
    const name = subject.at(-1)!;
    try {
      if (!options.replace && isAdded(subject, options, definitions, run.names)) {
        kept.push(name);
      } else {
        added.push(await addSubject(subject, options, run));
      }
    } catch (error) {
      signal.throwIfAborted();
      failures.push({ name, error });
    }
    report.document({ added, kept, leftOut: failures.map((failure) => failure.name) });
  }

  if (kept.length > 0) {
    report.print(`Added before, so left as they are: ${kept.join(', ')}.`);
  }
  if (failures.length > 0) {
    report.print(`Left out: ${failures.map(({ name }) => name).join(', ')}.`);
    throw uniteErrors(failures.map(({ error }) => error));
  }
}

/**
 * Unites errors about the input into one. The result is a `UsageError` if all are `UsageError`s, and otherwise an `InputError`. Rethrows
 * any other error.
 */
function uniteErrors(errors: readonly unknown[]): Error {
  if (errors.every((error) => error instanceof UsageError)) {
    return new UsageError(errors.map(({ message }) => message).join(' '));
  }

  return new InputError(
    errors.flatMap((error) =>
      error instanceof UsageError
        ? { subject: 'command', message: error.message }
        : readProblems(error),
    ),
  );
}

/** Tells whether the index already has this package or product, under the name that `add` would give it. */
function isAdded(
  subject: readonly string[],
  { registryUrl }: Options,
  definitions: ReadonlyMap<string, Definition>,
  names: ReadonlyMap<string, string>,
): boolean {
  const named = readPackage(subject, registryUrl);
  const product = readProductName(subject);
  const {
    sources = [],
    support,
    aliases = [],
  } = definitions.get(
    named ? deriveComponentName(named.packageName) : (names.get(product) ?? product),
  ) ?? {};
  if (named) {
    return sources.some(
      ({ datasource, packageName }) =>
        datasource === named.datasource && packageName === named.packageName,
    );
  }
  return (
    support?.policy === 'stated' &&
    'product' in support.source &&
    [support.source.product, ...aliases].includes(product)
  );
}

/** Adds a package or a product. */
async function addSubject(
  subject: readonly string[],
  options: Options,
  run: AddRun,
): Promise<object> {
  const { registryUrl, line, tags } = options;
  const named = readPackage(subject, registryUrl);
  if (!named && line !== undefined) {
    throw new UsageError('--line: endoflife.date names the lines of its products');
  }
  if (tags !== undefined && !(named && hasTags(named))) {
    throw new UsageError('--tags: expected a repository, such as add github-tags owner/repo');
  }

  try {
    if (named) {
      const draft = await draftPackage(named, options, run);
      const name = nameTags(tags) ?? deriveComponentName(named.packageName);
      return await addDraft(name, draft, options, run);
    }

    const product = readProductName(subject);
    const { name, ...draft } = await draftProduct(product, run.http, registryUrl);
    return await addDraft(name, draft, options, run);
  } catch (error) {
    if (named && isAbsent(error)) {
      const { message } = error as SourceError;
      throw inputError(
        named.packageName,
        `the registry shows no such package (${message}). Check the name, or set a credential if the package is private. Nothing was written`,
      );
    }
    throw error instanceof SourceError ? inputError('registry', error.message) : error;
  }
}

/** Splits the words of a command into packages or products: `npm a b` → `npm a`, `npm b`; `nodejs postgresql` → `nodejs`, `postgresql`. */
function listSubjects([first = '', ...names]: readonly string[]): string[][] {
  const isDatasource = datasourceNames.some((name) => name === first);
  const meant = isDatasource || names.length === 0 ? undefined : suggestDatasource(first);
  if (meant !== undefined) {
    throw new UsageError(
      `"${first}" is not a datasource. Did you mean: add ${meant} ${names.join(' ')}`,
    );
  }
  return isDatasource && names.length > 0
    ? names.map((name) => [first, name])
    : [first, ...names].map((word) => [word]);
}

/** Suggests the datasource that a word means: `nmp` → `npm`, `cargo` (a type of package URLs) → `crate`, `gitlab` → `gitlab-releases`. */
function suggestDatasource(word: string): string | undefined {
  const text = word.toLowerCase();
  return (
    datasourceNames.find((name) => datasourceFacts[name].purl === text) ??
    datasourceNames.find((name) => name.startsWith(`${text}-`)) ??
    findNearest(word, datasourceNames)
  );
}

/** The greatest number of release lines that `add` prints, the newest first. */
const maxLines = 10;

/** Adds one component, and reports what was recorded. */
async function addDraft(
  usualName: string,
  draft: Draft,
  { name = usualName, ...options }: Options,
  run: AddRun,
): Promise<object> {
  const { report, names } = run;
  const { aliases = [] } = draft.definition;
  const isOfOther = (alias: string) => (names.get(alias.toLowerCase()) ?? name) !== name;
  const own = aliases.filter((alias) => alias !== name && !isOfOther(alias));
  const others = aliases.filter(isOfOther);
  const definition = { ...draft.definition, aliases: own.length > 0 ? own : undefined };
  const isReplaced = names.has(name);
  const newNames = own.filter((alias) => !names.has(alias.toLowerCase()));
  const { gaps, releases, lines, ...added } = await addComponent(
    name,
    { ...draft, definition },
    options,
    run,
  );
  for (const text of [name, ...own]) {
    names.set(text.toLowerCase(), name);
  }

  const taken = formatList(others, 5);
  const notes = [
    ...draft.notes,
    ...(others.length > 0 ? [`aliases: other components have these: ${taken}`] : []),
    ...describeDays(releases),
  ];
  report.problem(
    gaps,
    notes.map((message): Problem => ({ subject: name, message, level: 'notice' })),
  );
  const outcome = options.dryRun ? 'would be recorded' : 'recorded';
  const latest = releases.at(-1)?.version ?? 'none';
  report.print(
    `${name}: ${formatCount(releases.length, 'release')} ${outcome}; the latest is ${latest}. ${added.file}`,
    `  ${formatCount(lines.length, 'line')}: ${formatList(lines.toReversed(), maxLines)}`,
    ...(isReplaced && newNames.length > 0 ? [`  new names: ${newNames.join(', ')}`] : []),
  );
  return { ...added, notes, releases: releases.length, lines };
}

/** Says that the registry gives no release dates, if each date is only the day on which this index first saw the release. */
function describeDays(releases: Recorded['releases']): string[] {
  const areObserved = releases.every(({ timestampKind }) => timestampKind === 'observed');
  return areObserved && releases.length > 0
    ? [
        'its registry gives no release dates, so each release has the date on which this index first saw it',
      ]
    : [];
}

const productAnswers = 'https://endoflife.date/api/v1/products';

/** The folder with the products of endoflife.date, `<name>.md`. */
const productFiles =
  'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/products';

/** Reads the name of a product, or the URL of its page. `go` is also a datasource, so the product `go` needs its URL. */
function readProductName([word = '']: readonly string[]): string {
  return readProductAddress(word) ?? word;
}

/** Drafts a definition from a product's file at endoflife.date. `word`: the name of the file, or any path of the product's page. */
async function draftProduct(word: string, http: Http, mirror?: string): Promise<Product> {
  const product = await fetchProduct(word, http, mirror);
  const url = findPublishedList(product);
  return url === undefined
    ? product
    : dropEmptyList(product, await ifThere(fetchJson(http, { url }, PublishedList)));
}

async function fetchProduct(word: string, http: Http, mirror = productFiles): Promise<Product> {
  const fetchFile = async (file: string) => {
    const url = `${mirror}/${encodeURIComponent(file)}.md`;
    const response = await ifThere(http.fetch({ url }));
    return response && readProduct(file, response.text());
  };
  const own = await fetchFile(word);
  if (own) {
    // The component gets the name of the file, even if the product's page has another name.
    return { ...own, name: word };
  }

  // The API of endoflife.date also knows the other names of a product: `k8s` → `kubernetes`. A mirror has only files and no API.
  const url = `${productAnswers}/${encodeURIComponent(word)}`;
  const names =
    mirror === productFiles ? await ifThere(fetchJson(http, { url }, ProductNames)) : [];
  for (const file of names ?? []) {
    const product = await fetchFile(file);
    if (product) {
      return product;
    }
  }

  const nearest = findNearest(word, datasourceNames);
  const hint = nearest ? `Did you mean "${nearest}"?` : 'add --help lists datasources.';
  throw new UsageError(
    `"${word}" is neither a datasource nor a product of endoflife.date. ${hint}`,
  );
}

/** Returns an answer, or undefined if the host says that the document does not exist. */
async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isAbsent(error)) {
      return undefined;
    }
    throw error;
  }
}
