import { join } from 'node:path';
import * as z from 'zod';
import type { Day } from '../../core/dates.ts';
import { Count, DaySchema } from '../../core/schemas/scalars.ts';
import { keyIdOf } from '../../core/schemas/signing-public-key.ts';
import { counted } from '../../core/text.ts';
import { readDocument } from '../../io/files/documents.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { signatureFile } from '../../site/digests.ts';
import { VerificationError } from './site-reader.ts';

/** A signed state of a site. */
export interface SignedState {
  baseUrl: string;
  asOf: Day;
  /** The events of all journals; absent in a signature of an earlier version. */
  events?: number;
}

/** The newest state that was accepted, by address and key. */
const AcceptedStates = z.record(z.string(), z.object({ asOf: DaySchema, events: Count }));

/** In the user's cache folder; undefined where there is none. */
export function defaultStateFile(env: NodeJS.ProcessEnv): string | undefined {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const cache = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'] ?? (home && join(home, '.cache'));
  return cache && join(cache, 'release-index', 'verified.json');
}

/**
 * Remembers a state that holds. Throws a VerificationError where a newer one of this address and key was accepted before:
 * a signature proves who made a state, and not that there is no newer one.
 */
export function acceptState(
  file: string,
  { baseUrl, asOf, events = 0 }: SignedState,
  publicKey: string,
  allowsOlder: boolean,
): void {
  const { value = {}, findings } = isAbsent(file)
    ? { findings: [] }
    : readDocument(file, file, AcceptedStates);
  const broken = findings[0];
  if (broken) throw new VerificationError(file, broken.message, 'Remove it to begin anew');
  const place = `${baseUrl} ${keyIdOf(publicKey)}`;
  const newest = value[place];
  const isOlder = newest !== undefined && (asOf < newest.asOf || events < newest.events);
  if (isOlder && allowsOlder) return;
  if (isOlder) {
    const describe = (state: { asOf: Day; events: number }) =>
      `${state.asOf} with ${counted(state.events, 'event')}`;
    const message = `is of ${describe({ asOf, events })}, but the state of ${describe(newest)} was accepted before: somebody may be serving an old state`;
    throw new VerificationError(signatureFile, message, 'To accept it all the same: --allow-older');
  }
  saveIfChanged(file, formatDocument({ ...value, [place]: { asOf, events } }));
}
