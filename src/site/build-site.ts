import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CalendarEvent } from '../ask/plan/write-calendar.ts';
import type { Day } from '../core/model/dates.ts';
import { collectStatedBy } from '../core/model/pair-answers.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import type { Component } from '../decide/component.ts';
import { summarise, type ComponentSummary } from '../decide/component-summary.ts';
import {
  createComparedComponent,
  type ComparedComponent,
  type ComparedComponents,
} from '../decide/partners.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { listJournals } from '../io/files/recorded-files.ts';
import type { Root } from '../io/files/root.ts';
import { listChangeEntries } from '../record/journal/events/change-entries.ts';
import { toPublishedEvents } from '../decide/event-words.ts';
import { digestInputs } from './inputs.ts';
import { addStateOn, createComponentLoader, readEvents, readRunsUntil } from './load-component.ts';
import {
  renderComponentFiles,
  renderContents,
  type ComponentContents,
} from './render/component-files.ts';
import { openChangeLog, renderBuildFiles } from './render/documents/change-log.ts';
import { renderCompatibilityFile } from './render/documents/compatibility.ts';
import { openParts } from './render/documents/document-parts.ts';
import { renderSearchedComponent } from './render/documents/search-json.ts';
import {
  findStatusStart,
  listRecordingDelays,
  summariseDelays,
} from './render/documents/status-json.ts';
import { renderCalendar } from './render/documents/support-calendar.ts';
import { chooseSample } from './render/examples.ts';
import type { SiteContext, SiteInput } from './render/site-context.ts';
import { renderSiteFiles } from './render/site-files.ts';
import { hasPastStatements, readPastStatements } from './signed-statements.ts';
import { readSettings, type Settings } from './site-settings.ts';
import { openSiteWriter, type SiteWriter } from './output-folder.ts';
import { readTheme } from './theme.ts';

export interface BuildOptions {
  root: Root;
  /** An absolute path. */
  out: string;
  day: Day;
  /** By default, the address in `site.json`. */
  baseUrl?: string | undefined;
}

export interface BuildResult extends ReturnType<SiteWriter['finish']> {
  components: readonly ComponentSummary[];
  findings: readonly Finding[];
}

/**
 * Builds the whole site. If a definition or a recorded file is broken, writes nothing and throws an InputError: a site without
 * a component would break the builds of its users.
 */
export function buildSite(options: BuildOptions): BuildResult {
  const steps = buildInSteps(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}

/** Builds like `buildSite`. If the signal comes first, throws the reason of the signal and leaves the earlier site. */
export async function buildUnlessStopped(
  options: BuildOptions,
  signal: AbortSignal,
): Promise<BuildResult> {
  const steps = buildInSteps(options);
  for (;;) {
    // A signal of the system arrives only between two turns.
    await setImmediate();
    const { done, value } = signal.aborted ? steps.throw(signal.reason) : steps.next();
    if (done) {
      return value;
    }
  }
}

type Definitions = Settings['definitions'];

/** Pauses before it writes the files of each component. */
function* buildInSteps(options: BuildOptions): Generator<undefined, BuildResult> {
  const { root, out, day } = options;

  // Computed before reading: if an input changes during the build, the site is reported as outdated.
  const inputs = digestInputs(root);
  const settings = readSettings(root, day);
  const site = createContext(settings, options);
  const writer = openSiteWriter(out);

  try {
    const facts = yield* writeComponents(settings.definitions, root, site, writer);
    const { runs, findings: runFindings } = readRunsUntil(root, day);
    const findings = [...settings.findings, ...facts.findings, ...runFindings];
    throwErrors(findings);

    const policies = [...settings.policies.values()];
    findings.push(...writeSiteFiles(writer, site, facts, { policies, runs, inputs }));
    return { ...writer.finish(), components: facts.summaries, findings };
  } finally {
    writer.discard();
  }
}

function createContext(
  { config, access }: Settings,
  { root, day, baseUrl = config.releasesUrl }: BuildOptions,
): SiteContext {
  // An index in the repository of the program has its workflow, too.
  const hasProgram = !isAbsent(join(root.dir, 'src/cli.js'));
  return {
    config,
    access,
    day,
    baseUrl,
    theme: readTheme(root),
    workflow: hasProgram ? 'publish.yml' : undefined,
    hasPastStatements: hasPastStatements(root),
  };
}

/** The facts of all components that the files about the whole index need, and the problems in the files of components. */
type IndexFacts = ReturnType<typeof createFacts>;

function createFacts() {
  return {
    findings: [] as Finding[],
    summaries: [] as ComponentSummary[],
    /** Hours between a release and its run. */
    delays: [] as number[],
    ends: [] as CalendarEvent[],
    changeLog: openChangeLog(),
    /** The component that examples show. The releases of all others are not kept. */
    sample: undefined as Component | undefined,
  };
}

/** Writes the files of one component after the other. A broken component has no files, only findings. */
function* writeComponents(
  definitions: Definitions,
  root: Root,
  site: SiteContext,
  writer: SiteWriter,
): Generator<undefined, IndexFacts> {
  const load = createComponentLoader(root, site.day, definitions);
  const comparedComponents = loadComparedComponents(definitions, load);
  const allParts = openParts('all', writer.add);
  const searchParts = openParts('search', writer.add);
  const facts = createFacts();

  for (const name of definitions.keys()) {
    yield;

    const loaded = load(name);
    facts.findings.push(...loaded.findings);
    if (!loaded.component) {
      continue;
    }

    const component = addStateOn(loaded.component, site.day, site.config.staleAfterDays);
    const contents = renderContents(component, site);
    renderComponentFiles(component, contents, site, comparedComponents).forEach(writer.add);

    const statements = readPastStatements(root, site, contents.details);
    facts.findings.push(...statements.findings);
    statements.files.forEach(writer.add);

    allParts.add(name, contents.releaseFile);
    searchParts.add(name, renderSearchedComponent(contents.details));
    addFacts(facts, component, contents);
  }

  allParts.finish();
  searchParts.finish();
  if (comparedComponents.size > 0) {
    writer.add(renderCompatibilityFile(comparedComponents));
  }
  addFormerComponents(facts, definitions, root, site.day);
  return facts;
}

function addFacts(facts: IndexFacts, component: Component, contents: ComponentContents): void {
  facts.summaries.push(summarise(component));
  facts.delays.push(...listRecordingDelays(component));
  facts.ends.push(...contents.ends);
  facts.changeLog.add(contents.events, contents.changes);
  facts.sample = chooseSample(facts.sample, component);
}

/** Writes the files about the whole index. Returns a warning for each that leaves out entries. `runs`: newest first. */
function writeSiteFiles(
  writer: SiteWriter,
  site: SiteContext,
  { summaries, delays, ends, changeLog, sample }: IndexFacts,
  { policies, runs, inputs }: Pick<SiteInput, 'policies' | 'runs' | 'inputs'>,
): Finding[] {
  const statusStart = findStatusStart(site.day);
  const files = renderSiteFiles(site, {
    summaries,
    sample,
    ...changeLog.newest(),
    policies,
    runs: runs.filter(({ asOf }) => asOf > statusStart),
    firstRun: runs.at(-1),
    delay: summariseDelays(delays),
    inputs,
  });

  files.forEach(writer.add);
  const calendar = renderCalendar('support.ics', site.config.title, ends, site);
  writer.add({ path: 'support.ics', body: calendar });

  const findings: Finding[] = [];
  for (const yearFiles of [renderBuildFiles(runs), changeLog.yearFiles()]) {
    for (const file of yearFiles) {
      writer.add(file);
      findings.push(...file.findings);
    }
  }
  return findings;
}

/**
 * The components on either side of a compatibility statement: each table needs the lines of both. They are loaded here and again for
 * their files, so that few releases are in memory at a time.
 */
function loadComparedComponents(
  definitions: Definitions,
  load: ReturnType<typeof createComponentLoader>,
): ComparedComponents {
  const statements = collectStatedBy(definitions);
  const comparedComponents = new Map<string, ComparedComponent>();

  for (const [name, { value }] of definitions) {
    if (value?.worksWith || statements.has(name)) {
      const { component } = load(name);
      if (component) {
        comparedComponents.set(name, createComparedComponent(component));
      }
    }
  }

  return comparedComponents;
}

/** Changes of components that have left the index stay published. */
function addFormerComponents(
  { changeLog, findings }: IndexFacts,
  definitions: Definitions,
  root: Root,
  day: Day,
): void {
  for (const name of listJournals(root).filter((each) => !definitions.has(each))) {
    const events = readEvents(root, name, day);
    const changes = toPublishedEvents(events.value ?? []);
    changeLog.add(changes, listChangeEntries(changes));
    findings.push(...events.findings);
  }
}
