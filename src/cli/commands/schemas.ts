import { dirname, join, resolve } from 'node:path';
import { renderSchemas } from '../../site/render/json-schemas.ts';
import { makeFolder, writeFile } from '../../io/files/file-system.ts';
import type { Command, Invocation } from '../command.ts';

export const command: Command = {
  arguments: { required: ['folder'] },
  options: {},
  details: [
    'For editors. This checkout has them in site/schema/; "build" publishes the same files.',
  ],
  examples: [['schemas site/schema', 'after a change of the schemas of this checkout']],
  run,
};

function run({ arguments: folder, report }: Invocation): number {
  const dir = resolve(...folder);
  const files = renderSchemas();
  for (const { path, body } of files) {
    const target = join(dir, path.replace(/^schema\//, ''));
    makeFolder(dirname(target));
    writeFile(target, body);
  }
  report.print(`${dir}: ${files.length} schemas`);
  report.document({ verb: 'schemas', folder: dir, files: files.length });
  return 0;
}
