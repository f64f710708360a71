import type { Definition } from '../core/schemas/definition.ts';
import type { RecordedRelease } from '../core/schemas/recorded.ts';
import { sourceIds, type Source } from '../core/schemas/source.ts';

/** The only image of a component; undefined if it has several, because a version's digest differs between images. */
export function imageSource({
  sources,
}: Pick<Definition, 'sources'>): { id: string; source: Source } | undefined {
  const ids = sourceIds(sources);
  const images = sources.flatMap((source, index) =>
    source.datasource === 'docker' ? { id: ids[index]!, source } : [],
  );
  return images.length === 1 ? images[0] : undefined;
}

/** The recorded digest of the image of a release. */
export function imageDigest(
  { digests }: Pick<RecordedRelease, 'digests'>,
  definition: Pick<Definition, 'sources'>,
): string | undefined {
  const image = imageSource(definition);
  const stated = Object.values((image && digests?.[image.id]) ?? {});
  return stated.length === 1 && /^sha256:[0-9a-f]{64}$/.test(stated[0]!) ? stated[0] : undefined;
}
