import { z } from 'zod';

/** A regular expression that compiles and, if named, has the groups it needs. */
export function regularExpression(...groups: string[]) {
  return z
    .string()
    .min(1)
    .max(1000)
    .superRefine((text, context) => {
      try {
        new RegExp(text, 'gm');
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: `expected a regular expression (${(error as Error).message})`,
        });
        return;
      }
      for (const group of groups) {
        if (!text.includes(`(?<${group}>`)) {
          context.addIssue({ code: 'custom', message: `expected a named group (?<${group}>…)` });
        }
      }
    });
}
