import { z } from 'zod';

/** A text that a registry may state of a package; anything else at its place states nothing. */
export const Stated = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional()
  .catch(undefined);
