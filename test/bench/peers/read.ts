// What it costs to read the input and do nothing with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [root] = process.argv.slice(2) as [string];
for (const folder of ['components', 'data', 'data/freshness']) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.isFile()) readFileSync(join(root, folder, entry.name));
  }
}
