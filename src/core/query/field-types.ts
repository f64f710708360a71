export type FieldType =
  | 'String'
  | 'Key-value'
  | 'Version'
  | 'Timestamp'
  | 'Duration'
  | 'Number'
  | 'Storage size'
  | 'Boolean';

/** A value of a field, as JSON. */
export interface Values {
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

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly values?: readonly string[];
  /** No item has a value. */
  readonly isUnrecorded?: true;
}

/** The values of fields that documents state, too. */
export const policies = ['none', 'ended', 'term', 'latest-lines', 'dated', 'stated'] as const;
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;
