import { deriveComponentName, type RequiredKey } from '../../record/add/draft-definition.ts';
import { UpstreamUrl } from '../../core/schemas/definition/links.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { packageSources, type TypedSource } from '../../record/sources/index.ts';
import { listProducts } from '../../record/sources/endoflife-date.ts';
import { SourceError } from '../../record/sources/datasource.ts';
import { HttpError } from '../../io/http/error.ts';
import {
  ProductFolderError,
  readProductFolder,
  type FolderProduct,
} from '../../record/add/read-product-folder.ts';
import { toDay } from '../../core/model/dates.ts';
import { addComponent, AddError, type ComponentRequest } from '../../record/add/add-component.ts';
import type { PolicyContext } from '../../record/add/find-policy.ts';
import { judgeRecorded } from '../../decide/judge-recorded.ts';
import {
  fileProblem,
  InputError,
  notice,
  problem,
  type Finding,
  inputError,
  throwErrors,
} from '../../core/schemas/finding.ts';
import { sourceId } from '../../core/schemas/definition/source.ts';
import { readDefinition } from '../../record/read-definition.ts';
import { valueOf } from '../../io/files/read-documents.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { definitionPath, listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { formatDocument } from '../../io/files/save.ts';
import { quote, sentence } from '../../core/text/text.ts';
import {
  askPerson,
  parseOption,
  UsageError,
  type Command,
  type Invocation,
  type OptionValues,
} from '../command.ts';
import { addMany, describeAdded, listPackages, type AddedComponent } from '../add-many.ts';
import { openUpstreams } from '../../run/open-upstreams.ts';
import type { ListedPackage } from '../packages-to-add.ts';
import { policyForms, readPolicy } from '../read-policy.ts';
import {
  addOptions,
  describeMissing,
  describeRenaming,
  readAddRequest,
  type AddOptions,
} from '../add-request.ts';

export const command: Command<AddOptions> = {
  arguments: { optional: ['datasource', 'package'], isOpen: true },
  options: addOptions,
  details: [
    'Asks the registry for title, description, homepage and changelog of the package, writes components/<component>.json, and',
    'records its releases in data/<component>.json. --replace keeps recorded data and values that no registry states, such as a',
    'support policy. Where the registry states no homepage or changelog, it uses the page of the repository, its releases, the',
    'page in the registry or that in this index, and says so. The support policy comes from endoflife.date, if that has the',
    'package; otherwise a terminal asks for it. If a registry fails or does not know the package, nothing is written.',
    'With several packages, it skips those that the index already has, and goes on after a failure.',
    '--from reads the package URLs of a bill of materials (CycloneDX, SPDX 2 as JSON), or package URLs and images, one a line.',
    'It ignores versions. The images of a cluster: kubectl get pods -A -o jsonpath="{..image}" | tr " " "\\n"',
    'A scope adds all packages that the npm registry lists.',
    'Without arguments, it lists the datasources and the form of their package names.',
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
    ['add pypi agent --name python-agent', 'under another name'],
    [
      'add json https://example.com/agent.json',
      "a document of Renovate's form, or of another index",
    ],
    ['add endoflife-date --all ../ends', 'all products of a fork of endoflife.date'],
    ['add static agent.csv', 'a list that you keep: JSON, CSV, or lines of version and day'],
  ],
  run,
};

export function run(invocation: Invocation<AddOptions>): Promise<number> {
  return addPackages({ ...invocation, words: invocation.arguments });
}

interface AddInput extends Pick<Invocation, 'root' | 'day' | 'env' | 'report' | 'signal'> {
  /** A datasource and the names of its packages; empty where an option names the packages. */
  readonly words: readonly string[];
  readonly options: OptionValues<AddOptions>;
}

/** Defines and gathers components. Also for the first packages of a new index. */
export async function addPackages(input: AddInput): Promise<number> {
  const { root, report, options, words: args } = input;

  const isOne =
    args.length <= 2 &&
    !args[1]?.endsWith('/*') &&
    options.from === undefined &&
    options.all === undefined;
  if (!isOne) {
    return addAll(input);
  }

  const wanted = await readAddRequest(args[0], args[1], options);

  throwErrors(checkNewName(root, wanted, readIndex(root).heirs, options.replace === true));

  const upstreams = openUpstreams(input, valueOf(readSiteConfig(root)));
  const added = await addOne(input, wanted, upstreams, true).finally(() => upstreams.http.close());
  const { component, file, isWritten, definition, notes, findings } = added;
  const done = isWritten ? 'written' : 'would be written';

  report.finding(...findings);

  report.print(`${file}: ${done}, from the answer of ${wanted.source.datasource}`);

  if (!isWritten) {
    report.print(...formatDocument(definition).trimEnd().split('\n'));
  }

  report.print(...notes, describeAdded(added));

  if (wanted.source.datasource === 'static') {
    report.print(`Add later releases to "releases" in ${file}`);
  }

  if (isWritten) {
    report.print(`Look at ${file}, then: build, check, and commit it with data/${component}.json`);
  }

  report.document({ verb: 'add', asOf: toDay(new Date()), ...added });

  return 0;
}

async function addAll(input: AddInput): Promise<number> {
  const { root, options, report, words: args } = input;
  const [datasource, ...packageNames] = args;
  const ofOne = ['name', 'title', 'replace'] as const;
  const links = ['homepage', 'changelog'] as const;
  const wrong = [
    ...ofOne
      .filter((name) => options[name] !== undefined)
      .map((name) => `--${name}: expected a single package`),
    ...links
      .filter((name) => options[name]?.includes('{component}') === false)
      .map((name) => `--${name}: expected an address with {component}, or a single package`),
  ];
  if (wrong.length > 0) {
    throw new UsageError(...wrong);
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

  const { heirs, owners } = readIndex(root);
  const upstreams = openUpstreams(input, valueOf(readSiteConfig(root)));
  const { all } = options;

  if (all !== undefined) {
    if (datasource !== 'endoflife-date' || args.length > 1) {
      throw new UsageError('--all expects: add endoflife-date --all URL|FOLDER');
    }

    return addProducts(input, upstreams, all).finally(() => upstreams.http.close());
  }

  const request = {
    datasource: datasource ?? '',
    names: packageNames,
    from: options.from,
    registryUrl: options['registry-url'],
  };
  const packages = await listPackages(request, report, upstreams);
  const isDry = options['dry-run'] === true;

  const add = (listed: ListedPackage) => addListed(input, listed, heirs, upstreams);
  const { registryUrl } = request;

  return addMany(input, { packages, owners, isDry, registryUrl, add }).finally(() =>
    upstreams.http.close(),
  );
}

async function addListed(
  input: AddInput,
  { datasource, packageName, registryUrl }: ListedPackage,
  heirs: ReadonlyMap<string, string>,
  upstreams: ReturnType<typeof openUpstreams>,
): Promise<AddedComponent> {
  const registry = registryUrl ?? input.options['registry-url'];
  const wanted = await readAddRequest(datasource, packageName, {
    ...input.options,
    'registry-url': registry,
  });

  throwErrors(checkNewName(input.root, wanted, heirs));

  return addOne(input, wanted, upstreams);
}

/** Adds all products of an instance of endoflife.date, or of a folder with files of its form. */
async function addProducts(
  input: AddInput,
  upstreams: ReturnType<typeof openUpstreams>,
  place: string,
): Promise<number> {
  const { root, options } = input;
  const { heirs, owners } = readIndex(root);
  const isDry = options['dry-run'] === true;

  if (!/^https?:/.test(place)) {
    const products = new Map(readFolder(place).map((product) => [product.name, product]));

    const listed = [...products.keys()].map((packageName) => ({
      datasource: 'static',
      packageName,
    }));

    const there = new Map(listComponents(root).names.map((name) => [`static:${name}`, name]));

    const add = async ({ packageName }: ListedPackage) => {
      const { releases, facts, notes } = products.get(packageName)!;
      const name = deriveComponentName(packageName) ?? packageName;

      const source: TypedSource = { datasource: 'static', releases };
      const wanted = { name, source, facts };

      throwErrors(checkNewName(root, wanted, heirs));

      const added = await addOne(input, wanted, upstreams);

      return { ...added, notes: [...added.notes, ...notes] };
    };

    return addMany(input, { packages: listed, owners: there, isDry, add });
  }

  const registryUrl = apiAddress(parseOption('--all', place, UpstreamUrl) ?? place);
  const listed = await listAll(upstreams, registryUrl);

  const add = (product: ListedPackage) => addListed(input, product, heirs, upstreams);

  return addMany(input, { packages: listed, owners, isDry, add });
}

function readFolder(folder: string): FolderProduct[] {
  try {
    return readProductFolder(folder);
  } catch (error) {
    throw error instanceof ProductFolderError ? inputError('--all', error.message) : error;
  }
}

/** An instance serves its API below `/api/`. */
function apiAddress(url: string): string {
  const address = url.replace(/(?:\/v1)?\/*$/, '');
  return address.endsWith('/api') ? `${address}/` : `${address}/api/`;
}

async function listAll({ http }: ReturnType<typeof openUpstreams>, registryUrl: string) {
  try {
    const names = await listProducts(http, registryUrl);
    return names.map((packageName) => ({ datasource: 'endoflife-date', packageName, registryUrl }));
  } catch (error) {
    if (!(error instanceof HttpError || error instanceof SourceError)) {
      throw error;
    }

    throw inputError('--all', `${sentence(error.message)} Nothing was written.`);
  }
}

async function addOne(
  input: AddInput,
  wanted: ComponentRequest,
  upstreams: ReturnType<typeof openUpstreams>,
  isSingle = false,
): Promise<AddedComponent> {
  const { root, report, options } = input;
  const { name } = wanted;
  const isDry = options['dry-run'] === true;
  const day = toDay(new Date());

  try {
    const isReplacing = options.replace === true;

    const settings = {
      root,
      ...upstreams,
      day,
      isDry,
      isReplacing,
      ...policyContext(input, isSingle, name),
    };

    const { definition, written, notes, gathered } = await addComponent(wanted, settings);
    const findings = [...gathered.findings, ...gathered.undated];
    const { releases, latest } = judgeRecorded(name, definition, gathered, day).judgement;

    return {
      component: name,
      file: `components/${name}.json`,
      isWritten: !isDry,
      definition: written,
      notes: [...notes, ...latestNote(wanted.statedLatest, latest?.version)],
      releases: releases.length,
      latest: latest?.version,
      findings,
    };
  } catch (error) {
    if (!(error instanceof AddError)) {
      throw error;
    }

    const subject = `${name} (${wanted.source.datasource})`;

    if (isSingle) {
      report.finding(...error.notes.map((message) => notice(subject, message)));
    }

    const needed = error.missing.map((key) => (isSingle ? givenOptions[key] : `defaults.${key}`));
    const hint = isSingle
      ? `Give ${needed.join(' ')}`
      : `Set ${needed.join(' and ')} in site/site.json`;
    const remedy = needed.length === 0 ? '' : ` ${hint}.`;

    const message = `${sentence(error.message)}${remedy} Nothing was written.`;

    throw new InputError([problem(subject, message)], { cause: error.cause });
  }
}

/** The index computes `tags.latest`, which may differ from the one of a list. */
function latestNote(listedLatest: string | undefined, computed: string | undefined): string[] {
  if (listedLatest === undefined || listedLatest === computed) {
    return [];
  }

  const rule = 'the greatest stable release that is not deprecated';

  return [`tags.latest: ${computed ?? 'none'}, ${rule}; the list states ${quote(listedLatest)}`];
}

/** The origins of a support policy. Only a single package makes it ask a person. */
function policyContext({ env }: AddInput, isSingle: boolean, component: string): PolicyContext {
  const isAsked = isSingle && process.stdin.isTTY && !env['CI'];
  const { ENDOFLIFE_DATE_URL: address } = env;

  return {
    endoflifeDate: address && parseOption('ENDOFLIFE_DATE_URL', address, UpstreamUrl),
    askPolicy: isAsked ? () => askPolicy(component) : undefined,
  };
}

async function askPolicy(component: string): Promise<SupportPolicy | undefined> {
  const question = `How long is a release line of ${component} supported, ${policyForms}? [no stated end] `;
  const answer = await askPerson(question);
  if (answer === undefined) {
    throw inputError('add', 'cancelled. Nothing was written');
  }

  return answer === '' ? undefined : (readPolicy(answer) ?? askPolicy(component));
}

/** The options for values that a registry may not state. */
const givenOptions: Readonly<Record<RequiredKey, string>> = {
  title: '--title TEXT',
  homepage: '--homepage URL',
  changelogUrl: '--changelog URL',
};

/** Finds conflicts of a new name: existing files, or another component that had the name earlier. */
function checkNewName(
  root: Root,
  { name, source }: ComponentRequest,
  heirs: ReadonlyMap<string, string>,
  isReplacing = false,
): Finding[] {
  const { datasource, packageName, registryUrl } = source;
  const renamed =
    packageName === undefined
      ? '--name'
      : describeRenaming({ datasource, packageName, registryUrl }, name);
  const reject = (file: string, message: string): Finding[] => [
    fileProblem(file, `${message} Nothing was written; under another name: ${renamed}`),
  ];
  const orphaned = 'has releases of a component that is not defined. To keep them: --replace.';

  if (!isReplacing && !isAbsent(definitionPath(root, name))) {
    return reject(`components/${name}.json`, 'exists already. To overwrite it: --replace.');
  }

  if (!isReplacing && !isAbsent(recordedPath(root, name))) {
    return reject(`data/${name}.json`, orphaned);
  }

  const heir = heirs.get(name);
  if (heir !== undefined) {
    return reject(`components/${heir}.json`, `has "${name}" as an earlier name.`);
  }

  // Only a missing folder matters here, not the names of other files.
  return listComponents(root).findings.filter(({ subject }) => subject === 'components');
}

/** The component of each earlier name (`heirs`) and of each source id (`owners`). */
function readIndex(root: Root): { heirs: Map<string, string>; owners: Map<string, string> } {
  const [heirs, owners] = [new Map<string, string>(), new Map<string, string>()];

  for (const name of listComponents(root).names) {
    const { renamedFrom = [], sources = [] } = readDefinition(root, name).value ?? {};

    for (const old of renamedFrom) {
      heirs.set(old, name);
    }

    for (const source of sources) {
      owners.set(sourceId(source), name);
    }
  }

  return { heirs, owners };
}
