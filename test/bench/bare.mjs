// Does the minimum that any program must do to build a site: reads the recorded data as JSON, writes the bytes of a built site, and
// writes their digests. It imports nothing from this project. Run it with `node bare.mjs <data> <site> <out>`.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [data, site, out] = process.argv.slice(2);

for (const name of readdirSync(data).filter((file) => file.endsWith('.json'))) {
  JSON.parse(readFileSync(join(data, name), 'utf8'));
}

const digests = [];

for (const entry of readdirSync(site, { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) {
    const path = relative(site, join(entry.parentPath, entry.name));
    const bytes = Buffer.from(readFileSync(join(site, path), 'utf8'));

    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), bytes);
    digests.push(`${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`);
  }
}

writeFileSync(join(out, 'SHA256SUMS'), digests.sort().join(''));
