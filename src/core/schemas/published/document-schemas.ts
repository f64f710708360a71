import type * as z from 'zod';
import {
  FoundBuilds,
  FoundComponent,
  FoundComponents,
  FoundReleases,
  ProblemDetails,
  VersionAnswer,
} from './answer-schemas.ts';
import { ChangesFile, ChangesYearFile } from './changes-file.ts';
import { CompatibilityFile } from './compatibility-file.ts';
import { DetailsFile } from './details-file.ts';
import { Plan } from './plan-answer.ts';
import { PoliciesFile, PolicyScans } from './policy-scan.ts';
import { AllFile, BadgeFile, IndexFile, ReleaseFile, SupportedFile } from './release-documents.ts';
import { SearchFile } from './search-file.ts';
import { Envelopes } from './statement.ts';
import { BuildsFile, StatusFile } from './status-file.ts';

/**
 * The schemas of files and of answers, by name. All are in `openapi.json`, those of files also in `schema/documents.json`. A title
 * states the purpose and, for an answer, its path; the path of a file is in `paths.ts`. An answer of a single endpoint may have its
 * schema there instead.
 */
export const namedSchemas = {
  component: { schema: ReleaseFile, title: 'Releases of a component' },
  index: { schema: IndexFile, title: 'Names of all components' },
  all: { schema: AllFile, title: 'Releases of all components' },
  search: { schema: SearchFile, title: 'Every release with the fields of queries' },
  details: {
    schema: DetailsFile,
    title: 'Everything known about a component',
  },
  status: { schema: StatusFile, title: 'Freshness of the index' },
  changes: { schema: ChangesFile, title: 'The changes of the index' },
  'changes-year': {
    schema: ChangesYearFile,
    title: 'Everything that changed in a year',
  },
  builds: { schema: BuildsFile, title: 'The runs of the index in a year' },
  compatibility: {
    schema: CompatibilityFile,
    title: 'Which versions of components work together',
  },
  policies: { schema: PoliciesFile, title: 'The policies that a scan can check' },
  supported: {
    schema: SupportedFile,
    title: 'Supported versions of a component',
  },
  badge: { schema: BadgeFile, title: 'Badge of a component' },
  // Not files: the results of scans, and answers of a host with a Worker.
  'policy-scans': {
    schema: PolicyScans,
    title: 'The results of policies, as in release-index scan --json',
  },
  'found-releases': {
    schema: FoundReleases,
    title: 'Releases that a query selects: /api/releases',
  },
  'found-builds': {
    schema: FoundBuilds,
    title: 'Runs of the index that a query selects: /api/builds',
  },
  'found-components': { schema: FoundComponents, title: 'Components: /api/components' },
  'found-component': { schema: FoundComponent, title: 'A component: /api/components/<component>' },
  'version-answer': {
    schema: VersionAnswer,
    title: 'The verdict on a version: /api/components/<component>/releases/<version>',
  },
  plan: { schema: Plan, title: 'A plan for a list of versions: /api/plan' },
  envelopes: {
    schema: Envelopes,
    title: 'Signed statements about a release: /packages/…/attestations/site/<id>',
  },
  problem: { schema: ProblemDetails, title: 'Answer to a request that cannot be answered' },
} satisfies Record<string, { schema: z.ZodType; title: string }>;

export type SchemaName = keyof typeof namedSchemas;
