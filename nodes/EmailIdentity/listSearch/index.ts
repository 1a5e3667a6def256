/** What the searchable drop-downs ask, by the name in the fields. */
export { searchIdentities } from './searchIdentities';
export { searchWebhooks } from './searchWebhooks';
