import { styleText } from 'node:util';
import type { Env } from '../core/env.ts';

type Format = 'red' | 'yellow' | 'cyan' | 'bold';

/** Colours where the stream shows them. `NO_COLOR` is a person's wish, which Node lets `FORCE_COLOR` of a tool overrule. */
export function createPaint(env: Env): (format: Format, text: string, stream: NodeJS.WriteStream) => string {
  if (env['NO_COLOR']) return (_format, text) => text;
  return (format, text, stream) => styleText(format, text, { stream });
}
