import * as z from 'zod';
import { isDay } from '../../dates.ts';
import { componentName } from '../component-name.ts';
import { VersionText } from '../scalars.ts';

/** An instant as it is published: UTC, whole seconds. */
export const PublishedTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/, {
    error: 'expected a UTC instant, YYYY-MM-DDTHH:MM:SSZ',
  })
  .refine((text) => isDay(text.slice(0, 10)), { error: 'expected a UTC instant whose day exists' })
  .meta({ description: 'An instant in UTC, YYYY-MM-DDTHH:MM:SSZ.' });

export const PublishedVersion = VersionText.meta({
  description: 'The version, exactly as the artifact is published.',
});

/** A text for a person. Never empty: what is not known is left out. */
export const Text = z.string().min(1);

export const ComponentName = z
  .string()
  .regex(componentName, { error: 'expected a component name' })
  .meta({ description: 'Name of a component: lower-case letters, digits and hyphens.' });
