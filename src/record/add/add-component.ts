import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { dropUndefined } from '../../core/model/objects.ts';
import { isPlaceholder } from '../../core/schemas/definition/site-config.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { createSourceId, createSupportSourceId } from '../../core/schemas/definition/source-ids.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { endSentence } from '../../core/text/wording.ts';
import { isAbsent, readIfThere } from '../../io/files/file-system.ts';
import { parseDocument, unwrapResult } from '../../io/files/read-documents.ts';
import { readSiteConfig } from '../../io/files/settings-files.ts';
import {
  definitionFile,
  definitionPath,
  freshnessPath,
  recordedPath,
  type Root,
} from '../../io/files/root.ts';
import { formatDocument, saveUnlessChanged } from '../../io/files/save.ts';
import type { GatherContext, SourceOutcome } from '../gather/ask-source.ts';
import { readRecorded, saveGathered, type Unite } from '../gather/save-gathered.ts';
import { askSources, keepDocuments, listOsvPackages } from '../gather/ask-sources.ts';
import { uniteAnswers, type GatherResult } from '../gather/unite-answers.ts';
import { budgets } from '../gather/source-session.ts';
import {
  fillDefaults,
  createSchemaForHosts,
  WrittenDefinition,
  type FullDefinition,
} from '../read-definition.ts';
import { SourceError } from '../sources/datasource.ts';
import { findAdapter } from '../sources/index.ts';
import { draftDefinition, type ComponentFacts, type RequiredKey } from './draft-definition.ts';
import { findSupportPolicy, type PolicyContext } from './find-support-policy.ts';

export interface ComponentRequest {
  name: string;
  source: Source;
  /** Further sources of its releases. */
  others?: readonly Source[] | undefined;
  facts: ComponentFacts;
  /** The version that a list of releases states as the latest. */
  statedLatest?: string | undefined;
  /** Notes from before on its sources and values. */
  notes?: readonly string[] | undefined;
}

interface AddContext extends Pick<GatherContext, 'http' | 'day' | 'npmRegistry'>, PolicyContext {
  root: Root;
  /** Write nothing. */
  isDry: boolean;
  /** Whether no other component has the package. */
  isFree(packageUrl: string): boolean;
  /** Replace an existing definition. Keep recorded data, and keys that no registry states, such as a support policy. */
  isReplacing?: boolean;
}

export interface Added {
  /** With inherited values. */
  definition: FullDefinition;
  /** Without inherited values. */
  written: object;
  /** The origin of values that the registry does not state. */
  notes: readonly string[];
  gathered: GatherResult;
}

/** Required values that no registry states, so that nothing was added. A person can supply them. */
export interface MissingValues {
  missing: readonly RequiredKey[];
  reason: string;
  notes: readonly string[];
}

/**
 * Writes a definition from the registry's description, and records its releases. Asks for everything before it writes. Throws an
 * `HttpError` or a `SourceError` if the registry fails, and an `InputError` if the definition to replace cannot be read.
 */
export async function addComponent(
  request: ComponentRequest,
  context: AddContext,
): Promise<Added | MissingValues> {
  const { name } = request;
  const { root } = context;
  const before = context.isReplacing ? readIfThere(definitionPath(root, name)) : undefined;
  const existing =
    before && unwrapResult(parseDocument(before, definitionFile(name), WrittenDefinition));
  const draft = await draftWithPolicy(request, existing ?? {}, context);
  if (draft.missing) {
    return draft;
  }

  const recorded = readRecorded(root, name);
  const asked = await askWithOsv(name, draft.written, recorded, context);
  const { written, definition } = asked;
  const added = { definition, written, notes: [...draft.notes, ...asked.notes] };
  const unite: Unite = (fresh) =>
    uniteAnswers({ component: name, definition, ...fresh }, asked.outcomes, context.day);
  if (context.isDry) {
    return { ...added, gathered: unite(recorded) };
  }

  writeDefinition(root, name, before, formatDocument(written));
  const gathered = await saveGathered({ root }, name, unite);
  keepDocuments(asked.outcomes, gathered.sources);
  return { ...added, gathered };
}

/** Drafts the definition with all its sources and its support policy. */
async function draftWithPolicy(
  { name, source, others = [], facts, notes: earlierNotes = [] }: ComponentRequest,
  existing: Partial<WrittenDefinition>,
  context: AddContext,
) {
  const { root } = context;
  const upstream = (await findAdapter(source).describe?.(source, context)) ?? {};
  const config = readSiteConfig(root).value;
  const hasPlaceholder = config && isPlaceholder(config.releasesUrl);
  const defaults = fillDefaults(name, config?.defaults);
  const draft = draftDefinition(source, upstream, facts, {
    $schema: locateSchema(root),
    component: name,
    indexPage: config && !hasPlaceholder ? `${config.releasesUrl}/${name}.html` : undefined,
    defaults,
    existing,
    isFree: context.isFree,
  });
  if (!draft.written) {
    const { missing, notes } = draft;
    const lacks = missing.map((key) => `no https: ${key}`).join(', ');
    const advice = hasPlaceholder
      ? '; once site/site.json has its releasesUrl, the page of the component is used'
      : '';
    return { missing, notes, reason: `its registry states ${lacks}${advice}` };
  }

  const written = { ...draft.written, sources: [...draft.written.sources, ...others] };
  const notes = [...draft.notes, ...earlierNotes];
  if ('support' in { ...defaults, ...written }) {
    return { written, notes };
  }

  const { support, note } = await findSupportPolicy(source, context);
  return { written: dropUndefined({ ...written, support }), notes: [...notes, note] };
}

/** The path from `components/` to the schema, for editors: in the checkout, or in the installed program. */
function locateSchema({ dir }: Root): string {
  const folder = isAbsent(join(dir, 'site/schema')) ? 'node_modules/release-index/site' : 'site';
  return `../${folder}/schema/definition.json`;
}

const osvSource = { datasource: 'osv' };
const osvId = createSourceId(osvSource);

const silentOsvNote =
  'advisories: OSV did not answer, so they are not watched. To watch them, add {"datasource": "osv"} to sources';

/** Asks all sources, with OSV for public packages. OSV becomes a source of the definition if it answers. */
async function askWithOsv(
  name: string,
  drafted: WrittenDefinition,
  recorded: ReturnType<typeof readRecorded>,
  context: AddContext,
) {
  const { sources } = drafted;
  const trial = mayAskOsv(sources, context)
    ? { ...drafted, sources: [...sources, osvSource] }
    : drafted;
  const trialDefinition = completeDefinition(context.root, name, trial);
  const runEnd = performance.now() + budgets.runMs;
  const outcomes = await askSources(
    { component: name, definition: trialDefinition, ...recorded },
    { ...context, runEnd },
  );
  expectReleases(outcomes, createSupportSourceId(trialDefinition.support));

  const isOsvSilent = outcomes.some(({ id, kind }) => id === osvId && kind === 'failed');
  if (!isOsvSilent) {
    return { written: trial, definition: trialDefinition, outcomes, notes: [] };
  }

  return {
    written: drafted,
    definition: completeDefinition(context.root, name, drafted),
    outcomes: outcomes.filter(({ id }) => id !== osvId),
    notes: [silentOsvNote],
  };
}

/** The definition with inherited values. Throws an `InputError` if it is not valid. */
function completeDefinition(root: Root, name: string, written: object): FullDefinition {
  const site = readSiteConfig(root).value;
  const schema = createSchemaForHosts(site?.plainHttpHosts);
  const definition = { ...fillDefaults(name, site?.defaults), ...written };
  const read = schema.safeParse(definition);
  if (!read.success) {
    throw createRefusal(name, describeProblems(definition, schema).join('; '));
  }

  return read.data;
}

/**
 * Throws a `SourceError` if a source of releases failed. Only releases are required: a later run can read support, whose source is
 * `supportId`, and advisories.
 */
function expectReleases(outcomes: readonly SourceOutcome[], supportId: string | undefined): void {
  for (const outcome of outcomes) {
    if (outcome.kind === 'failed' && outcome.id !== supportId && outcome.id !== osvId) {
      throw new SourceError(outcome.reason);
    }
  }
}

/**
 * Whether OSV has advisories on packages of these sources, and all these packages are public: OSV would be asked for each of them, and
 * names of private packages are not sent to OSV.
 */
export function mayAskOsv(sources: readonly Source[], context: RegistryContext): boolean {
  const packages = sources.filter((source) => listOsvPackages([source]).length > 0);
  return packages.length > 0 && packages.every((source) => isPublic(source, context));
}

type RegistryContext = Pick<AddContext, 'npmRegistry'>;

function isPublic(source: Source, { npmRegistry }: RegistryContext): boolean {
  const { datasource, packageName = '', registryUrl } = source;
  const { defaultRegistry } = findAdapter(source);
  const publicHost = defaultRegistry && URL.parse(defaultRegistry)?.host;
  const registry = registryUrl ?? (datasource === 'npm' ? npmRegistry(packageName) : undefined);
  return registry === undefined || URL.parse(registry)?.host === publicHost;
}

function writeDefinition(
  root: Root,
  name: string,
  before: Buffer | undefined,
  content: string,
): void {
  if (!saveUnlessChanged([{ path: definitionPath(root, name), before, content }])) {
    throw createRefusal(name, `${definitionFile(name)} was changed by another program meanwhile`);
  }

  // Without recorded releases, freshness is left over from a component that was removed.
  if (isAbsent(recordedPath(root, name))) {
    rmSync(freshnessPath(root, name), { force: true });
  }
}

function createRefusal(name: string, reason: string) {
  return inputError(name, `${endSentence(reason)} Nothing was written.`);
}
