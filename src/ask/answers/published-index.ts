import type { Day } from '../../core/model/dates.ts';
import { componentName } from '../../core/schemas/definition/component-name.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { PoliciesFile } from '../../core/schemas/published/policy-scan.ts';
import type { StatementBundle, ReleaseStatement } from '../../core/schemas/published/statement.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import { readPublications } from '../history/run-publications.ts';
import { openYears, readPaths } from '../history/recorded-years.ts';
import { openSearch, type SearchableIndex } from '../search/open-search.ts';
import { openAnswerIndex, readPublishedJson, type PublishedDocuments } from './answer-index.ts';
import { keepValue } from './memory.ts';

/** A published index with its states today. Each document is read when it is first needed. */
export interface PublishedIndex extends SearchableIndex, ReturnType<typeof openHistory> {
  policies(): Promise<PoliciesFile['policies']>;
  /** The signed statements about the releases of a component, newest last. */
  statements(component: string): ReturnType<typeof readStatements>;
}

/**
 * Opens an index and keeps most of what it reads, so the files must not change meanwhile. `maxSearched`: maximum characters of
 * `search.json` and its parts.
 */
export function openIndex(
  documents: PublishedDocuments,
  { maxSearched, today }: { readonly maxSearched?: number; today?(): Day } = {},
): PublishedIndex {
  const answerIndex = openAnswerIndex(documents, today);

  return {
    ...answerIndex,
    ...openSearch(documents, answerIndex, maxSearched),
    ...openHistory(documents),
    policies: keepValue(async () => {
      const { policies } = await readPublishedJson<PoliciesFile>(documents, 'policies.json');
      return policies;
    }),
    statements: (component) => readStatements(documents, component),
  };
}

/** Opens the changes that an index recorded, and the runs that gathered and recorded it. */
function openHistory(documents: PublishedDocuments) {
  const paths = keepValue(() => readPaths(documents));
  const recordedBuilds = openYears<Run>(documents, 'builds', paths);
  return {
    recordedChanges: openYears<PublishedChange>(documents, 'changes', paths),
    recordedBuilds,
    /** When each run was published. */
    publications: keepValue(async () =>
      readPublications(recordedBuilds, await documents.publishedAt?.()),
    ),
  };
}

async function readStatements(documents: PublishedDocuments, component: string) {
  if (!componentName.test(component)) {
    return [];
  }

  const text = await documents.read(`statements/${component}.ndjson`);
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { dsseEnvelope: envelope } = JSON.parse(line) as StatementBundle;
    const payload = Buffer.from(envelope.payload, 'base64').toString();
    return { envelope, statement: JSON.parse(payload) as ReleaseStatement };
  });
}
