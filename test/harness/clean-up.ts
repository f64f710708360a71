import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './root.ts';

// No test asks the real one.
process.env['ENDOFLIFE_DATE_URL'] = '';

// After each file of tests; scripts that use the harness without vitest do it themselves.
afterAll(removeTemporaryFolders);
