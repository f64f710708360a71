import type { PublishedDocuments, RecordedFolder } from '../ask/answers/answer-index.ts';
import type { Day } from '../core/model/dates.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import type { ComponentStatus, StatusFile } from '../core/schemas/published/status-file.ts';
import type { Component } from '../decide/component.ts';
import { describeDetails } from '../decide/details.ts';
import { listJournals, listRuns } from '../io/files/journal-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { toPublishedEvents } from '../record/journal/events/published-events.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkComponentNames } from './component-names.ts';
import { digestInputs } from './inputs.ts';
import { addStateOn, openComponents, readEvents } from './load-component.ts';
import { openChangeLog, renderBuildFiles } from './render/documents/change-log.ts';
import {
  renderDetailsFile,
  renderWhole,
  renderSearchedComponent,
} from './render/documents/releases-json.ts';
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
  const source = openSource(root, day, (findings) => {
    throwErrors(findings);
    findings.forEach(report);
  });

  return {
    config: source.config,
    component(text) {
      const name = source.currentNames.get(text);
      return name === undefined ? undefined : source.load(name);
    },
    documents: {
      read: (path) => Promise.resolve(renderDocument(source, path)),
      status: () => describeStatus(source),
      has: (path) => findDescribed(source, path) !== undefined,
      paths: (folder) => source.renderFolder(folder).keys(),
    },
  };
}

/** The files of a checkout from which documents are made. */
interface Source extends Omit<ReturnType<typeof readDefined>, 'findings'> {
  /** A component by its present name. */
  load(name: string): Component;
  /** The files of a folder by path: each needs all journals, or all runs. */
  renderFolder(folder: RecordedFolder): ReadonlyMap<string, string>;
}

/** `report`: throws if there is an error among the findings. */
function openSource(root: Root, day: Day, report: (findings: readonly Finding[]) => void): Source {
  const { findings: allFindings, ...defined } = readDefined(root, day);
  report(allFindings);
  const loadComponent = openComponents(root, day, defined.definitions);

  return {
    ...defined,
    load: computeOnce((name) => {
      const { component, findings } = loadComponent(name);
      report(findings);
      // Files without an error make a component.
      return addStateOn(component!, day, defined.config.staleAfterDays);
    }),
    renderFolder: computeOnce((folder) => {
      const { files, findings } =
        folder === 'changes' ? renderChanges(root, day) : renderRuns(root, day);
      report(findings);
      return new Map(files.map(({ path, body }) => [path, String(body)]));
    }),
  };
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
  const changeLog = openChangeLog();
  const allFindings: Finding[] = [];
  for (const name of listJournals(root)) {
    const { value = [], findings } = readEvents(root, name, day);
    changeLog.add(toPublishedEvents(value), []);
    allFindings.push(...findings);
  }
  return { files: [...changeLog.yearFiles()], findings: allFindings };
}

function renderRuns(root: Root, day: Day) {
  const { runs, findings } = listRuns(root);
  const newestFirst = runs.filter(({ asOf }) => asOf <= day).reverse();
  return { files: renderBuildFiles(newestFirst), findings };
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
    // It needs all files, and few questions need it.
    get inputs() {
      return digestInputs(root);
    },
  };
}

/** The keys of a status that come from the data of a component. All others come from its definition. */
const dataKeys = [
  'state',
  'lastChecked',
  'lastChanged',
  'consecutiveFailures',
  'releases',
  'latest',
  'troubles',
] as const satisfies (keyof ComponentStatus)[];

/** The status of a component, whose data are read when one of these keys is. */
function openStatus(definition: Definition, load: () => Component): ComponentStatus {
  const getters: PropertyDescriptorMap = {};
  for (const key of dataKeys) {
    const get = () => {
      const { freshness, judgement } = load();
      const releases = judgement.releases.length;
      return summariseComponentStatus({ ...judgement, definition, freshness, releases })[key];
    };
    getters[key] = { get, enumerable: true };
  }

  // Together, the names and the data are all keys of a status.
  return Object.defineProperties(describeNames(definition), getters) as ComponentStatus;
}
