/** Renders JSON Schemas, for editors and for other programs. */
import * as z from 'zod';
import { formatJson } from '../files.ts';
import { memoize } from '../memoize.ts';
import { AccessConfig } from './access.ts';
import { Definition, NamedPolicy, Settings } from './written.ts';

/**
 * The documents that people write. Their schemas are also in `site/schema/<name>.json`, because editors read them before anything is
 * published.
 */
export const writtenSchemas = {
  // `homepage` and `changelogUrl` are optional here, because `defaults` in the settings may give them.
  definition: Definition.partial({ homepage: true, changelogUrl: true }),
  site: Settings,
  policy: NamedPolicy,
  access: AccessConfig,
};

/** Renders a schema as JSON Schema, without rules that JSON Schema cannot express. */
export const renderSchema = memoize((schema: z.ZodType): string =>
  formatJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
);
