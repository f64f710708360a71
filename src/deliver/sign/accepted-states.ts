import * as z from 'zod';
import { DaySchema, Count } from '../../core/schemas/scalars.ts';
import { formatCount } from '../../core/text/wording.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { signatureFile } from '../../site/digests.ts';
import { VerificationError } from './site-reader.ts';

const AcceptedState = z.object({ asOf: DaySchema, events: Count });
type AcceptedState = z.infer<typeof AcceptedState>;

/** The newest accepted state of each site, by its address and key. */
const AcceptedStates = z.record(z.string(), AcceptedState);

/**
 * Remembers the state of a site in a file, unless it is older than one accepted before. Then it throws a VerificationError, or does
 * nothing with `allowsOlder`: a signature proves the origin of a state, but not that it is the newest.
 */
export function acceptState(
  file: string,
  site: string,
  state: AcceptedState,
  { allowsOlder }: { allowsOlder: boolean },
): void {
  const { value: states = {}, findings } = readDocument(file, file, AcceptedStates, {
    findings: [],
  });
  const [finding] = findings;
  if (finding) {
    throw new VerificationError(file, finding.message, 'Remove it to start again');
  }

  const newest = states[site];
  if (newest === undefined || (state.asOf >= newest.asOf && state.events >= newest.events)) {
    saveIfChanged(file, formatDocument({ ...states, [site]: state }));
    return;
  }

  if (!allowsOlder) {
    const message = `is of ${describeState(state)}, but the state of ${describeState(newest)} was accepted before: somebody may be serving an old state`;
    throw new VerificationError(signatureFile, message, 'To accept it anyway: --allow-older');
  }
}

function describeState({ asOf, events }: AcceptedState): string {
  return `${asOf} with ${formatCount(events, 'event')}`;
}
