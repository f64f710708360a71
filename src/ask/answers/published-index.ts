import { toDay, type Day } from '../../core/model/dates.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { Catalogue } from '../../core/query/selection.ts';
import { listSearchRows } from '../../core/query/rows.ts';
import { componentName } from '../../core/schemas/definition/component-name.ts';
import type { SearchedComponent, SearchFile } from '../../core/schemas/published/search-file.ts';
import type {
  PoliciesFile,
  PublishedNamedPolicy,
} from '../../core/schemas/published/policy-scan.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { StatementBundle, ReleaseStatement } from '../../core/schemas/published/statement.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import { formatNumber } from '../../core/text/wording.ts';
import {
  openAnswerIndex,
  readPublishedJson,
  readPublishedText,
  type AnswerIndex,
  type PublishedDocuments,
} from './answer-index.ts';
import { listDetailRows } from './component-on.ts';
import { knowsVersion, listIdentifyingTexts, type ListedVersions } from './find-release.ts';
import { keepLastValue, keepValue } from './memory.ts';
import {
  openYears,
  readPublications,
  type Publications,
  type RecordedYears,
} from './recorded-years.ts';
import { computeFreshnessOn } from './silence.ts';

/** A published index with its states today. Each document is read when it is first needed. */
export interface PublishedIndex extends AnswerIndex {
  /** The facts about the releases of each component, by component name. */
  searched(): Promise<ReadonlyMap<string, SearchedComponent>>;
  /** The components that have a version, or else its line. */
  searchVersion(version: string): Promise<readonly string[]>;
  /** The releases of all components, or of one: then it reads only the document of that component. */
  catalogue(component?: string): Promise<Catalogue>;
  policies(): Promise<readonly PublishedNamedPolicy[]>;
  /** The signed statements about the releases of a component, newest last. */
  statements(component: string): Promise<readonly SignedStatement[]>;
  /** When each run was published. */
  publications(): Promise<Publications>;
  readonly recordedChanges: RecordedYears<PublishedChange>;
  /** The runs that gathered and recorded the index. */
  readonly recordedBuilds: RecordedYears<Run>;
}

interface SignedStatement {
  readonly envelope: StatementBundle['dsseEnvelope'];
  readonly statement: ReleaseStatement;
}

/**
 * Opens an index and keeps what it reads, so the files must not change meanwhile. `maxSearched`: maximum characters of
 * `search.json` and its parts.
 */
export function openIndex(
  documents: PublishedDocuments,
  options: { readonly maxSearched?: number; today?(): Day } = {},
): PublishedIndex {
  const { maxSearched = Infinity, today = () => toDay(new Date()) } = options;
  // A host has little memory: only the catalogue of the last day is kept.
  const readAll = keepLastValue(readCatalogue);
  const answerIndex = openAnswerIndex(documents, today);
  const { status, details } = answerIndex;

  const paths = keepValue(() => readPaths(documents));
  const searched = keepValue(() => readSearched(documents, maxSearched));
  // Kept, since a list may ask for many versions.
  const versions = keepValue(async () => listVersions(await searched()));

  async function readCatalogue(day: Day): Promise<Catalogue> {
    const file = await status();
    return Array.from(await searched(), ([component, facts]) => {
      const freshness = computeFreshnessOn(file, component, day);
      return listSearchRows(facts, day, { component, freshness });
    }).flat();
  }

  async function readComponent(component: string, day: Day): Promise<Catalogue> {
    const document = await details(component);
    // The document of a former name holds the renamed component.
    return document?.component === component
      ? listDetailRows(document, computeFreshnessOn(await status(), component, day))
      : [];
  }

  const recordedBuilds = openYears<Run>(documents, 'builds', paths);

  return {
    ...answerIndex,
    searched,
    searchVersion: async (version) => listOwners(version, await versions()),
    async catalogue(component) {
      const day = await answerIndex.day();
      return component === undefined ? readAll(day) : readComponent(component, day);
    },
    policies: keepValue(async () => {
      const { policies } = await readPublishedJson<PoliciesFile>(documents, 'policies.json');
      return policies;
    }),
    statements: (component) => readStatements(documents, component),
    publications: keepValue(async () =>
      readPublications(recordedBuilds, await documents.publishedAt?.()),
    ),
    recordedChanges: openYears(documents, 'changes', paths),
    recordedBuilds,
  };
}

/** The lines and the releases of each component, by its name. */
function listVersions(
  searched: ReadonlyMap<string, SearchedComponent>,
): Map<string, ListedVersions> {
  return new Map(
    Array.from(searched, ([name, { lines }]) => [
      name,
      { lines, releases: lines.flatMap(({ releases }) => releases) },
    ]),
  );
}

/** The components with a version, or else with its line. `versions`: of each component, by its name. */
function listOwners(
  version: string,
  versions: ReadonlyMap<string, ListedVersions>,
): readonly string[] {
  for (const text of listIdentifyingTexts(version)) {
    const owners = [...versions].filter(([, listed]) => knowsVersion(listed, text));
    if (owners.length > 0) {
      return owners.map(([component]) => component);
    }
  }

  return [];
}

/** The paths in the list of digests. Only the verification of a copy needs the digests. */
async function readPaths(documents: PublishedDocuments): Promise<ReadonlySet<string>> {
  const text = (await documents.read('SHA256SUMS')) ?? '';
  return new Set(Array.from(text.matchAll(/^\w+ [ *](.+)$/gm), ([, path]) => path!));
}

/** Reads `search.json`, then the parts that it names. */
async function readSearched(
  documents: PublishedDocuments,
  maxSearched: number,
): Promise<Map<string, SearchedComponent>> {
  const byName = new Map<string, SearchedComponent>();
  const paths = new Set(['search.json']);
  let length = 0;

  // The loop also goes over the parts that it adds.
  for (const path of paths) {
    const text = await readPublishedText(documents, path);
    length += text.length;
    if (length > maxSearched) {
      const limit = `${formatNumber(Math.round(maxSearched / 2 ** 20))} MiB`;
      throw new QuestionError(
        'too-large',
        `the search data is larger than ${limit}, the limit here`,
      );
    }

    const { components, parts = [] } = JSON.parse(text) as SearchFile;
    for (const [name, component] of Object.entries(components)) {
      byName.set(name, component);
    }
    for (const part of parts) {
      paths.add(part);
    }
  }

  return byName;
}

async function readStatements(
  documents: PublishedDocuments,
  component: string,
): Promise<SignedStatement[]> {
  if (!componentName.test(component)) {
    return [];
  }

  const text = await documents.read(`statements/${component}.ndjson`);
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { dsseEnvelope: envelope } = JSON.parse(line) as StatementBundle;
    const payload = Uint8Array.from(atob(envelope.payload), (letter) => letter.charCodeAt(0));
    return {
      envelope,
      statement: JSON.parse(new TextDecoder().decode(payload)) as ReleaseStatement,
    };
  });
}
