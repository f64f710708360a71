import * as z from 'zod';
import { parseVersion } from '../../model/version.ts';
import { Line, VersionText } from '../scalars.ts';
import { documented, optionalKey } from '../keys.ts';
import { HttpsUrl } from '../urls.ts';

const At = documented(
  VersionText.refine((text) => parseVersion(text) !== undefined, {
    error: 'expected a release line such as 15.11, or a version such as 15.11.13',
  }),
  'A release line stands for its latest release; a version for itself or a later one of its line.',
  '15.11',
);

/** A release that no upgrade may skip: a line or a version, as a text or with the reason. */
export const UpgradeStop = z.union([
  At,
  z.strictObject({
    at: At,
    reason: optionalKey(Line, 'Why, in a sentence for readers.', 'It migrates the database.'),
    url: optionalKey(
      HttpsUrl,
      'The address of further information.',
      'https://example.com/upgrade/15.11',
    ),
  }),
]);
export type UpgradeStop = z.infer<typeof UpgradeStop>;

export const UpgradeStops = optionalKey(
  z.array(UpgradeStop).min(1).max(200),
  'Releases that no upgrade may skip, in any order. An older version is upgraded to the next of them first.',
  ['15.11', { at: '16.3', reason: 'It migrates the database.' }],
);
