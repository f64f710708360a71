import { z } from 'zod';
import { componentName } from './definition/component-name.ts';
import { documented } from './documented.ts';
import { SelectedVersions } from './recorded/selected-versions.ts';
import { DaySchema, Line } from './scalars.ts';

export const ScanException = z.strictObject({
  package: documented(
    Line,
    'The name of a component, or a package URL without a version.',
    'svc',
    'pkg:npm/%40example/agent',
  ),
  versions: SelectedVersions,
  policy: documented(
    z.string().regex(componentName, { error: 'expected the name of a policy' }),
    'The policy that is not applied.',
    'supported',
  ),
  reason: documented(Line, 'Why, in a sentence for readers.', 'The upgrade is planned as PLAN-42.'),
  until: documented(DaySchema, 'The last day of the exception.', '2027-03-31'),
});
export type ScanException = z.infer<typeof ScanException>;

/** `.release-index-exceptions.json`, written by hand: releases that a scan lets pass until a day. */
export const ScanExceptions = z.array(ScanException);
