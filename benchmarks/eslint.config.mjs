// Nothing in this folder runs in n8n.
export { default } from '../eslint.project.config.mjs';
