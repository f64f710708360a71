import type { Definition } from '../core/schemas/definition.ts';
import type { RecordedRelease } from '../core/schemas/recorded.ts';
import { sourcesById, type Source } from '../core/schemas/source.ts';

/** The only image of a component; undefined if it has several, because a version's digest differs between images. */
export function imageSource({
  sources,
}: Pick<Definition, 'sources'>): { id: string; source: Source } | undefined {
  const images = Array.from(sourcesById(sources), ([id, source]) => ({ id, source })).filter(
    ({ source }) => source.datasource === 'docker',
  );
  return images.length === 1 ? images[0] : undefined;
}

/** The recorded digest of the image of a release. */
export function imageDigest(
  { digests }: Pick<RecordedRelease, 'digests'>,
  definition: Pick<Definition, 'sources'>,
): string | undefined {
  const image = imageSource(definition);
  const [stated = '', ...others] = Object.values((image && digests?.[image.id]) ?? {});
  return others.length === 0 && /^sha256:[0-9a-f]{64}$/.test(stated) ? stated : undefined;
}
