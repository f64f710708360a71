import type { PublishedDocuments, RecordedFolder } from '../ask/answers/answer-index.ts';
import type { Day } from '../core/model/dates.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import type { ComponentStatus, StatusFile } from '../core/schemas/published/status-file.ts';
import type { Component } from '../decide/component.ts';
import { describeDetails } from '../decide/details.ts';
import { listJournals } from '../io/files/recorded-files.ts';
import { readSiteConfig } from '../io/files/settings-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { toPublishedEvents } from '../record/journal/events/published-events.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkComponentNames } from './component-names.ts';
import { digestInputs } from './inputs.ts';
import { addStateOn, openComponents, readEvents, readRunsUntil } from './load-component.ts';
import { ChangeLog, renderBuildFiles } from './render/documents/change-log.ts';
import { renderWhole } from './render/documents/document-parts.ts';
import { renderDetailsFile } from './render/documents/releases-json.ts';
import { renderSearchedComponent } from './render/documents/search-json.ts';
import { renderPoliciesFile } from './render/documents/policies-json.ts';
import { describeNames, summariseComponentStatus } from './render/documents/status-json.ts';

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
  const source = openSource(root, day, report);

  return {
    config: source.config,
    component(text) {
      const name = source.currentNames.get(text);
      return name === undefined ? undefined : source.load(name);
    },
    documents: {
      read: (path) => Promise.resolve(renderDocument(source, path)),
      status: () => openStatusFile(source),
      has: (path) => findDescribed(source, path) !== undefined,
      paths: (folder) => source.renderFolder(folder).keys(),
    },
  };
}

/** The files of a checkout from which documents are made. */
interface Source extends Omit<ReturnType<typeof readDefined>, 'findings'> {
  /** A component by its present name. */
  load(name: string): Component;
  /** Its entry in `status.json`. */
  summarise(name: string): ComponentStatus;
  /** The files of a folder by path: each needs all journals, or all runs. */
  renderFolder(folder: RecordedFolder): ReadonlyMap<string, string>;
}

function openSource(root: Root, day: Day, report: (finding: Finding) => void): Source {
  const { findings: definedFindings, ...defined } = readDefined(root, day);
  rejectErrors(definedFindings);
  const loadComponent = openComponents(root, day, defined.definitions);

  const load = computeOnce((name: string) => {
    const { component, findings } = loadComponent(name);
    rejectErrors(findings);
    // Files without an error make a component.
    return addStateOn(component!, day, defined.config.staleAfterDays);
  });
  const summarise = computeOnce((name: string) => {
    const { judgement, ...component } = load(name);
    const { latest, releases } = judgement;
    return summariseComponentStatus({ ...component, latest, releaseCount: releases.length });
  });
  const renderFolder = computeOnce((folder: RecordedFolder) => {
    const { files, findings } =
      folder === 'changes' ? renderChanges(root, day) : renderRuns(root, day);
    rejectErrors(findings);
    return new Map(files.map(({ path, body }) => [path, String(body)]));
  });
  return { ...defined, load, summarise, renderFolder };

  function rejectErrors(findings: readonly Finding[]): void {
    throwErrors(findings);
    findings.forEach(report);
  }
}

/** A function that computes the value of each key once. */
function computeOnce<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

/** The configuration, the definitions and the policies, and the present name of each component by all of its names. */
function readDefined(root: Root, day: Day) {
  const { names, findings } = listComponents(root);
  const config = unwrapResult(readSiteConfig(root));
  const definitions = readDefinitions(root, names);
  const { policies, findings: policyFindings } = readPolicies(root, day);
  const currentNames = new Map<string, string>();
  for (const [name, definition] of definitions) {
    findings.push(...definition.findings);
    for (const each of [...(definition.value?.renamedFrom ?? []), name]) {
      currentNames.set(each, name);
    }
  }
  findings.push(...checkComponentNames(definitions), ...policyFindings);

  return { root, day, config, definitions, currentNames, policies, findings };
}

function renderChanges(root: Root, day: Day) {
  const changeLog = new ChangeLog();
  const allFindings: Finding[] = [];
  for (const name of listJournals(root)) {
    const { value = [], findings } = readEvents(root, name, day);
    changeLog.add(toPublishedEvents(value), []);
    allFindings.push(...findings);
  }
  return { files: [...changeLog.yearFiles()], findings: allFindings };
}

function renderRuns(root: Root, day: Day) {
  const { runs, findings } = readRunsUntil(root, day);
  return { files: renderBuildFiles(runs), findings };
}

function renderDocument(source: Source, path: string): string | undefined {
  const { definitions, policies, load } = source;
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
    return source.renderFolder(folder).get(path);
  }

  const name = findDescribed(source, path);
  return name === undefined ? undefined : renderDetailsFile(describeDetails(load(name)));
}

/** The present name of the component that `details/<component>.json` describes; undefined for another path. */
function findDescribed({ currentNames }: Source, path: string): string | undefined {
  const [, name] = /^details\/(.+)\.json$/.exec(path) ?? [];
  return name === undefined ? undefined : currentNames.get(name);
}

function openStatusFile({ root, day, config, definitions, summarise }: Source): StatusFile {
  const components: StatusFile['components'] = {};
  for (const [name, { value }] of definitions) {
    if (value) {
      components[name] = openStatus(value, () => summarise(name));
    }
  }

  return {
    asOf: day,
    staleAfterDays: config.staleAfterDays,
    components,
    // It needs all files, and few questions need it.
    get inputs() {
      return digestInputs(root);
    },
  };
}

/** The entry of a component in `status.json`. Reads the data of the component only for values that the definition lacks. */
function openStatus(definition: Definition, summarise: () => ComponentStatus): ComponentStatus {
  return {
    ...describeNames(definition),
    get state() {
      return summarise().state;
    },
    get lastChecked() {
      return summarise().lastChecked;
    },
    get lastChanged() {
      return summarise().lastChanged;
    },
    get consecutiveFailures() {
      return summarise().consecutiveFailures;
    },
    get releases() {
      return summarise().releases;
    },
    get latest() {
      return summarise().latest;
    },
    get troubles() {
      return summarise().troubles;
    },
  };
}
