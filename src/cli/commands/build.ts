import { build, describeBuild } from '../../run/build-step.ts';
import { shared, type Command } from '../command.ts';

export const command: Command = {
  options: shared('root', 'out', 'as-of', 'base-url'),
  details: [
    'Reads components/, data/ and site/, computes support and deprecations for the day, and writes the site. Needs no network.',
    'The site is built next to the output folder and then swapped in, so readers see either the old or the new site.',
  ],
  examples: [
    ['build', 'today, into dist/'],
    ['build --as-of 2026-10-08 --out /tmp/then', 'as of a past day'],
  ],
  checksRepository: true,
  async run(invocation) {
    invocation.report.document(describeBuild(invocation, await build(invocation)));
    return 0;
  },
};
