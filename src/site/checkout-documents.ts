import type { PublishedDocuments, RecordedFolder } from '../ask/answers/answer-index.ts';
import type { Day } from '../core/model/dates.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import { ComponentStatus, type StatusFile } from '../core/schemas/published/status-file.ts';
import { mapByNames } from '../decide/component.ts';
import { describeDetails } from '../decide/details.ts';
import { listJournals } from '../io/files/recorded-files.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import type { Root } from '../io/files/root.ts';
import { toPublishedEvents } from '../decide/event-words.ts';
import { digestInputs } from './inputs.ts';
import { addStateOn, createComponentLoader, readEvents, readRunsUntil } from './load-component.ts';
import { openChangeLog, renderBuildFiles } from './render/documents/change-log.ts';
import { renderWhole } from './render/documents/document-parts.ts';
import { renderDetailsFile } from './render/documents/releases-json.ts';
import { renderSearchedComponent } from './render/documents/search-json.ts';
import { renderPoliciesFile } from './render/documents/policies-json.ts';
import { readAllDefinitions } from './site-settings.ts';
import { collectNames, summariseComponentStatus } from './render/documents/status-json.ts';

/** A checkout that answers like the site built from it. */
export type Checkout = ReturnType<typeof openCheckout>;

/**
 * Opens the definitions of a checkout. A document is made when it is read, by the functions that build the site, so a question
 * reads the data of only the components that it needs. `report`: receives the findings that are no errors.
 */
export function openCheckout(root: Root, day: Day, report: (finding: Finding) => void) {
  const files = openFiles(root, day, report);
  const documents: PublishedDocuments = {
    read: async (path) => renderDocument(files, path),
    status: () => openStatusFile(files),
    paths: (folder) => files.renderFolder(folder).keys(),
  };

  return { documents, component: files.find };
}

type CheckoutFiles = ReturnType<typeof openFiles>;

/** The files of a checkout from which documents are made. The data of a component, all journals and all runs are read when needed. */
function openFiles(root: Root, day: Day, report: (finding: Finding) => void) {
  const rejectErrors = (allFindings: readonly Finding[]) => {
    throwErrors(allFindings);
    allFindings.forEach(report);
  };

  const config = requireSiteConfig(root);
  const { definitions, findings } = readAllDefinitions(root);
  const { policies, findings: policyFindings } = readPolicies(root, day);
  const definitionFindings = [...definitions.values()].flatMap((each) => each.findings);
  rejectErrors([...findings, ...definitionFindings, ...policyFindings]);

  const loadComponent = createComponentLoader(root, day, definitions);
  const load = computeOnce((name: string) => {
    const { component, findings: componentFindings } = loadComponent(name);
    rejectErrors(componentFindings);
    // Files without an error make a component.
    return addStateOn(component!, day, config.staleAfterDays);
  });

  const summarise = computeOnce((name: string) => {
    const { judgement, ...component } = load(name);
    const { latest, releases } = judgement;
    return summariseComponentStatus({ ...component, latest, releaseCount: releases.length });
  });

  const renderFolder = computeOnce((folder: RecordedFolder) => {
    const { files, findings: readFindings } =
      folder === 'changes' ? renderChanges(root, day) : renderRuns(root, day);
    rejectErrors([...readFindings, ...files.flatMap((file) => file.findings)]);
    return new Map(files.map(({ path, body }) => [path, String(body)]));
  });

  // Files without an error have a value.
  const components = Array.from(definitions, ([name, { value }]) => ({ name, definition: value! }));
  const byName = mapByNames(components);
  /** A component by its name, or by a former one. Throws an `InputError` if its files are invalid. */
  const find = (text: string) => {
    const component = byName.get(text);
    return component && load(component.name);
  };
  return { root, day, config, components, find, policies, load, summarise, renderFolder };
}

/** A function that computes the value of each key once, unless it is undefined. */
function computeOnce<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
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
  const { runs, findings } = readRunsUntil(root, day);
  return { files: renderBuildFiles(runs), findings };
}

function renderDocument(files: CheckoutFiles, path: string): string | undefined {
  const { components, policies, load } = files;
  if (path === 'policies.json') {
    return renderPoliciesFile(policies.values());
  }
  if (path === 'search.json') {
    return renderWhole(
      components.map(({ name }) => [name, renderSearchedComponent(describeDetails(load(name)))]),
    );
  }

  const [folder] = path.split('/');
  if (folder === 'changes' || folder === 'builds') {
    return files.renderFolder(folder).get(path);
  }

  const [, name = ''] = /^details\/(.+)\.json$/.exec(path) ?? [];
  const component = files.find(name);
  return component && renderDetailsFile(describeDetails(component));
}

function openStatusFile({ root, day, config, components, summarise }: CheckoutFiles): StatusFile {
  const entries = components.map(({ name, definition }) => [
    name,
    openStatus(definition, () => summarise(name)),
  ]);

  return {
    asOf: day,
    staleAfterDays: config.staleAfterDays,
    components: Object.fromEntries(entries),
    // It needs all files, and few questions need it.
    get inputs() {
      return digestInputs(root);
    },
  };
}

/** The entry of a component in `status.json`. Reads the data of the component only for values that the definition lacks. */
function openStatus(definition: Definition, summarise: () => ComponentStatus): ComponentStatus {
  const status = collectNames(definition);
  for (const key of ComponentStatus.keyof().options) {
    if (!(key in status)) {
      Object.defineProperty(status, key, { enumerable: true, get: () => summarise()[key] });
    }
  }
  return status as ComponentStatus;
}
