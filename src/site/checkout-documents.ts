import type { PublishedDocuments, RecordedFolder } from '../ask/answers/answer-index.ts';
import type { Day } from '../core/model/dates.ts';
import { listStatementsByComponent } from '../core/model/pair-answers.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import type { ComponentStatus, StatusFile } from '../core/schemas/published/status-file.ts';
import type { Component } from '../decide/component.ts';
import { describeDetails } from '../decide/details.ts';
import { listJournals, listRuns } from '../io/files/journal-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readPolicies, readSiteConfig } from '../io/files/read.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { toPublishedEvents } from '../record/journal/events/published-events.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkComponentNames } from './component-names.ts';
import { digestInputs } from './inputs.ts';
import { addStateOn, loadComponent, readEvents } from './load-component.ts';
import { openChangeLog, renderBuildFiles } from './render/documents/change-log.ts';
import { renderDetailsFile } from './render/documents/component-json.ts';
import { renderWhole } from './render/documents/document-parts.ts';
import { renderSearchedComponent } from './render/documents/search-json.ts';
import {
  summariseComponentStatus,
  describeNames,
  renderPoliciesFile,
} from './render/documents/site-json.ts';
import type { SiteFile } from './render/site-context.ts';

/** A checkout that answers like the site built from it. */
export interface Checkout {
  readonly config: SiteConfig;
  readonly documents: PublishedDocuments;
  /** A component by its name, or by a former one. Throws an `InputError` if its files are invalid. */
  component(name: string): Component | undefined;
}

/**
 * Opens the definitions of a checkout. A document is made when it is read, by the functions that build the site, so a question
 * reads the data of only the components that it needs. `report`: receives the remarks on the files that were read.
 */
export function openCheckout(root: Root, day: Day, report: (finding: Finding) => void): Checkout {
  const reportOrThrow = (findings: readonly Finding[]) => {
    throwErrors(findings);
    findings.forEach(report);
  };

  const { findings, ...settings } = readSettings(root, day);
  reportOrThrow(findings);

  const currentNames = listCurrentNames(settings.definitions);
  const load = openComponents(settings, reportOrThrow);
  const component = (text: string) => {
    const name = currentNames.get(text);
    return name === undefined ? undefined : load(name);
  };
  const recordedFiles = openRecordedFiles(root, day, reportOrThrow);
  const source = { ...settings, load, component, recordedFiles };

  return {
    config: settings.config,
    component,
    documents: {
      read: (path) => Promise.resolve(renderDocument(source, path)),
      status: () => describeStatus(source),
      has: (path) => currentNames.has(findComponent(path)),
      paths: (folder) => recordedFiles(folder).keys(),
    },
  };
}

function readSettings(root: Root, day: Day) {
  const { names, findings } = listComponents(root);
  const config = unwrapResult(readSiteConfig(root));
  const definitions = readDefinitions(root, names);
  const { policies, findings: policyFindings } = readPolicies(root, day);
  findings.push(
    ...Array.from(definitions.values(), (result) => result.findings).flat(),
    ...checkComponentNames(definitions),
    ...policyFindings,
  );

  return { root, day, config, definitions, policies, findings };
}

type Settings = Omit<ReturnType<typeof readSettings>, 'findings'>;

/** Loads components by their present names, each once. */
function openComponents(
  { root, day, config, definitions }: Settings,
  reportOrThrow: (findings: readonly Finding[]) => void,
): (name: string) => Component {
  const statements = listStatementsByComponent(definitions);
  const loaded = new Map<string, Component>();

  return (name) => {
    const existing = loaded.get(name);
    if (existing) {
      return existing;
    }

    const overrides = { definition: definitions.get(name), statedBy: statements.get(name) };
    const result = loadComponent(root, name, day, overrides);
    reportOrThrow(result.findings);
    // Files without an error make a component.
    const component = addStateOn(result.component!, day, config.staleAfterDays);
    loaded.set(name, component);
    return component;
  };
}

/** The name of each component by its name and its former ones. */
function listCurrentNames(definitions: Settings['definitions']): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, { value }] of definitions) {
    for (const each of [...(value?.renamedFrom ?? []), name]) {
      names.set(each, name);
    }
  }
  return names;
}

/** A checkout from which documents are made. */
interface Source extends Settings, Pick<Checkout, 'component'> {
  readonly recordedFiles: RecordedFiles;
  /** A component by its present name. */
  load(name: string): Component;
}

/** The files of a folder by path: each needs all journals, or all runs. */
type RecordedFiles = (folder: RecordedFolder) => ReadonlyMap<string, string>;

function describeStatus({ root, day, config, definitions, load }: Source): StatusFile {
  const components: StatusFile['components'] = {};
  for (const [name, { value }] of definitions) {
    if (value) {
      components[name] = openStatus(value, () => load(name));
    }
  }

  return {
    asOf: day,
    staleAfterDays: config.staleAfterDays,
    components,
    get inputs() {
      return digestInputs(root);
    },
  };
}

function renderDocument(source: Source, path: string): string | undefined {
  const { definitions, policies, load, component, recordedFiles } = source;
  switch (path) {
    case 'policies.json':
      return renderPoliciesFile(policies.values());
    case 'search.json':
      return renderWhole(
        Array.from(definitions.keys(), (name) => [
          name,
          renderSearchedComponent(describeDetails(load(name))),
        ]),
      );
  }

  const [folder] = path.split('/');
  if (folder === 'changes' || folder === 'builds') {
    return recordedFiles(folder).get(path);
  }

  const found = component(findComponent(path));
  return found && renderDetailsFile(describeDetails(found));
}

function openRecordedFiles(
  root: Root,
  day: Day,
  reportOrThrow: (findings: readonly Finding[]) => void,
): RecordedFiles {
  const cache = new Map<RecordedFolder, ReadonlyMap<string, string>>();
  return (folder) => {
    const files = cache.get(folder) ?? (folder === 'changes' ? renderChanges() : renderRuns());
    cache.set(folder, files);
    return files;
  };

  function renderChanges(): Map<string, string> {
    const changeLog = openChangeLog();
    for (const name of listJournals(root)) {
      const { value = [], findings } = readEvents(root, name, day);
      reportOrThrow(findings);
      changeLog.add(toPublishedEvents(value), []);
    }
    return readBodies([...changeLog.yearFiles()]);
  }

  function renderRuns(): Map<string, string> {
    const { runs, findings } = listRuns(root);
    reportOrThrow(findings);
    return readBodies(renderBuildFiles(runs.filter(({ asOf }) => asOf <= day).reverse()));
  }
}

function readBodies(files: readonly SiteFile[]): Map<string, string> {
  return new Map(files.map(({ path, body }) => [path, String(body)]));
}

/** The component of a path in `details/`; empty for another path. */
function findComponent(path: string): string {
  return /^details\/(.+)\.json$/.exec(path)?.[1] ?? '';
}

/** The status of a component. Its names come from the definition, all other values from its data, which is then read. */
function openStatus(definition: Definition, load: () => Component): ComponentStatus {
  const readWhole = () => {
    const { freshness, judgement } = load();
    const { releases, latest } = judgement;
    return summariseComponentStatus({ definition, freshness, releases: releases.length, latest });
  };

  return {
    ...describeNames(definition),
    get state() {
      return readWhole().state;
    },
    get lastChecked() {
      return readWhole().lastChecked;
    },
    get lastChanged() {
      return readWhole().lastChanged;
    },
    get consecutiveFailures() {
      return readWhole().consecutiveFailures;
    },
    get releases() {
      return readWhole().releases;
    },
    get latest() {
      return readWhole().latest;
    },
    get troubles() {
      return readWhole().troubles;
    },
  };
}
