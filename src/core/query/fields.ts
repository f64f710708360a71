import { states } from '../states.ts';

export type FieldType =
  | 'String'
  | 'Key-value'
  | 'Version'
  | 'Timestamp'
  | 'Duration'
  | 'Number'
  | 'Storage size'
  | 'Boolean';

interface FieldRow {
  readonly type: FieldType;
  /** All values that it can have. */
  readonly values?: readonly string[];
  /** It depends on the day of the question. */
  readonly isOfDay?: true;
}

export const statuses = ['supported', 'listed', 'deprecated', 'withdrawn'] as const;
export const policies = ['none', 'ended', 'term', 'latest-lines', 'dated', 'stated'] as const;
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;

const ofDay = { isOfDay: true } as const;

/** Every field of a query, in the documented order. The schema of answers and the tables are made from it. */
const table = {
  component: { type: 'String' },
  title: { type: 'String' },
  policy: { type: 'String', values: policies },
  freshness: { ...ofDay, type: 'String', values: freshnessStates },
  datasource: { type: 'String' },
  package: { type: 'String' },
  label: { type: 'Key-value' },
  releases: { type: 'Number' },
  version: { type: 'Version' },
  line: { type: 'Version' },
  state: { ...ofDay, type: 'String', values: states },
  status: { ...ofDay, type: 'String', values: statuses },
  reason: { ...ofDay, type: 'String' },
  isDeprecated: { ...ofDay, type: 'Boolean' },
  isPrerelease: { type: 'Boolean' },
  isWithdrawn: { ...ofDay, type: 'Boolean' },
  isLatest: { ...ofDay, type: 'Boolean' },
  isLatestOfLine: { ...ofDay, type: 'Boolean' },
  isSupported: { ...ofDay, type: 'Boolean' },
  isLts: { ...ofDay, type: 'Boolean' },
  phase: { ...ofDay, type: 'String' },
  releaseTimestamp: { type: 'Timestamp' },
  timestampKind: { type: 'String' },
  firstSeen: { type: 'Timestamp' },
  availableAt: { type: 'Timestamp' },
  deprecatedSince: { ...ofDay, type: 'Timestamp' },
  supportedUntil: { type: 'Timestamp' },
  supportedUntilAtMost: { type: 'Timestamp' },
  releasesBehind: { ...ofDay, type: 'Number' },
  behind: { ...ofDay, type: 'Duration' },
  phaseUntil: { ...ofDay, type: 'Timestamp' },
  age: { ...ofDay, type: 'Duration' },
  supportLeft: { ...ofDay, type: 'Duration' },
  phaseLeft: { ...ofDay, type: 'Duration' },
  isVulnerable: { type: 'Boolean' },
  advisory: { type: 'String' },
  fixes: { type: 'String' },
  severity: { type: 'String' },
  hasProvenance: { type: 'Boolean' },
  repository: { type: 'String' },
  builder: { type: 'String' },
  commit: { type: 'String' },
  buildStartTime: { type: 'Timestamp' },
  buildDuration: { type: 'Duration' },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Table = typeof table;
export type FieldName = keyof Table;

/** Fields with the same name in `details/` and `search.json`, except that `details/` has `policy` in `support`. */
export const componentFields = ['title', 'policy', 'datasource', 'package', 'label'] as const;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly values?: readonly string[];
  /** No item has a value. */
  readonly isUnrecorded?: true;
}

export const fields: readonly (Field & FieldRow & { readonly name: FieldName })[] = Object.entries(
  table,
).map(([name, row]) => ({ name: name as FieldName, ...row }));

/** The fields of a query for runs: the fields of the specification that are known of a run of the index. */
export const buildFields: readonly Field[] = [
  { name: 'buildTool', type: 'String' },
  { name: 'buildToolVersion', type: 'String' },
  { name: 'buildOutcome', type: 'String', values: ['succeeded', 'failed'] },
  { name: 'buildDuration', type: 'Duration' },
  { name: 'buildStartTime', type: 'Timestamp' },
  { name: 'requested', type: 'String' },
  { name: 'value', type: 'Key-value' },
  { name: 'tag', type: 'String' },
  { name: 'hasVerificationFailure', type: 'Boolean' },
  { name: 'hasNonVerificationFailure', type: 'Boolean' },
  { name: 'npm.agentVersion', type: 'String' },
  { name: 'npm.requestedCommands', type: 'String' },
  { name: 'npm.projectName', type: 'String' },
  { name: 'npm.environment.nodeVersion', type: 'String' },
  { name: 'npm.environment.nodeLocale', type: 'String' },
  { name: 'npm.environment.operatingSystem', type: 'String' },
  { name: 'npm.environment.numberOfCpuCores', type: 'Number' },
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
