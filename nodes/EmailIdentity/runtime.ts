import { createLifecycle } from './trigger/subscription/lifecycle';

/**
 * What the nodes do, as opposed to what the editor shows of them. n8n requires the node files at every start, in each of
 * its processes; this is loaded when one of them is first used.
 */
export { emailIdentityApiTest } from './api/credentialTest';
export { searchIdentities, searchWebhooks } from './listSearch';
export { runItems } from './resources/runItems';
export { receiveDelivery } from './trigger/delivery';
export { tellHeldBack } from './trigger/delivery/heldBack';

/** One for all trigger nodes: it remembers what this process listens for. */
export const lifecycle = createLifecycle();
