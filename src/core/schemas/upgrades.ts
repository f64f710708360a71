import * as z from 'zod';
import { parseVersion } from '../version.ts';
import { documented } from './documented.ts';
import { HttpsUrl } from './links.ts';
import { Line, VersionText } from './scalars.ts';

const At = documented(
  VersionText.refine((text) => parseVersion(text) !== undefined, {
    error: 'expected a release line such as 15.11, or a version such as 15.11.13',
  }),
  'A release line, which means its latest release; or a version, which means this or a later one of its line.',
  '15.11',
);

/** A release that upgrades go through. */
export const UpgradeStop = z.strictObject({
  at: At,
  reason: documented(
    Line.optional(),
    'Why, in a sentence for readers.',
    'It migrates the database.',
  ),
  url: documented(
    HttpsUrl.optional(),
    'An address to read more.',
    'https://example.com/upgrade/15.11',
  ),
  when: documented(
    Line.optional(),
    'The condition under which it is necessary. Shown, and not enforced.',
    'only where the registry is used',
  ),
  finish: documented(
    Line.optional(),
    'A condition to wait for at the stop before going on.',
    'background migrations have ended',
  ),
});
export type UpgradeStop = z.infer<typeof UpgradeStop>;

export const UpgradeNote = z.strictObject({
  at: At,
  text: documented(Line, 'Work to do, in a sentence.', 'Remove the setting "legacy".'),
  url: documented(
    HttpsUrl.optional(),
    'An address to read more.',
    'https://example.com/upgrade/16.0',
  ),
});

export const UpgradeSteps = z.strictObject({
  atMost: documented(z.int().min(1).max(100), 'The most release lines in one step.', 2),
});

/** The rules for upgrades, in a definition and as published. */
export const upgradeRules = {
  upgradeStops: documented(
    z.array(UpgradeStop).min(1).max(200).optional(),
    'Releases that no upgrade may skip, in any order.',
    [{ at: '15.11', reason: 'It migrates the database.' }],
  ),
  upgradeSteps: documented(UpgradeSteps.optional(), 'How far one step of an upgrade may go.', {
    atMost: 2,
  }),
  upgradeNotes: documented(
    z.array(UpgradeNote).min(1).max(1000).optional(),
    'Work during an upgrade, shown where the upgrade path passes it.',
    [{ at: '16.0', text: 'Remove the setting "legacy".' }],
  ),
};
export type UpgradeRules = z.infer<z.ZodObject<typeof upgradeRules>>;
