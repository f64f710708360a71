import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './index-folder.ts';
import { requireProgram } from './programs.ts';

/** Creates a self-signed certificate for 127.0.0.1. `file` is the path of the certificate. */
export function createCertificate() {
  const folder = createFolder();
  const request = 'req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2';
  const names = '-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1';
  const words = `${request} ${names} -keyout key.pem -out cert.pem`.split(' ');
  execFileSync(requireProgram('openssl'), words, { cwd: folder, stdio: 'pipe' });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
  return { key: key!, cert: cert!, file: join(folder, 'cert.pem') };
}
