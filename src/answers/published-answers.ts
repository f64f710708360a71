import type { DetailsFile } from '../model/published/details-file.ts';
import type { PublishedReleases } from './published-index.ts';
import { answerVersion, type VersionAnswer } from './version-answer.ts';

/** What is known of a version, from the details of its component. `target`: a listed version that one could move to. */
export async function answerPublished(
  index: PublishedReleases,
  details: DetailsFile,
  version: string,
  target?: string,
): Promise<VersionAnswer> {
  const { asOf, components } = await index.status();
  const { replacedBy } = details;
  const latestOfReplacement = replacedBy === undefined ? undefined : components[replacedBy]?.latest;
  return answerVersion(details, { version, asOf, latestOfReplacement, target });
}
