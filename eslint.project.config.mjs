import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import * as typescriptParser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import typescriptEslint from 'typescript-eslint';

const published = ['nodes/**/*.ts', 'lib/**/*.ts', 'credentials/**/*.ts'];

/**
 * The project's own rules, beside those of `eslint.config.mjs`, which n8n wants unchanged (`npm run lint` asks for both).
 * The rules of both n8n plugins apply to what is published, at least as strictly as n8n's own scan
 * (`npm test -- scan`) applies them; everything else gets TypeScript's own. Warnings fail the lint too.
 */
export default defineConfig(
	{
		ignores: [
			'dist/**',
			'dist.*/**',
			'node_modules/**',
			'test/hosts/**',
			'coverage/**',
			'test-results/**',
		],
	},
	{
		files: ['**/*.{ts,js,mjs}'],
		extends: [typescriptEslint.configs.recommended],
		// Rules are switched off here, with a reason, or not at all.
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
		rules: {
			eqeqeq: 'error',
			'no-var': 'error',
			'prefer-const': 'error',
			'@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
			'@typescript-eslint/consistent-type-imports': [
				'error',
				// Types of modules that are loaded late are named by `typeof import(…)`.
				{ disallowTypeAnnotations: false },
			],
		},
	},
	{
		files: ['gulpfile.js', 'jest.config.js', '**/hostFacts/probe/*.js', '**/fixtures/**/*.js'],
		rules: {
			// gulp, jest and n8n load these as CommonJS.
			'@typescript-eslint/no-require-imports': 'off',
		},
	},
	{
		files: [...published, 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		languageOptions: {
			parser: typescriptParser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
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
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These two want the text 'main', which the newer plugin's node-connection-type-literal forbids.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'lib/**/*.ts'],
		rules: {
			// A clock that someone sets makes old values look fresh.
			'no-restricted-properties': [
				'error',
				{ object: 'Date', property: 'now', message: 'Use a clock of lib/basics/time.ts.' },
				{ object: 'performance', property: 'now', message: 'Use a clock of lib/basics/time.ts.' },
			],
			// A reader would have to keep two conditions in mind, or two declarations.
			'no-nested-ternary': 'error',
			'no-multi-assign': 'error',
			'one-var': ['error', 'never'],
			// What others call says what it returns.
			'@typescript-eslint/explicit-module-boundary-types': 'error',
		},
	},
	{
		files: ['lib/basics/time.ts'],
		rules: { 'no-restricted-properties': 'off' },
	},
);
