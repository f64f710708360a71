import { toDay } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { normalisePackage, createPackagePurl } from '../../core/model/purl.ts';
import { createSourceId } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import {
  fileProblem,
  InputError,
  notice,
  problem,
  type Finding,
  inputError,
  throwErrors,
} from '../../core/schemas/finding.ts';
import { UpstreamUrl } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { endSentence } from '../../core/text/wording.ts';
import { judgeRecorded } from '../../decide/component.ts';
import { formatDocument, isAbsent } from '../../io/files/file-system.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { definitionPath, listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { HttpError } from '../../io/http/error.ts';
import {
  addComponent,
  rememberOpenSupport,
  type ComponentRequest,
} from '../../record/add/add-component.ts';
import type { PolicyContext, RequiredKey } from '../../record/add/draft-definition.ts';
import { endoflifeFiles, findProduct, listFolder } from '../../record/add/read-product.ts';
import { readDefinition } from '../../record/read-definition.ts';
import { SourceError } from '../../record/sources/datasource.ts';
import { listProducts } from '../../record/sources/endoflife-date.ts';
import { packageSources } from '../../record/sources/index.ts';
import { openUpstreams } from '../../run/run-context.ts';
import { listPackages as listPackageUrls } from '../../site/component-names.ts';
import { addMany, describeAdded, listPackages, type AddedComponent } from '../add-many.ts';
import {
  addOptions,
  type AddOptions,
  describeMissing,
  describeRenaming,
  areProducts,
  policyForms,
  readAddRequest,
  readPolicy,
} from '../add-request.ts';
import {
  askPerson,
  parseOption,
  UsageError,
  type Command,
  type Invocation,
  type OptionValues,
} from '../command.ts';
import type { ListedPackage } from '../read-items.ts';

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
  run,
};

export function run(invocation: Invocation<AddOptions>): Promise<number> {
  const { arguments: words } = invocation;
  return addPackages({
    ...invocation,
    words: areProducts(words) ? ['endoflife-date', ...words] : words,
  });
}

interface AddInput extends Pick<Invocation, 'root' | 'day' | 'env' | 'report' | 'signal'> {
  /** A datasource and the names of its packages; empty where an option names the packages. */
  readonly words: readonly string[];
  readonly options: OptionValues<AddOptions>;
}

/** Whether the arguments name a single package: then a person is asked for what is missing. */
function namesOne({ words, options }: AddInput): boolean {
  return (
    words.length <= 2 &&
    !words[1]?.endsWith('/*') &&
    options.from === undefined &&
    options.all === undefined
  );
}

/** Defines and gathers components. Also for the first packages of a new index. */
export async function addPackages(input: AddInput): Promise<number> {
  const { root, options, words } = input;
  const isSingle = namesOne(input);
  const [datasource = '', packageName] = words;
  if (isSingle && packageName === undefined) {
    throw new UsageError(...describeMissing(words[0]));
  }
  if (!isSingle) {
    checkManyOptions(input);
  }

  const index = readIndex(root);
  const upstreams = openUpstreams(input, unwrapResult(readSiteConfig(root)));
  const add = async (entry: ListedPackage) => {
    const request = await readRequest(input, entry, upstreams);
    throwErrors(checkNewName(root, request, index.heirs, options));
    return addOne(input, request, index, upstreams);
  };

  const status =
    isSingle && packageName !== undefined
      ? add({ datasource, packageName }).then((added) => printAdded(input, added))
      : addAll(input, index, upstreams, add);
  return status.finally(() => upstreams.http.close());
}

function printAdded({ report, words }: AddInput, added: AddedComponent): number {
  const [datasource] = words;
  const { file, isWritten, definition, notes, findings, undated } = added;
  const outcome = isWritten ? 'written' : 'would be written';
  report.finding(...findings, ...undated);
  report.print(`${file}: ${outcome}, from the answer of ${datasource}`);
  if (!isWritten) {
    report.print(...formatDocument(definition).trimEnd().split('\n'));
  }

  report.print(...notes, describeAdded(added));

  if (datasource === 'static') {
    report.print(`Add later releases to "releases" in ${file}`);
  }
  if (isWritten) {
    report.print(`Look at ${file}, then: npx release-index start`);
  }

  report.document({ verb: 'add', asOf: toDay(new Date()), ...added });
  return 0;
}

function checkManyOptions({ options, words: [datasource, ...names] }: AddInput): void {
  const singleOptions = ['name', 'title', 'replace'] as const;
  const links = ['homepage', 'changelog'] as const;
  const problems = [
    ...singleOptions
      .filter((name) => options[name] !== undefined)
      .map((name) => `--${name}: expected a single package`),
    ...links
      .filter((name) => options[name]?.includes('{component}') === false)
      .map((name) => `--${name}: expected an address with {component}, or a single package`),
  ];
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

async function addAll(
  input: AddInput,
  { owners }: Index,
  upstreams: Upstreams,
  add: (entry: ListedPackage) => Promise<AddedComponent>,
): Promise<number> {
  const { options, report, words } = input;
  const { from, all, 'registry-url': registryUrl } = options;
  const [datasource = '', ...packageNames] = words;
  const names = all === undefined ? packageNames : await listProductNames(all, upstreams);
  const packages = await listPackages({ datasource, names, from, registryUrl }, report, upstreams);
  const isDry = options['dry-run'] === true;
  return addMany(input, { packages, owners, isDry, registryUrl, add });
}

type Upstreams = ReturnType<typeof openUpstreams>;

/** A component by the arguments and the file of its product. */
async function readRequest(
  { options, env, day }: AddInput,
  { datasource, packageName, registryUrl }: ListedPackage,
  { http }: Upstreams,
): Promise<ComponentRequest> {
  const isProduct = datasource === 'endoflife-date';
  const instance = isProduct ? openInstance(options, env) : {};
  const request = await readAddRequest(datasource, packageName, {
    ...options,
    'registry-url': registryUrl ?? options['registry-url'] ?? instance.api,
  });

  const product =
    instance.files === undefined
      ? undefined
      : await findProduct(packageName, instance.files, { http, day }).catch((error: unknown) =>
          rejectUpstream(packageName, error),
        );
  if (!product) {
    return request;
  }

  const { sources, facts, latest, notes } = product;
  const [source = request.source, ...others] = sources;
  const { registryUrl: api } = request.source;
  const supportSource = dropUndefined({
    datasource: 'endoflife-date' as const,
    product: packageName,
    registryUrl: api,
  });
  return {
    ...request,
    source,
    others,
    statedLatest: latest,
    facts: dropUndefined({
      support: { policy: 'stated' as const, source: supportSource },
      ...facts,
      ...request.facts,
    }),
    notes,
  };
}

/** The files and the API of an instance of endoflife.date. */
function openInstance(
  { all, 'from-instance': option = all, 'registry-url': api }: OptionValues<AddOptions>,
  { ENDOFLIFE_DATE_URL: url }: Invocation['env'],
): { files?: string; api?: string } {
  const place = option ?? (api === undefined ? url : '');
  if (place === undefined || place === '') {
    return api === undefined ? { files: endoflifeFiles } : {};
  }

  return isUrl(place)
    ? {
        files: parseOption(
          '--from-instance',
          place.replace(/(?:\/api)?(?:\/v1)?\/*$/, '/'),
          UpstreamUrl,
        )!,
        api: createApiAddress(place),
      }
    : { files: place, ...(url && { api: url }) };
}

function isUrl(place: string): boolean {
  return /^https?:/.test(place);
}

/** An instance serves its API below `/api/`. */
function createApiAddress(url: string): string {
  const address = url.replace(/(?:\/v1)?\/*$/, '');
  return address.endsWith('/api') ? `${address}/` : `${address}/api/`;
}

async function listProductNames(place: string, { http }: Upstreams): Promise<string[]> {
  try {
    return isUrl(place)
      ? await listProducts(
          http,
          createApiAddress(parseOption('--all', place, UpstreamUrl) ?? place),
        )
      : listFolder(place);
  } catch (error) {
    return rejectUpstream('--all', error);
  }
}

function rejectUpstream(subject: string, error: unknown): never {
  if (!(error instanceof HttpError || error instanceof SourceError)) {
    throw error;
  }

  const message = `${endSentence(error.message)} Nothing was written.`;
  throw new InputError([problem(subject, message)], { cause: error });
}

async function addOne(
  input: AddInput,
  request: ComponentRequest,
  { owners }: Index,
  upstreams: Upstreams,
): Promise<AddedComponent> {
  const { root, report, options } = input;
  const { name } = request;
  const isDry = options['dry-run'] === true;
  const day = toDay(new Date());

  const subject = `${name} (${request.source.datasource})`;
  const settings = {
    root,
    ...upstreams,
    day,
    isDry,
    isReplacing: options.replace === true,
    isFree: (alias: string) => [name, undefined].includes(owners.get(normalisePackage(alias))),
    ...createPolicyContext(input, name),
  };
  const result = await addComponent(request, settings).catch((error: unknown) =>
    rejectUpstream(subject, error),
  );
  if ('missing' in result) {
    const { missing, reason } = result;
    const isSingle = namesOne(input);
    if (isSingle) {
      report.finding(...result.notes.map((message) => notice(subject, message)));
    }

    const remedy = isSingle
      ? `Give ${missing.map((key) => keyOptions[key]).join(' ')}`
      : `Set ${missing.map((key) => `defaults.${key}`).join(' and ')} in site/site.json`;
    throw inputError(subject, `${endSentence(reason)} ${remedy}. Nothing was written.`);
  }

  const { definition, written, notes, gathered, isOpen } = result;
  if (isOpen && !isDry) {
    rememberOpenSupport(root, name);
  }

  const { releases, latest } = judgeRecorded(name, definition, gathered, day).judgement;

  return {
    component: name,
    file: `components/${name}.json`,
    isWritten: !isDry,
    definition: written,
    notes: [...notes, ...noteLatest(request, latest?.version)],
    releases: releases.length,
    latest: latest?.version,
    findings: gathered.findings,
    undated: gathered.undated,
  };
}

/** The index computes the latest release, which may differ from that of a list or a product. */
function noteLatest({ name, statedLatest }: ComponentRequest, computed?: string): string[] {
  if (statedLatest === undefined || statedLatest === computed) {
    return [];
  }

  const rule = 'the greatest stable release that is not deprecated';
  return [
    `${name}: the latest is ${computed ?? 'none'}, ${rule}; stated is ${quote(statedLatest)}`,
  ];
}

/** The origins of a support policy. Only a single package makes it ask a person. */
function createPolicyContext(input: AddInput, component: string): PolicyContext {
  const { env } = input;
  const canAsk = namesOne(input) && process.stdin.isTTY && !env['CI'];
  const { ENDOFLIFE_DATE_URL: address } = env;
  return {
    endoflifeDate: address && parseOption('ENDOFLIFE_DATE_URL', address, UpstreamUrl),
    askPolicy: canAsk ? () => askPolicy(component) : undefined,
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
const keyOptions: Readonly<Record<RequiredKey, string>> = {
  homepage: '--homepage URL',
  changelogUrl: '--changelog URL',
};

/** Finds conflicts of a new name: existing files, or another component that had the name earlier. */
function checkNewName(
  root: Root,
  { name, source }: ComponentRequest,
  heirs: ReadonlyMap<string, string>,
  { replace: isReplacing = false }: Pick<AddInput['options'], 'replace'>,
): Finding[] {
  const { datasource, packageName, registryUrl } = source;
  const renaming =
    packageName === undefined
      ? '--name'
      : describeRenaming({ datasource, packageName, registryUrl }, name);
  const reject = (file: string, message: string): Finding[] => [
    fileProblem(file, `${message} Nothing was written; under another name: ${renaming}`),
  ];

  if (!isReplacing && !isAbsent(definitionPath(root, name))) {
    return reject(`components/${name}.json`, 'exists already. To overwrite it: --replace.');
  }
  if (!isReplacing && !isAbsent(recordedPath(root, name))) {
    return reject(
      `data/${name}.json`,
      'has releases of a component that is not defined. To keep them: --replace.',
    );
  }

  const heir = heirs.get(name);
  if (heir !== undefined) {
    return reject(`components/${heir}.json`, `has "${name}" as an earlier name.`);
  }

  // Only a missing folder matters here, not the names of other files.
  return listComponents(root).findings.filter(({ subject }) => subject === 'components');
}

interface Index {
  /** The component of each earlier name. */
  readonly heirs: ReadonlyMap<string, string>;
  /** The component of each source id and package URL. */
  readonly owners: ReadonlyMap<string, string>;
}

function readIndex(root: Root): Index {
  const [heirs, owners] = [new Map<string, string>(), new Map<string, string>()];

  for (const name of listComponents(root).names) {
    const { renamedFrom = [], sources = [], aliases } = readDefinition(root, name).value ?? {};
    for (const oldName of renamedFrom) {
      heirs.set(oldName, name);
    }
    const packages = listPackageUrls({ sources, aliases }).map(({ purl }) => purl);
    const product = createSourceId({ datasource: 'endoflife-date', packageName: name });

    for (const id of [
      ...sources.map(createSourceId),
      ...packages,
      createPackagePurl('generic', name),
      product,
    ]) {
      owners.set(id, name);
    }
  }

  return { heirs, owners };
}
