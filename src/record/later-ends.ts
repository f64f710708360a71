/** Finds `ended` policies whose day has not come. */
import type { Day } from '../core/day.ts';
import type { Problem } from '../core/errors.ts';
import type { Definition } from '../core/schema/written.ts';

/** Finds an `ended` policy whose day has not come. It would give support back to lines that have already ended. */
export function listLaterEnds(component: string, { support }: Definition, day: Day): Problem[] {
  if (support?.policy !== 'ended' || support.until === undefined || support.until < day) {
    return [];
  }

  const { until } = support;
  const message = `support.until: expected a day before ${day}; got "${until}". "ended" is for components whose support has ended, and replaces the ends of all lines. Keep the former policy, and add "until": "${until}" to it. If there was none: {"policy": "none", "until": "${until}"}`;
  return [{ subject: `components/${component}.json`, message }];
}
