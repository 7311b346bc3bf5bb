import { DataSource } from '../../../shared/source.js';

/** The one data source of the process. */
export const source = new DataSource();
