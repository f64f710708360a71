import type { TrustedRoot } from '@sigstore/protobuf-specs';
import type { Report } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { listingSources, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { counted, defined } from '../../core/text/text.ts';
import { lookUpItems } from '../sources/shared/look-up.ts';
import { byRankOf, rankOf } from './recorded-release.ts';
import type { StatedRelease } from '../sources/datasource.ts';

/** For a source's first answer, fetch those of this many of its greatest versions: enough to compare later versions with. */
const firstAsked = 10;

interface AttestationContext {
  /** The name of the source in recorded data. */
  id: string;
  recorded: readonly RecordedRelease[];
  freshness: SourceFreshness | undefined;
}

/** Adds the attestations of new releases. Requests each once; the next run repeats failed requests. */
export async function fetchAttestations(
  releases: readonly StatedRelease[],
  { id, recorded, freshness }: AttestationContext,
  report: Report,
): Promise<StatedRelease[]> {
  // Versions with failed requests in an earlier run.
  const { pending = [] } = freshness ?? {};
  const byRank = byRankOf(recorded);
  const isFirst = !recorded.some((entry) => listingSources(entry).includes(id));

  const wanted = releases.filter((release) => {
    const entry = byRank.get(rankOf(release));
    const isKnown = entry !== undefined && listingSources(entry).includes(id);

    return (
      release.attestation && (!isKnown || (pending.includes(release.version) && !entry.provenance))
    );
  });

  const unread = new Map<StatedRelease, string>();

  const fetched = await lookUpItems(
    isFirst ? wanted.slice(-firstAsked) : wanted,
    async ({ attestation }) => (await attestation?.fetch()) ?? [],
    (release, error) => unread.set(release, error instanceof Error ? error.message : String(error)),
  );

  const [first] = unread;
  if (first) {
    const versions = unread.size === 1 ? first[0].version : counted(unread.size, 'version');
    report(
      `the attestation of ${versions} could not be read (${first[1]}). The next run asks again.`,
    );
  }

  return releases.map((release) => {
    const { attestation, ...withoutAttestation } = release;
    const bundles = fetched.get(release) ?? [];
    const attested =
      attestation && bundles.length > 0 ? { artifact: attestation.artifact, bundles } : undefined;

    return defined({ ...withoutAttestation, attested, unreadAttestation: unread.get(release) });
  });
}

/** Replaces the attestations of releases with the builds of those that verify. */
export async function verifyAttestations(
  releases: readonly StatedRelease[],
  id: string,
  trustedRoot: TrustedRoot,
  report: Report,
): Promise<StatedRelease[]> {
  if (releases.every(({ attested }) => attested === undefined)) {
    return [...releases];
  }

  // Sigstore's libraries load slowly, and most runs do not need them.
  const { verifierBy } = await import('./verify-attestation.ts');
  const verify = verifierBy(trustedRoot);

  return releases.map(({ attested, ...release }) => {
    if (!attested) {
      return release;
    }

    const { artifact, bundles } = attested;
    const { provenance, refused } = verify(bundles, release.digests?.[artifact] ?? '');
    if (refused !== undefined) {
      const subject = `${release.version}: attestation of ${artifact}: ${refused}`;
      report(`${subject}. Left it out; the release is recorded without provenance.`, 'attestation');
    }

    return defined({ ...release, provenance: provenance && { source: id, ...provenance } });
  });
}
