import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import * as typescriptParser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import typescriptEslint from 'typescript-eslint';

const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** The rules of both n8n plugins apply to what is published; everything else gets TypeScript's own. */
export default defineConfig(
	{ ignores: ['dist/**', 'node_modules/**', 'test/hosts/**', 'coverage/**', 'test-results/**'] },
	{
		files: ['**/*.ts'],
		extends: [typescriptEslint.configs.recommended],
	},
	{
		files: [...published, 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		languageOptions: { parser: typescriptParser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Wants the camelCase name of a page in n8n's own docs; a community credential links to an address.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: n8nNodesBase.configs.nodes.rules,
	},
);
