// Examples do not run in n8n itself.
export { default } from '../eslint.project.config.mjs';
