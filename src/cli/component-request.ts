import type { Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { aboutKeys } from '../core/schemas/definition/about-component.ts';
import {
  deriveComponentName,
  deriveDocumentName,
  findNameProblem,
} from '../core/schemas/definition/component-name.ts';
import type { Source } from '../core/schemas/definition/source.ts';
import { InputError, problem } from '../core/schemas/finding.ts';
import { UpstreamUrl } from '../core/schemas/urls.ts';
import { endSentence } from '../core/text/wording.ts';
import type { Fetcher } from '../io/http/client.ts';
import { HttpError } from '../io/http/error.ts';
import type { ComponentRequest } from '../record/add/add-component.ts';
import {
  findProduct,
  isAddress,
  listFolderProducts,
  type Product,
} from '../record/add/read-product.ts';
import { readReleaseList, type ReleaseList } from '../record/add/read-release-list.ts';
import { SourceError } from '../record/sources/datasource.ts';
import { createSupportSource, listProducts } from '../record/sources/endoflife-date.ts';
import { TypedSource } from '../record/sources/index.ts';
import {
  checkDatasource,
  describeRenaming,
  documentDatasources,
  type AddOptions,
  type ListedPackage,
} from './add-arguments.ts';
import { throwUsage, type OptionValues } from './command.ts';
import {
  describeOptionProblems,
  parseOption,
  policyForms,
  readSupportPolicy,
} from './option-values.ts';
import { readInput } from './read-arguments.ts';

interface RequestContext {
  options: OptionValues<AddOptions>;
  env: NodeJS.ProcessEnv;
  upstreams: { http: Fetcher };
  day: Day;
}

/** Reads the request to add a package. A product of endoflife.date is read from its file, where the instance has files. */
export async function readRequest(
  entry: ListedPackage,
  { options, env, upstreams, day }: RequestContext,
): Promise<ComponentRequest> {
  const { datasource, packageName } = entry;
  const { files, api } = datasource === 'endoflife-date' ? findInstance(options, env) : {};
  const { registryUrl = api } = entry;
  const request = await readPackage({ datasource, packageName, registryUrl }, options);
  if (files === undefined) {
    return request;
  }

  const product = await findProduct(packageName, files, { ...upstreams, day }).catch(
    rejectUpstream(packageName),
  );
  return product ? addProduct(request, packageName, product) : request;
}

/** The argument or option that states a key of a source, for messages. */
const sourceOptions = {
  packageName: '<package>',
  url: '<package>',
  registryUrl: '--registry-url',
};

/** Throws a UsageError for a wrong datasource or a missing registry, else with every problem of the arguments and options. */
async function readPackage(
  entry: ListedPackage,
  options: OptionValues<AddOptions>,
): Promise<ComponentRequest> {
  checkDatasource(entry);

  const { datasource, packageName, registryUrl } = entry;
  const { coordinates, latest: statedLatest, notes, ...list } = await readCoordinates(entry);
  const source = dropUndefined({ datasource, ...coordinates, registryUrl });
  const isDocument = documentDatasources.includes(datasource);
  const derivedName = (isDocument ? deriveDocumentName : deriveComponentName)(packageName);
  const name = options.name ?? derivedName ?? '';
  const { facts, problems: factProblems } = readFacts(options, name);
  const problems = [
    ...describeOptionProblems('source', source, TypedSource, sourceOptions),
    ...factProblems,
    ...describeWrongName(entry, options, name),
  ];
  throwUsage(problems);

  return {
    name,
    source: TypedSource.parse(source),
    facts: { ...list.facts, ...facts },
    statedLatest,
    notes,
  };
}

interface Coordinates extends Partial<Omit<ReleaseList, 'releases'>> {
  /** The keys of a source that name its package or document, or hold its releases. */
  coordinates: Pick<Source, 'packageName' | 'url'> | Pick<ReleaseList, 'releases'>;
}

/** The keys of a source that the second argument states, and what a list of releases states about the component. */
async function readCoordinates({ datasource, packageName }: ListedPackage): Promise<Coordinates> {
  switch (datasource) {
    case 'json':
      return { coordinates: { url: packageName } };
    case 'static': {
      const content = await readInput(packageName);
      const { releases, ...list } = readReleaseList(packageName, content);
      return { coordinates: { releases }, ...list };
    }
    default:
      return { coordinates: { packageName } };
  }
}

/** The values that the options state about a component, and the problems of these options. */
function readFacts(options: OptionValues<AddOptions>, name: string) {
  const { title } = options;
  const homepage = options.homepage?.replaceAll('{component}', name);
  const changelogUrl = options.changelog?.replaceAll('{component}', name);
  const { policy: support, problem: policyProblem } =
    options.support === 'none'
      ? { policy: { policy: 'none' as const } }
      : readSupportPolicy(options.support, `${policyForms}, or none`);

  const problems = [
    ...describeOptionProblems('--title', title, aboutKeys.title.optional()),
    ...describeOptionProblems('--homepage', homepage, aboutKeys.homepage.optional()),
    ...describeOptionProblems('--changelog', changelogUrl, aboutKeys.changelogUrl.optional()),
  ];
  if (policyProblem !== undefined) {
    problems.push(`--support: ${policyProblem}`);
  }

  return { facts: dropUndefined({ title, homepage, changelogUrl, support }), problems };
}

/** The problem of the name of a component, with the command that gives it another name. Empty: no name can be derived. */
function describeWrongName(
  entry: ListedPackage,
  options: OptionValues<AddOptions>,
  name: string,
): string[] {
  if (name === '') {
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

/** Replaces the source of a request by the sources of a product, with its latest version and notes. Options take precedence over its facts. */
function addProduct(
  request: ComponentRequest,
  name: string,
  { sources, facts, latest, notes }: Product,
): ComponentRequest {
  const [source = request.source, ...others] = sources;
  return {
    ...request,
    source,
    others,
    statedLatest: latest,
    facts: dropUndefined({
      support: {
        policy: 'stated' as const,
        source: createSupportSource(name, request.source.registryUrl),
      },
      ...facts,
      ...request.facts,
    }),
    notes,
  };
}

/** The files of the products of endoflife.date. */
const publicFiles = 'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/';

/**
 * The instance of endoflife.date that `--from-instance`, `--all` or the environment names, in this order, else the public one. A folder
 * has the API of the environment. `files`: the address or folder of its files of products, which state more than its API. `api`:
 * undefined for the public one. A package with a `registryUrl` has its API there instead.
 */
function findInstance(options: OptionValues<AddOptions>, env: NodeJS.ProcessEnv) {
  const { 'from-instance': fromInstance, all, 'registry-url': registryUrl } = options;
  const instance = fromInstance ?? all;
  if (instance !== undefined && !isAddress(instance)) {
    return { files: instance, api: readConfiguredApi(env) };
  }
  if (instance === undefined && registryUrl !== undefined) {
    // The address of an API does not say where its files are.
    return {};
  }

  const option = fromInstance === undefined ? '--all' : '--from-instance';
  const api = instance === undefined ? readConfiguredApi(env) : readApi(option, instance);
  return { files: api === undefined ? publicFiles : new URL('..', api).href, api };
}

/** The API of the instance in the environment; undefined for the public one. */
export function readConfiguredApi(env: NodeJS.ProcessEnv): string | undefined {
  const address = env['ENDOFLIFE_DATE_URL'];
  return address ? readApi('ENDOFLIFE_DATE_URL', address) : undefined;
}

/** All products of the instance of `--all`: at an address or in a folder. */
export async function listProductNames(instance: string, http: Fetcher): Promise<string[]> {
  try {
    return isAddress(instance)
      ? await listProducts(http, readApi('--all', instance))
      : listFolderProducts(instance);
  } catch (error) {
    return rejectUpstream('--all')(error);
  }
}

/**
 * The API of an instance: `https://x/api/` for `https://x/`, `https://x/api` and `https://x/api/v1`. `origin`: the option or variable of
 * the address, for a `UsageError`.
 */
function readApi(origin: string, address: string): string {
  // Undefined only without an address.
  const url = parseOption(origin, address, UpstreamUrl)!;
  return `${url.replace(/(?:\/api)?(?:\/v1)?\/*$/, '')}/api/`;
}

/**
 * An error handler that throws an InputError, with the error as its `cause`, for a failure of upstream and rethrows every other
 * error.
 */
export function rejectUpstream(
  subject: string,
  remedy = 'Nothing was written.',
): (error: unknown) => never {
  return (error) => {
    if (error instanceof HttpError || error instanceof SourceError) {
      const message = `${endSentence(error.message)} ${remedy}`;
      throw new InputError([problem(subject, message)], { cause: error });
    }

    throw error;
  };
}
