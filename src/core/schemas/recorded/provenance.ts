import * as z from 'zod';
import { HttpsUrl } from '../definition/links.ts';
import { PublishedTimestamp, SourceId } from '../scalars.ts';

/** The build of a release, as the certificate and the statement of a verified attestation describe it. */
export const Provenance = z.strictObject({
  source: SourceId.describe('The source that attests it.'),
  builder: HttpsUrl.describe('The workflow that built it, with its branch or tag.'),
  run: HttpsUrl.optional().describe('The run of that workflow.'),
  repository: HttpsUrl.describe('The repository that it was built from.'),
  ref: z
    .string()
    .max(500)
    .regex(/^refs\/[!-~]+$/, { error: 'expected a ref such as refs/tags/v1.0' })
    .optional()
    .describe('The tag or branch that it was built from; absent where the certificate names none.'),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, { error: 'expected a commit' })
    .optional()
    .describe('The commit that it was built from.'),
  startedOn: PublishedTimestamp.optional().describe('When the build started.'),
  finishedOn: PublishedTimestamp.optional().describe('When the build finished.'),
  predicateType: HttpsUrl.describe(
    'The kind of attestation, such as https://slsa.dev/provenance/v1.',
  ),
});
export type Provenance = z.infer<typeof Provenance>;

const refKinds: Readonly<Record<string, string>> = {
  heads: 'branch',
  tags: 'tag',
  pull: 'pull request',
  'merge-requests': 'pull request',
};

/**
 * The kind of ref that a release was built from: anybody may open a pull request. A certificate may name only the ref of the
 * workflow, which may belong to another repository. Undefined where unknown.
 */
export function refKindOf(
  provenance: Pick<Provenance, 'ref' | 'builder' | 'repository'>,
): string | undefined {
  const { builder, repository } = provenance;
  const ofBuilder = builder.startsWith(`${repository}/`)
    ? builder.slice(builder.indexOf('@') + 1)
    : '';
  const [, kind = ''] = /^refs\/([^/]+)\//.exec(provenance.ref ?? ofBuilder) ?? [];

  return refKinds[kind];
}

/** Types of attestations that state a build, the most detailed first. */
export const provenanceTypes = [
  'https://slsa.dev/provenance/v1',
  'https://slsa.dev/provenance/v0.2',
] as const;
