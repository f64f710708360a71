import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { renderSchemas } from '../../site/render/json-schemas.ts';
import { makeFolder } from '../../io/files/entry.ts';
import type { Invocation } from './command.ts';

export function schemas({ arguments: [folder], report }: Invocation): Promise<number> {
  const dir = resolve(folder!);
  const files = renderSchemas();
  for (const { path, body } of files) {
    const target = join(dir, path.replace(/^schema\//, ''));
    makeFolder(dirname(target));
    writeFileSync(target, body);
  }
  report.line(`${dir}: ${files.length} schemas`);
  report.result({ verb: 'schemas', folder: dir, files: files.length });
  return Promise.resolve(0);
}
