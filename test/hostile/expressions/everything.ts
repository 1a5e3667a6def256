/** What n8n requires at its start; libraries come with it. */
export * from '../../../credentials/EmailIdentityApi.credentials';
export * from '../../../nodes/EmailIdentity/EmailIdentity.node';
export * from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
