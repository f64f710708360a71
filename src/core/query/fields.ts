import { states } from '../states.ts';

export type FieldType =
  'String' | 'Key-value' | 'Version' | 'Timestamp' | 'Duration' | 'Number' | 'Storage size' | 'Boolean';

interface FieldRow {
  readonly type: FieldType;
  /** For people who write queries. */
  readonly meaning: string;
  /** All values that it can have. */
  readonly values?: readonly string[];
  /** It depends on the day of the question. */
  readonly isOfDay?: true;
  /** It depends on the question: no release has a value. */
  readonly isOnlyAsked?: true;
}

export const statuses = ['supported', 'listed', 'deprecated', 'withdrawn'] as const;
export const policies = ['none', 'ended', 'term', 'latest-lines', 'dated', 'stated'] as const;
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;

const ofDay = { isOfDay: true } as const;

/** Every field of a query, in the documented order. The schema of answers, the tables and the documentation are made from it. */
const table = {
  component: { type: 'String', meaning: 'name of the component' },
  title: { type: 'String', meaning: 'what people call the component' },
  policy: {
    type: 'String',
    values: policies,
    meaning: 'kind of the support policy of the component',
  },
  freshness: {
    ...ofDay,
    type: 'String',
    values: freshnessStates,
    meaning: 'live, stale, held or static, as in status.json',
  },
  datasource: { type: 'String', meaning: 'of any source of the definition' },
  package: {
    type: 'String',
    meaning: 'name of the package in any source of the definition',
  },
  label: { type: 'Key-value', meaning: 'of the definition' },
  worksWith: {
    isOnlyAsked: true,
    type: 'Key-value',
    meaning: 'component=version that it works with; in a policy, document is the rest of the scanned one',
  },
  releases: { type: 'Number', meaning: 'how many the component has' },
  version: { type: 'Version', meaning: 'exactly as published' },
  line: { type: 'Version', meaning: 'the release line of the version' },
  state: { ...ofDay, type: 'String', values: states, meaning: 'what is known of its support' },
  status: {
    ...ofDay,
    type: 'String',
    values: statuses,
    meaning: 'a coarser form of state: listed where no support is certain',
  },
  reason: { ...ofDay, type: 'String', meaning: 'any of the reasons for which it is deprecated' },
  isDeprecated: { ...ofDay, type: 'Boolean', meaning: 'whether one should move off it' },
  isPrerelease: { type: 'Boolean', meaning: 'whether it precedes a release' },
  isWithdrawn: { ...ofDay, type: 'Boolean', meaning: 'whether upstream no longer lists it' },
  isLatest: { ...ofDay, type: 'Boolean', meaning: "whether it is the component's tags.latest" },
  isLatestOfLine: {
    ...ofDay,
    type: 'Boolean',
    meaning: 'the greatest stable, not deprecated version of its line',
  },
  isSupported: {
    ...ofDay,
    type: 'Boolean',
    meaning: 'true while support certainly runs, also where deprecated; false once it is certainly over',
  },
  isLts: { ...ofDay, type: 'Boolean', meaning: 'whether its line has long-term support' },
  phase: { ...ofDay, type: 'String', meaning: 'the present phase of its line; unknown where none runs' },
  releaseTimestamp: { type: 'Timestamp', meaning: 'when it was released' },
  timestampKind: {
    type: 'String',
    meaning: 'published, or observed: released no later than releaseTimestamp',
  },
  firstSeen: {
    type: 'Timestamp',
    meaning: 'the day on which its source was first seen to list it',
  },
  availableAt: {
    type: 'Timestamp',
    meaning: 'the instant at which the index first listed it',
  },
  deprecatedSince: { ...ofDay, type: 'Timestamp', meaning: 'the day since which it is deprecated' },
  supportedUntil: {
    type: 'Timestamp',
    meaning: 'the first day without support: exact, or the earliest possible day',
  },
  supportedUntilAtMost: {
    type: 'Timestamp',
    meaning: 'the latest possible first day without support, where the exact day is unknown',
  },
  releasesBehind: {
    ...ofDay,
    type: 'Number',
    meaning: 'stable releases above it that are not deprecated; unknown of the latest',
  },
  behind: {
    ...ofDay,
    type: 'Duration',
    meaning: 'between its day and that of the latest, where upstream states both',
  },
  phaseUntil: { ...ofDay, type: 'Timestamp', meaning: 'the first day after the present phase of its line' },
  age: { ...ofDay, type: 'Duration', meaning: 'since releaseTimestamp' },
  supportLeft: {
    ...ofDay,
    type: 'Duration',
    meaning: 'until supportedUntil; unknown where none is stated or it is over',
  },
  phaseLeft: { ...ofDay, type: 'Duration', meaning: 'until phaseUntil; unknown where none is stated' },
  isVulnerable: {
    type: 'Boolean',
    meaning: 'whether an advisory affects it; unknown where no source of advisories has answered',
  },
  advisory: { type: 'String', meaning: 'id of an advisory that affects it' },
  fixes: { type: 'String', meaning: 'id of an advisory that it fixes' },
  severity: { type: 'String', meaning: 'low, medium, high or critical: the greatest' },
  hasProvenance: { type: 'Boolean', meaning: 'whether a verified attestation states its build' },
  isFromSourceRepository: {
    type: 'Boolean',
    meaning: 'whether that build was of the source repository; unknown where either is',
  },
  repository: { type: 'String', meaning: 'address of the repository it was built from' },
  builder: { type: 'String', meaning: 'address of the workflow that built it' },
  commit: { type: 'String', meaning: 'the commit it was built from' },
  buildStartTime: { type: 'Timestamp', meaning: 'when its build started' },
  buildDuration: { type: 'Duration', meaning: 'how long its build took' },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Table = typeof table;
type FieldName = keyof Table;

/** Fields with the same name in `details/` and `search.json`, except that `details/` has `policy` in `support`. */
export const componentFields = ['title', 'policy', 'datasource', 'package', 'label'] as const;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly values?: readonly string[];
  /** No item has a value. */
  readonly isUnrecorded?: true;
}

export const fields: readonly (Field & FieldRow)[] = Object.entries(table).map(([name, row]) => ({
  name,
  ...row,
}));

/** The fields that releases have. */
export const answeredFields = fields.filter(({ isOnlyAsked }) => !isOnlyAsked);

/** The fields of a query for runs: the fields of the specification that are known of a run of the index. */
export const buildFields: readonly (Field & Pick<FieldRow, 'meaning'>)[] = [
  { name: 'buildTool', type: 'String', meaning: 'npm, where it started the run' },
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
  { name: 'npm.agentVersion', type: 'String', meaning: 'version of this program, where npm started the run' },
  { name: 'npm.requestedCommands', type: 'String', meaning: 'as requested, where npm started the run' },
  {
    name: 'npm.environment.nodeVersion',
    type: 'String',
    meaning: 'version of Node, where npm started the run',
  },
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

/** A release as a query sees it, as JSON. An unknown field is absent. */
export type Row = { readonly [F in FieldName]?: Values[Table[F]['type']] };
