import { bundleFromJSON, isBundleWithDsseEnvelope } from '@sigstore/bundle';
import { ASN1Obj } from '@sigstore/core';
import type { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier, type Signer } from '@sigstore/verify';
import { z } from 'zod';
import { algorithmOf } from '../../core/model/digest.ts';
import { describeProblems, show } from '../../core/schemas/problems.ts';
import { Provenance, provenanceTypes, refKindOf } from '../../core/schemas/recorded/provenance.ts';
import { defined, lowerAscii, quote, startOf } from '../../core/text/text.ts';
import { parseTimestamp } from '../../core/model/timestamps.ts';

type PredicateType = (typeof provenanceTypes)[number];

const Uri = z.object({ uri: z.string().optional() }).nullish().catch(undefined);
const Uris = z.array(Uri).nullish().catch(undefined);
const Time = z.string().optional().catch(undefined);

/** github.com/in-toto/attestation, spec/v1; its subjects and type are as in version 0.1. */
const InTotoStatement = z.object({
  predicateType: z.string(),
  subject: z.array(
    z.object({ name: z.string().optional(), digest: z.record(z.string(), z.string()) }),
  ),
  predicate: z.unknown(),
});

/** The facts in a predicate of any version. */
interface AttestedBuild {
  repositories: (string | null | undefined)[];
  builder: string;
  startedOn?: string | undefined;
  finishedOn?: string | undefined;
}

/** slsa.dev/spec/v1.0/provenance, and `workflow` of slsa-framework.github.io/github-actions-buildtypes. */
const Slsa1 = z
  .object({
    buildDefinition: z.object({
      externalParameters: z
        .object({ workflow: z.object({ repository: z.string() }).optional(), source: Uri })
        .catch({}),
      resolvedDependencies: Uris,
    }),
    runDetails: z.object({
      builder: z.object({ id: z.string() }),
      metadata: z.object({ startedOn: Time, finishedOn: Time }).nullish(),
    }),
  })
  .transform(
    ({
      buildDefinition: { externalParameters, resolvedDependencies },
      runDetails,
    }): AttestedBuild => {
      const { workflow, source } = externalParameters;
      const dependencies = resolvedDependencies?.map((one) => one?.uri) ?? [];

      return {
        repositories: [workflow?.repository, source?.uri, ...dependencies],
        builder: runDetails.builder.id,
        ...runDetails.metadata,
      };
    },
  );

/** slsa.dev/spec/v0.2/provenance */
const Slsa02 = z
  .object({
    builder: z.object({ id: z.string() }),
    invocation: z.object({ configSource: Uri }).nullish(),
    materials: Uris,
    metadata: z.object({ buildStartedOn: Time, buildFinishedOn: Time }).nullish(),
  })
  .transform(({ builder, invocation, materials, metadata }): AttestedBuild => ({
    repositories: [invocation?.configSource?.uri, ...(materials?.map((one) => one?.uri) ?? [])],
    builder: builder.id,
    startedOn: metadata?.buildStartedOn,
    finishedOn: metadata?.buildFinishedOn,
  }));

const predicates: Readonly<Record<PredicateType, z.ZodType<AttestedBuild>>> = {
  'https://slsa.dev/provenance/v1': Slsa1,
  'https://slsa.dev/provenance/v0.2': Slsa02,
};

/** github.com/sigstore/fulcio, docs/oid-info.md */
const extensions = {
  builder: '1.3.6.1.4.1.57264.1.9',
  issuer: '1.3.6.1.4.1.57264.1.8',
  repository: '1.3.6.1.4.1.57264.1.12',
  commit: '1.3.6.1.4.1.57264.1.13',
  ref: '1.3.6.1.4.1.57264.1.14',
  run: '1.3.6.1.4.1.57264.1.21',
} as const;

/** The issuers for the builds of a host; any other host must issue its own certificates. */
const issuers: Readonly<Record<string, string>> = {
  'github.com': 'https://token.actions.githubusercontent.com',
  'gitlab.com': 'https://gitlab.com',
};

/** Why a bundle is rejected, as "expected …; got …". */
class Refusal extends Error {}

export interface Verified {
  provenance?: Omit<Provenance, 'source'>;
  /** Why the bundles were rejected, if none was accepted. */
  refused?: string;
}

/**
 * Returns the build that bundles attest for an artifact with these digests. A bundle is accepted if its signature, certificate and
 * log entry verify offline, it is about the artifact, and it names its certificate's repository and builder. Other kinds of
 * attestations are ignored.
 */
export function verifierBy(
  root: TrustedRoot,
): (bundles: readonly unknown[], digests: string) => Verified {
  const verifier = new Verifier(toTrustMaterial(root));
  const types: readonly string[] = provenanceTypes;

  return (bundles, digests) => {
    const refusals: string[] = [];
    const provenances: Omit<Provenance, 'source'>[] = [];

    for (const bundle of bundles) {
      try {
        const provenance = provenanceIn(bundle, digests, verifier);
        if (provenance) {
          provenances.push(provenance);
        }
      } catch (error) {
        refusals.push(whyRefused(error));
      }
    }

    provenances.sort((a, b) => types.indexOf(a.predicateType) - types.indexOf(b.predicateType));

    return defined({
      provenance: provenances[0],
      refused: provenances.length > 0 ? undefined : refusals[0],
    });
  };
}

/** Undefined if the statement is not about a build. */
function provenanceIn(
  json: unknown,
  digests: string,
  verifier: Verifier,
): Omit<Provenance, 'source'> | undefined {
  const bundle = bundleFromJSON(json);
  if (!isBundleWithDsseEnvelope(bundle)) {
    throw new Refusal('expected a signed statement; got a signed message');
  }

  const { payload } = bundle.content.dsseEnvelope;
  const statement = read(InTotoStatement, JSON.parse(payload.toString('utf8')));
  const type = provenanceTypes.find((supported) => supported === statement.predicateType);
  if (type === undefined) {
    return undefined;
  }

  const { issuer, ...certified } = readCertificate(verifier.verify(toSignedEntity(bundle)));

  expectIssuer(issuer, certified.repository);
  expectSubject(statement, digests);

  const predicate = read(predicates[type], statement.predicate);

  expectRepository(predicate.repositories, certified.repository);
  expectBuilder(predicate.builder, certified);

  const provenance = defined({
    ...certified,
    startedOn: predicate.startedOn && parseTimestamp(predicate.startedOn),
    finishedOn: predicate.finishedOn && parseTimestamp(predicate.finishedOn),
    predicateType: type,
  });

  const origin = read(Provenance.omit({ source: true }), provenance);

  if (refKindOf(origin) === 'pull request') {
    throw new Refusal(
      `expected a build of a tag or a branch; got one of ${quote(origin.ref ?? origin.builder)}`,
    );
  }

  return origin;
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    return parsed.data;
  }

  throw new Refusal(describeProblems(value, schema)[0]);
}

type Certified = { [Name in keyof typeof extensions]: string | undefined } & { repository: string };

function readCertificate({ identity }: Signer): Certified {
  const values = Object.entries(extensions).map(([name, oid]) => {
    const extension = identity?.oids?.find(({ oid: { id } = { id: [] } }) => id.join('.') === oid);
    return [
      name,
      extension && ASN1Obj.parseBuffer(Buffer.from(extension.value)).value.toString('utf8'),
    ];
  });

  const certified = Object.fromEntries(values) as Certified;
  if (certified.repository) {
    return certified;
  }

  const whose = identity?.subjectAlternativeName;

  throw new Refusal(
    `expected the certificate of a build; got that of ${whose ? quote(whose) : 'nobody'}`,
  );
}

/** SHA-1 does not suffice: two files can share a digest. */
function expectSubject({ subject }: z.infer<typeof InTotoStatement>, digests: string): void {
  const recorded = digests.split(' ').filter((digest) => algorithmOf(digest) !== 'sha1');
  const subjectDigests = subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, hex]) => `${algorithm}:${hex}`),
  );
  if (recorded.some((digest) => subjectDigests.includes(digest))) {
    return;
  }

  const about = subject[0]?.name;

  throw new Refusal(
    `expected a statement on ${recorded.at(-1) ?? 'a digest stronger than SHA-1'}; got one on ${subjectDigests[0] ?? 'nothing'}${about ? ` (${about})` : ''}`,
  );
}

/** Any issuer could name any repository, so the issuer must belong to the repository's host. */
function expectIssuer(issuer: string | undefined, repository: string): void {
  const host = URL.parse(repository)?.host ?? '';
  const expected = issuers[host] ?? `https://${host}`;
  const isOwn = issuers[host] === undefined && URL.parse(issuer ?? '')?.host === host;
  if (issuer === expected || isOwn) {
    return;
  }

  throw new Refusal(
    `expected a certificate by the issuer of its host, ${quote(expected)}; got ${show(issuer)}`,
  );
}

function expectRepository(
  repositories: readonly (string | null | undefined)[],
  expected: string,
): void {
  const named = repositories.filter((text) => typeof text === 'string').map(repositoryIn);
  if (named.includes(repositoryIn(expected))) {
    return;
  }

  const got = named[0] === undefined ? 'none' : quote(named[0]);

  throw new Refusal(`expected the repository of its certificate, ${quote(expected)}; got ${got}`);
}

/** `https://host/owner/repo` for `git+https://host/owner/repo.git@refs/heads/main`. */
function repositoryIn(text: string): string {
  return lowerAscii(startOf(text))
    .replace(/^git\+/, '')
    .replace(/(?<=\w\/[^@]*)@.*$/, '')
    .replace(/(?:\.git)?\/?$/, '');
}

/** A statement names its certificate's workflow, or the machine that ran it, at the repository's host. */
function expectBuilder(
  builderId: string,
  { builder, repository }: Omit<Certified, 'issuer'>,
): void {
  if (builderId === builder) {
    return;
  }

  const isWorkflow = builderId.includes('/.github/workflows/');
  if (!isWorkflow && URL.parse(builderId)?.host === URL.parse(repository)?.host) {
    return;
  }

  throw new Refusal(
    `expected the builder of its certificate, ${show(builder)}; got ${quote(builderId)}`,
  );
}

/** Libraries wrap the reason for an invalid certificate. */
function whyRefused(error: unknown): string {
  if (error instanceof Refusal) {
    return error.message;
  }

  let cause = error;

  while (cause instanceof Error && cause.cause instanceof Error) {
    cause = cause.cause;
  }

  return `expected a bundle that verifies; got one where ${quote(cause instanceof Error ? cause.message : String(cause))}`;
}
