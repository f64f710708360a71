import type { FieldType } from '../../../core/query/field-types.ts';
import { tableColumns } from '../parts.ts';

/** Types of SQL. A day is a timestamp at its start; several values and pairs are one text. */
const sqlTypes: Readonly<Record<FieldType, string>> = {
  String: 'VARCHAR',
  'Key-value': 'VARCHAR',
  // As a number, 3.10 would become 3.1.
  Version: 'VARCHAR',
  Timestamp: 'TIMESTAMP',
  Duration: 'VARCHAR',
  Number: 'INTEGER',
  'Storage size': 'BIGINT',
  Boolean: 'BOOLEAN',
};

/** The SQL that reads `releases.csv` with the type of each column, for example in DuckDB. */
export function tableDefinition(): string {
  const columns = tableColumns.map(({ name, type }) => `  "${name}" ${sqlTypes[type]}`);
  return `CREATE TABLE releases (\n${columns.join(',\n')}\n);\nCOPY releases FROM 'releases.csv' (FORMAT csv, HEADER);\n`;
}
