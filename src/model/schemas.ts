import { createRequire } from 'node:module';
import type * as Definitions from './definition.ts';
import type * as Freshnesses from './freshness.ts';
import type * as Problems from './problems.ts';
import type * as Recorded from './recorded.ts';
import type * as SiteConfigs from './site-config.ts';

/**
 * The schemas of what the project keeps, and the words for what they find, each loaded when it is asked for: most runs meet
 * nothing but documents that are plainly right.
 */
const load = createRequire(import.meta.url);

export const definition = () => (load('./definition.ts') as typeof Definitions).Definition;
export const freshness = () => (load('./freshness.ts') as typeof Freshnesses).Freshness;
export const recordedData = () => (load('./recorded.ts') as typeof Recorded).RecordedData;
export const recordedRelease = () => (load('./recorded.ts') as typeof Recorded).RecordedRelease;
export const siteConfig = () => (load('./site-config.ts') as typeof SiteConfigs).SiteConfig;
export const problems = () => load('./problems.ts') as typeof Problems;
