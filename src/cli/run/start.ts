import type { Define } from '../context.ts';
import { gather } from '../sources.ts';
import { build } from './build.ts';

export const define: Define = (command, context) => {
  command.action(async () => {
    const { report } = context;
    await gather(context);
    report.document({ built: build(context) });
    report.print('Next: npx release-index preview');
  });
};
