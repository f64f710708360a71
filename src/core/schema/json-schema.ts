/** JSON Schema, for editors and for programs of others. */
import * as z from 'zod';
import { formatJson } from '../files.ts';
import { AccessConfig } from './access.ts';
import { Definition, NamedPolicy, Settings } from './written.ts';

/** What people write. Its schemas are `site/schema/<name>.json`, too: editors read them before anything is published. */
export const writtenSchemas = {
  // `defaults` of the settings may give its links.
  definition: Definition.partial({ homepage: true, changelogUrl: true }),
  site: Settings,
  policy: NamedPolicy,
  access: AccessConfig,
};

/** Without the rules that JSON Schema cannot say. */
export function renderSchema(schema: z.ZodType): string {
  return formatJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}
