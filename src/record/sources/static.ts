import * as z from 'zod';
import { OneLine, RecordedTimestamp, VersionText } from '../../core/schemas/scalars.ts';
import { checked, documented, optionalKey, rejectRepeated } from '../../core/schemas/keys.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { defineSource } from './datasource.ts';
import { hasPrerelease } from './shared/document.ts';

const Release = z.strictObject({
  version: documented(
    VersionText,
    'The version, exactly as the artifact is published.',
    '2025.3.1',
  ),
  releaseTimestamp: optionalKey(
    RecordedTimestamp,
    'Release day, or an instant in UTC.',
    '2026-06-30',
    '2026-06-30T09:30:00Z',
  ),
  changelogUrl: optionalKey(
    HttpsUrl,
    'Address of its description.',
    'https://example.com/changes#2025.3.1',
  ),
  deprecated: optionalKey(OneLine, 'Reason for its deprecation.', 'Use 2025.3.2.'),
  isStable: optionalKey(
    z.boolean(),
    'true: a stable release, false: a prerelease. Without it, the form of the version decides.',
    false,
  ),
});
export type StaticRelease = z.infer<typeof Release>;

/** The releases are written in the definition itself. */
export const staticSource = defineSource({
  datasource: 'static',
  coordinates: {
    releases: documented(
      checked(z.array(Release), (releases, reject) => {
        if (Array.isArray(releases)) {
          rejectRepeated(
            releases.map((release) => release?.version),
            'version',
            (index) => [index, 'version'],
            reject,
          );
        }
      }),
      'The releases, written by hand.',
      [{ version: '2025.3.1', releaseTimestamp: '2026-06-30' }],
    ),
  },
  statesDeprecation: true,
  gather: async ({ releases }) => ({ releases: releases.map(toListed) }),
  describe: async ({ releases }) => ({ hasPrereleases: hasPrerelease(releases.map(toListed)) }),
});

function toListed({ version, isStable, ...facts }: StaticRelease) {
  return {
    ...facts,
    name: version,
    isPrerelease: isStable === undefined ? undefined : !isStable,
  };
}
