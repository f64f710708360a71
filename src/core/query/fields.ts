export type FieldType =
  'String' | 'Key-value' | 'Version' | 'Timestamp' | 'Duration' | 'Number' | 'Storage size' | 'Boolean';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
}

const [text, version, time, flag, length] = [
  'String',
  'Version',
  'Timestamp',
  'Boolean',
  'Duration',
] as const;

const types = {
  component: text,
  title: text,
  policy: text,
  freshness: text,
  datasource: text,
  package: text,
  label: 'Key-value',
  releases: 'Number',
  version,
  line: version,
  status: text,
  reason: text,
  isDeprecated: flag,
  isPrerelease: flag,
  isWithdrawn: flag,
  isLatest: flag,
  isLatestOfLine: flag,
  isSupported: flag,
  releaseTimestamp: time,
  firstSeen: time,
  deprecatedSince: time,
  supportedUntil: time,
  age: length,
  supportLeft: length,
} as const satisfies Readonly<Record<string, FieldType>>;

/** What a query may ask of a release, in the order in which it is described and answered. */
export const fields: readonly Field[] = Object.entries(types).map(([name, type]) => ({ name, type }));

interface Values {
  String: string | readonly string[];
  'Key-value': Readonly<Record<string, string>>;
  Version: string;
  /** A day, or an instant in UTC. */
  Timestamp: string;
  /** As ISO 8601 writes it, such as `P90D`. */
  Duration: string;
  Number: number;
  'Storage size': number;
  Boolean: boolean;
}

/** A release as a query sees it, in the form of JSON. A field that is unknown is absent. */
export type Row = { readonly [F in keyof typeof types]?: Values[(typeof types)[F]] };
