import type { PublishedDocuments, RecordedFolder } from '../ask/answers/answer-index.ts';
import { cutDay, type Day } from '../core/model/dates.ts';
import { listStatementsByComponent } from '../core/model/pair-answers.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { InputError, isError, type Finding } from '../core/schemas/finding.ts';
import type { ComponentStatus, StatusFile } from '../core/schemas/published/status-file.ts';
import type { Component } from '../decide/component.ts';
import { describeDetails } from '../decide/details.ts';
import { listJournals, listRuns, readJournal } from '../io/files/journal-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readPolicies, readSiteConfig } from '../io/files/read.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { toPublishedEvents } from '../record/journal/events/published-events.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkComponentNames } from './component-names.ts';
import { digestInputs } from './inputs.ts';
import { loadComponent, addStateOn } from './load-component.ts';
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
  const { names, findings } = listComponents(root);
  const config = unwrapResult(readSiteConfig(root));
  const results = readDefinitions(root, names);
  const { policies, findings: policyFindings } = readPolicies(root, day);

  const reportOrThrow = (findings: readonly Finding[]) => {
    if (findings.some(isError)) {
      throw new InputError(findings);
    }

    findings.forEach(report);
  };

  findings.push(
    ...Array.from(results.values(), (result) => result.findings).flat(),
    ...checkComponentNames(results),
    ...policyFindings,
  );
  reportOrThrow(findings);

  const definitions = new Map(Array.from(results, ([name, { value }]) => [name, value!] as const));
  const formerNames = listFormerNames(definitions);
  const statements = listStatementsByComponent(results);
  const cache = new Map<string, Component>();

  const component = (text: string) => {
    const name = formerNames.get(text) ?? text;
    const definition = results.get(name);
    if (!definition || cache.has(name)) {
      return cache.get(name);
    }

    const statedBy = statements.get(name);
    const result = loadComponent(root, name, day, { definition, statedBy });
    reportOrThrow(result.findings);
    cache.set(name, addStateOn(result.component!, day, config.staleAfterDays));

    return cache.get(name);
  };

  const recordedFiles = openRecordedFiles(root, day, reportOrThrow);
  const source = { root, day, config, definitions, policies, component, recordedFiles };

  return {
    config,
    component,
    documents: {
      read: (path) => Promise.resolve(renderDocument(source, path)),
      status: () => describeStatus(source),
      has: (path) => {
        const name = findComponent(path);
        return name !== undefined && (definitions.has(name) || formerNames.has(name));
      },
      paths: (folder) => recordedFiles(folder).keys(),
    },
  };
}

/** A checkout from which documents are made. */
interface Source extends Pick<Checkout, 'config' | 'component'> {
  readonly root: Root;
  readonly day: Day;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly policies: ReturnType<typeof readPolicies>['policies'];
  readonly recordedFiles: RecordedFiles;
}

/** The files of a folder by path: each needs all journals, or all runs. */
type RecordedFiles = (folder: RecordedFolder) => ReadonlyMap<string, string>;

function describeStatus({ root, day, config, definitions, component }: Source): StatusFile {
  const components = Array.from(definitions, ([name, definition]) => [
    name,
    openStatus(definition, () => component(name)!),
  ]);

  return {
    asOf: day,
    staleAfterDays: config.staleAfterDays,
    components: Object.fromEntries(components) as StatusFile['components'],
    get inputs() {
      return digestInputs(root);
    },
  };
}

function renderDocument(source: Source, path: string): string | undefined {
  const { definitions, policies, component, recordedFiles } = source;

  switch (path) {
    case 'policies.json':
      return renderPoliciesFile(policies.values());
    case 'search.json':
      return renderWhole(
        Array.from(definitions.keys(), (name) => [
          name,
          renderSearchedComponent(describeDetails(component(name)!)),
        ]),
      );
  }

  const [folder] = path.split('/');
  switch (folder) {
    case 'changes':
    case 'builds':
      return recordedFiles(folder).get(path);
    default: {
      const name = findComponent(path);
      const result = name === undefined ? undefined : component(name);
      return result && renderDetailsFile(describeDetails(result));
    }
  }
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
      const { value, findings } = readJournal(root, name);
      const events = value?.values.filter(({ at }) => cutDay(at) <= day) ?? [];
      reportOrThrow(findings);
      changeLog.add(toPublishedEvents(events), []);
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

/** The component of a path in `details/`. */
function findComponent(path: string): string | undefined {
  return /^details\/(.+)\.json$/.exec(path)?.[1];
}

function listFormerNames(
  definitions: ReadonlyMap<string, Definition>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, { renamedFrom = [] }] of definitions) {
    for (const oldName of renamedFrom) {
      names.set(oldName, name);
    }
  }
  return names;
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
