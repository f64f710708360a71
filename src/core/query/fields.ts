import type { Day } from '../model/dates.ts';
import { listDistinct } from '../model/objects.ts';
import { findLastFreePhase, isLtsOn, supportPolicies } from '../model/phases.ts';
import {
  findCertainDay,
  freshnessStates,
  states,
  type LineState,
  type ReleaseOn,
  type State,
} from '../model/states.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../schemas/published/details-file.ts';
import type { Field, FieldSet, ValueOfType } from './field-types.ts';

/** The facts of a release that fields read, from `details/` or `search.json`. */
export type QueriedRelease = Partial<Omit<PublishedRelease, 'isPrerelease'>> &
  Pick<PublishedRelease, 'version'> & { readonly isPrerelease: boolean };

/** The facts of a release line that fields read, and its state on a day. */
export type QueriedLine = LineState &
  Pick<PublishedLine, 'line' | 'isLts' | 'ltsFrom' | 'phases' | 'inferred'>;

/** The facts of a component that fields read. */
export type QueriedComponent = Pick<
  DetailsFile,
  'title' | 'sourceRepository' | 'datasource' | 'package' | 'label' | 'watchesAdvisories'
> & {
  readonly component: string;
  readonly freshness?: string | undefined;
  readonly policy: string;
  readonly releases: readonly unknown[];
};

export type Level = 'component' | 'line' | 'release';

/** A field of a release, and the origin of its value. Only the distances from a day have none, since no document holds them. */
interface ReleaseField extends Omit<Field, 'name'> {
  /** For people who write queries. */
  readonly meaning: string;
  /** The value is the fact of this name in `search.json`. */
  readonly fact?: Level;
  /** The value is the property of this name that `search.json` does not state: a state on a day, or the name or freshness of the component. */
  readonly added?: Level;
  readonly readComponent?: (component: QueriedComponent) => unknown;
  readonly readLine?: (line: QueriedLine, day: Day) => unknown;
  readonly readRelease?: (
    release: ReleaseOn<QueriedRelease>,
    component: QueriedComponent,
  ) => unknown;
  /** Further facts of `search.json` that it is computed from. */
  readonly inSearch?: {
    readonly component?: readonly ('policy' | keyof DetailsFile)[];
    readonly line?: readonly (keyof PublishedLine)[];
    readonly release?: readonly (keyof PublishedRelease)[];
  };
}

const statuses = ['supported', 'listed', 'deprecated', 'withdrawn'] as const;

/** The status of each state. The status of a state that is absent here is `listed`. */
const statusByState: Partial<Record<State, (typeof statuses)[number]>> = {
  supported: 'supported',
  'ends-soon': 'supported',
  ended: 'deprecated',
  deprecated: 'deprecated',
  withdrawn: 'withdrawn',
};

/**
 * Every field of a query, in the documented order. `search.json`, rows, the schema of answers and the help are made
 * from it.
 */
const table = {
  component: {
    type: 'String',
    isSearched: true,
    meaning: 'name of the component',
    added: 'component',
  },
  title: {
    type: 'String',
    isSearched: true,
    meaning: 'name of the component for people',
    fact: 'component',
  },
  policy: {
    type: 'String',
    allowedValues: supportPolicies,
    meaning: 'kind of the support policy of the component',
    fact: 'component',
  },
  freshness: {
    type: 'String',
    allowedValues: freshnessStates,
    meaning: 'live, stale, held or static, as in status.json',
    added: 'component',
  },
  datasource: {
    type: 'String',
    decidedBy: 'component',
    meaning: 'datasource of any source of the definition',
    fact: 'component',
  },
  package: {
    type: 'String',
    decidedBy: 'component',
    meaning: 'name of the package in any source of the definition',
    fact: 'component',
  },
  label: {
    type: 'Key-value',
    decidedBy: 'component',
    meaning: 'labels of the component',
    fact: 'component',
  },
  releases: {
    type: 'Number',
    meaning: 'number of releases of the component',
    readComponent: ({ releases }) => releases.length,
  },
  version: {
    type: 'Version',
    isSearched: true,
    meaning: 'exactly as published',
    fact: 'release',
  },
  line: {
    type: 'Version',
    meaning: 'the release line of the version',
    fact: 'line',
  },
  state: {
    type: 'String',
    allowedValues: states,
    meaning: 'the state of its support',
    inSearch: { line: ['phases'] },
    added: 'release',
  },
  status: {
    type: 'String',
    allowedValues: statuses,
    meaning: 'a coarser form of state: listed where no support is certain',
    readRelease: ({ state }) => statusByState[state] ?? 'listed',
  },
  reason: {
    type: 'String',
    decidedBy: 'isDeprecated',
    meaning: 'any of the reasons for which it is deprecated',
    inSearch: { line: ['reason'], release: ['reasons'] },
    readRelease: ({ because }) => listDistinct(because.map(({ text }) => text)),
  },
  isDeprecated: {
    type: 'Boolean',
    meaning: 'whether users should upgrade',
    added: 'release',
  },
  isPrerelease: {
    type: 'Boolean',
    meaning: 'whether it precedes a release',
    fact: 'release',
  },
  isWithdrawn: {
    type: 'Boolean',
    meaning: 'whether upstream no longer lists it',
    inSearch: { release: ['withdrawnSince'] },
    readRelease: ({ state }) => state === 'withdrawn',
  },
  isLatest: {
    type: 'Boolean',
    meaning: "whether it is the component's tags.latest",
    added: 'release',
  },
  isLatestOfLine: {
    type: 'Boolean',
    meaning: 'the greatest stable, not deprecated version of its line',
    added: 'release',
  },
  isSupported: {
    type: 'Boolean',
    meaning:
      'true while support certainly runs, also where deprecated; false once it is certainly over',
    added: 'release',
  },
  isLts: {
    type: 'Boolean',
    meaning: 'whether its line has long-term support',
    inSearch: { line: ['isLts', 'ltsFrom'] },
    readLine: isLtsOn,
  },
  isInferred: {
    type: 'Boolean',
    meaning: 'whether its end rests on a rule that nobody stated',
    inSearch: { line: ['inferred'] },
    readLine: ({ inferred }) => inferred === true,
  },
  phase: {
    type: 'String',
    meaning: 'the present phase of its line; unknown if there is none',
    readLine: ({ phase }) => phase?.name,
  },
  releaseTimestamp: {
    type: 'Timestamp',
    synonyms: /^(?:released?|published|date)(?:at|on|date)?$/i,
    meaning: 'when it was released',
    fact: 'release',
  },
  timestampKind: {
    type: 'String',
    meaning: 'published, or observed: released no later than releaseTimestamp',
    fact: 'release',
  },
  firstSeen: {
    type: 'Timestamp',
    meaning: 'the day on which its source was first seen to list it',
    fact: 'release',
    inSearch: { component: ['isSeenWhenReleased'] },
  },
  recordedAt: {
    type: 'Timestamp',
    meaning: 'the instant of the run that first listed it',
    fact: 'release',
  },
  deprecatedSince: {
    type: 'Timestamp',
    meaning: 'the day since which it is deprecated',
    readRelease: ({ because: [first] }) => first && findCertainDay(first),
  },
  supportedUntil: {
    type: 'Timestamp',
    meaning: 'the last day with support: exact, or the earliest possible one',
    readLine: ({ phases }) => findLastFreePhase(phases)?.until,
  },
  supportedUntilAtMost: {
    type: 'Timestamp',
    meaning: 'the latest possible last day with support, where the exact day is unknown',
    readLine: ({ phases }) => findLastFreePhase(phases)?.untilAtMost,
  },
  releasesBehind: {
    type: 'Number',
    meaning: 'number of newer stable releases; unknown for the latest',
    added: 'release',
  },
  behind: {
    type: 'Duration',
    meaning: 'time from its day to that of the latest, where upstream states both',
    readRelease: ({ daysBehind }) => (daysBehind === undefined ? undefined : `P${daysBehind}D`),
  },
  phaseUntil: {
    type: 'Timestamp',
    meaning: 'the last day of the present phase of its line',
    readLine: ({ phase }) => phase?.until,
  },
  age: { type: 'Duration', countsBack: true, meaning: 'time since the release' },
  supportLeft: {
    type: 'Duration',
    meaning: 'time until supportedUntil, 0 on that day; unknown where that is unknown or past',
  },
  phaseLeft: {
    type: 'Duration',
    meaning: 'time until phaseUntil; unknown where that is unknown',
  },
  isVulnerable: {
    type: 'Boolean',
    meaning: 'whether an advisory affects it; unknown where no source of advisories has answered',
    inSearch: { component: ['watchesAdvisories'] },
    readRelease: ({ advisories }, { watchesAdvisories }) =>
      advisories !== undefined || (watchesAdvisories ? false : undefined),
  },
  advisory: {
    type: 'String',
    decidedBy: 'isVulnerable',
    meaning: 'any id of an advisory that affects it',
    inSearch: { release: ['advisories', 'advisoryAliases'] },
    readRelease: ({ advisories, advisoryAliases = [] }) =>
      advisories && [...advisories, ...advisoryAliases],
  },
  fixes: {
    type: 'String',
    decidedBy: 'isVulnerable',
    meaning: 'id of an advisory that it fixes',
    fact: 'release',
  },
  severity: {
    type: 'String',
    decidedBy: 'isVulnerable',
    meaning: 'low, medium, high or critical: the greatest',
    fact: 'release',
  },
  isExploited: {
    type: 'Boolean',
    meaning: 'whether one of them is known to be exploited',
    readRelease: ({ exploitedSince, advisories }, { watchesAdvisories }) =>
      exploitedSince !== undefined || (watchesAdvisories && !advisories ? false : undefined),
  },
  exploitedSince: {
    type: 'Timestamp',
    decidedBy: 'isExploited',
    meaning: 'since when one of them is exploited',
    fact: 'release',
  },
  repository: {
    type: 'String',
    meaning: 'address of the repository it is built from',
    inSearch: { component: ['sourceRepository'] },
    readComponent: ({ sourceRepository }) => sourceRepository,
  },
} as const satisfies Readonly<Record<string, ReleaseField>>;

type Table = typeof table;

/** The facts about a component, a line or a release from which some field is computed, such as `phases` of a line. */
type SearchedKey<L extends Level> = {
  [F in FieldName]:
    | (Table[F] extends { fact: L } ? F : never)
    | (Table[F] extends { inSearch: { readonly [K in L]: readonly (infer Key)[] } } ? Key : never);
}[FieldName];

type FieldName = keyof Table;

export const fields: readonly (ReleaseField & { readonly name: FieldName })[] = Object.entries(
  table,
).map(([name, field]: [string, ReleaseField]) => ({ ...field, name: name as FieldName }));

export const releaseFieldSet: FieldSet = { fields };

/** The facts from which fields are computed, each once, in the order of the fields. */
export function listSearchedKeys<L extends Level>(level: L): SearchedKey<L>[] {
  const keys = fields.flatMap(({ name, fact, inSearch }) =>
    fact === level ? [name] : (inSearch?.[level] ?? []),
  );
  return [...new Set(keys)] as SearchedKey<L>[];
}

/** The fields that every release has. */
type RequiredFields = {
  readonly component: string;
  readonly version: string;
  readonly state: State;
};

/** A release as a query sees it, as JSON. An unknown field is absent. */
export type Row = RequiredFields & {
  readonly [F in Exclude<FieldName, keyof RequiredFields>]?: ValueOfType[Table[F]['type']];
};
