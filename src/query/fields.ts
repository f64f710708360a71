export type FieldType =
  'String' | 'Key-value' | 'Version' | 'Timestamp' | 'Duration' | 'Number' | 'Storage size' | 'Boolean';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
}

const types = {
  component: 'String',
  title: 'String',
  policy: 'String',
  freshness: 'String',
  datasource: 'String',
  package: 'String',
  label: 'Key-value',
  releases: 'Number',
  version: 'Version',
  line: 'Version',
  status: 'String',
  reason: 'String',
  isDeprecated: 'Boolean',
  isPrerelease: 'Boolean',
  isWithdrawn: 'Boolean',
  isLatest: 'Boolean',
  isLatestOfLine: 'Boolean',
  isSupported: 'Boolean',
  releaseTimestamp: 'Timestamp',
  firstSeen: 'Timestamp',
  deprecatedSince: 'Timestamp',
  supportedUntil: 'Timestamp',
  age: 'Duration',
  supportLeft: 'Duration',
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
