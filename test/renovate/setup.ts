import { installRenovate } from './install.ts';

/** Before the first test: the client is there. */
export default installRenovate;
