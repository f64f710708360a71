export type FieldType =
  'String' | 'Key-value' | 'Version' | 'Timestamp' | 'Duration' | 'Number' | 'Storage size' | 'Boolean';

interface FieldRow {
  readonly type: FieldType;
  /** For people who write queries. */
  readonly meaning: string;
  /**
   * The part of `search.json` that holds it. A verdict is held by the line where all releases of the line share it, otherwise by
   * the release. A field without a holder is added when releases are read.
   */
  readonly holder?: 'component' | 'line' | 'verdict' | 'release';
  /** All values that it can have. */
  readonly values?: readonly string[];
  /** A flag that is mostly false, and absent from `search.json` where it is. */
  readonly isMostlyFalse?: true;
}

export const statuses = ['supported', 'listed', 'deprecated', 'withdrawn'] as const;
export const policies = ['none', 'ended', 'term', 'latest-lines', 'dated', 'stated'] as const;
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;

const flag = { type: 'Boolean', isMostlyFalse: true } as const;

/**
 * Every field of a query, in the order in which fields are described and answered. The schemas of `search.json` and of answers,
 * the compact form of releases and the documentation follow from this table. What a component holds has the same name in
 * `details/`.
 */
const table = {
  component: { type: 'String', meaning: 'name of the component' },
  title: { type: 'String', holder: 'component', meaning: 'what people call the component' },
  policy: {
    type: 'String',
    values: policies,
    holder: 'component',
    meaning: 'kind of the support policy of the component',
  },
  freshness: {
    type: 'String',
    values: freshnessStates,
    meaning: 'live, stale, held or static, as in status.json',
  },
  datasource: {
    type: 'String',
    holder: 'component',
    meaning: 'of any source of the definition',
  },
  package: {
    type: 'String',
    holder: 'component',
    meaning: 'name of the package in any source of the definition',
  },
  label: {
    type: 'Key-value',
    holder: 'component',
    meaning: 'of the definition',
  },
  releases: { type: 'Number', meaning: 'how many the component has' },
  version: { type: 'Version', holder: 'release', meaning: 'exactly as published' },
  line: { type: 'Version', holder: 'line', meaning: 'the release line of the version' },
  status: {
    type: 'String',
    values: statuses,
    holder: 'verdict',
    meaning: 'the verdict in a word, as in details/',
  },
  reason: {
    type: 'String',
    holder: 'verdict',
    meaning: 'any of the reasons for which it is deprecated',
  },
  isDeprecated: { ...flag, holder: 'verdict', meaning: 'whether one should move off it' },
  isPrerelease: { ...flag, holder: 'verdict', meaning: 'whether it precedes a release' },
  isWithdrawn: { ...flag, holder: 'verdict', meaning: 'whether upstream no longer lists it' },
  isLatest: { ...flag, holder: 'release', meaning: "whether it is the component's tags.latest" },
  isLatestOfLine: {
    ...flag,
    holder: 'release',
    meaning: 'the greatest stable, not deprecated version of its line',
  },
  isSupported: {
    type: 'Boolean',
    holder: 'verdict',
    meaning: 'true while its support certainly runs, also where deprecated; false once it is certainly over',
  },
  isLts: { ...flag, holder: 'verdict', meaning: 'whether its line has long-term support' },
  phase: {
    type: 'String',
    holder: 'verdict',
    meaning: 'the present phase of its line; support where the line has one end',
  },
  releaseTimestamp: { type: 'Timestamp', holder: 'release', meaning: 'when it was released' },
  timestampKind: {
    type: 'String',
    holder: 'verdict',
    meaning: 'published, or observed: released no later than releaseTimestamp',
  },
  firstSeen: {
    type: 'Timestamp',
    holder: 'release',
    meaning: 'the day on which its source was first seen to list it',
  },
  availableAt: {
    type: 'Timestamp',
    // One run records all releases with which a component enters.
    holder: 'verdict',
    meaning: 'the instant at which the index first listed it',
  },
  deprecatedSince: { type: 'Timestamp', holder: 'verdict', meaning: 'the day since which it is deprecated' },
  supportedUntil: {
    type: 'Timestamp',
    holder: 'verdict',
    meaning: 'the first day without support, by the support policy',
  },
  supportedUntilKind: {
    type: 'String',
    holder: 'verdict',
    meaning: 'observed where support ends no later than supportedUntil',
  },
  phaseUntil: {
    type: 'Timestamp',
    holder: 'verdict',
    meaning: 'the first day after the present phase of its line',
  },
  age: { type: 'Duration', meaning: 'since releaseTimestamp' },
  supportLeft: {
    type: 'Duration',
    meaning: 'until supportedUntil; unknown where none is stated or it is over',
  },
  phaseLeft: { type: 'Duration', meaning: 'until phaseUntil; unknown where none is stated' },
  isVulnerable: {
    ...flag,
    holder: 'verdict',
    meaning: 'whether an advisory affects it; unknown where the component has no source of advisories',
  },
  advisory: {
    type: 'String',
    holder: 'verdict',
    meaning: 'id of an advisory that affects it',
  },
  fixes: {
    type: 'String',
    holder: 'verdict',
    meaning: 'id of an advisory that it fixes',
  },
  severity: {
    type: 'String',
    holder: 'verdict',
    meaning: 'low, medium, high or critical: the greatest',
  },
  hasProvenance: { ...flag, holder: 'verdict', meaning: 'whether a verified attestation states its build' },
  isFromSourceRepository: {
    type: 'Boolean',
    holder: 'verdict',
    meaning: 'whether that build was of the source repository; unknown where either is',
  },
  repository: {
    type: 'String',
    holder: 'verdict',
    meaning: 'address of the repository it was built from',
  },
  builder: {
    type: 'String',
    holder: 'release',
    meaning: 'address of the workflow that built it',
  },
  commit: {
    type: 'String',
    holder: 'release',
    meaning: 'the commit it was built from',
  },
  buildStartTime: { type: 'Timestamp', holder: 'release', meaning: 'when its build started' },
  buildDuration: { type: 'Duration', holder: 'release', meaning: 'how long its build took' },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Table = typeof table;
type FieldName = keyof Table;
type Holder = NonNullable<FieldRow['holder']>;

/** The names of the fields of one holder or another. */
export type HeldBy<H extends Holder> = {
  [F in FieldName]: Table[F] extends { holder: H } ? F : never;
}[FieldName];

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly values?: readonly string[];
}

export const fields: readonly (Field & FieldRow)[] = Object.entries(table).map(([name, row]) => ({
  name,
  ...row,
}));

export function fieldsHeldBy<H extends Holder>(holder: H): HeldBy<H>[] {
  return fields.filter((field) => field.holder === holder).map(({ name }) => name as HeldBy<H>);
}

/** The fields of a query for runs of the index: those of the specification for builds of every tool that are known of a run. */
export const buildFields: readonly (Field & Pick<FieldRow, 'meaning'>)[] = [
  { name: 'buildTool', type: 'String', meaning: 'npm, which starts every run' },
  { name: 'buildToolVersion', type: 'String', meaning: 'version of npm, where npm started the run' },
  {
    name: 'buildOutcome',
    type: 'String',
    values: ['succeeded', 'failed'],
    meaning: 'failed where a source failed or was held',
  },
  { name: 'buildDuration', type: 'Duration', meaning: 'from the start to the end of recording' },
  { name: 'buildStartTime', type: 'Timestamp', meaning: 'when the run began' },
  { name: 'requested', type: 'String', meaning: 'the command, and each of its options by name' },
  {
    name: 'value',
    type: 'Key-value',
    meaning: 'asOf, commit, node, components, asked and events of the run',
  },
  { name: 'tag', type: 'String', meaning: 'failed, held: a source was; changed: something was recorded' },
  { name: 'hasVerificationFailure', type: 'Boolean', meaning: 'whether an answer was held as implausible' },
  { name: 'hasNonVerificationFailure', type: 'Boolean', meaning: 'whether a source did not answer' },
];

interface Values {
  String: string | readonly string[];
  'Key-value': Readonly<Record<string, string>>;
  Version: string;
  /** A day, or an instant in UTC. */
  Timestamp: string;
  /** In ISO 8601, such as `P90D`. */
  Duration: string;
  Number: number;
  'Storage size': number;
  Boolean: boolean;
}

/** A release as a query sees it, in the form of JSON. A field that is unknown is absent. */
export type Row = { readonly [F in FieldName]?: Values[Table[F]['type']] };
