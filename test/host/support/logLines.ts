import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy } from 'n8n-workflow';

export interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: unknown;
}

const lines: LogLine[] = [];

const write = (level: LogLine['level']) => (message: string, metadata?: unknown) => {
	lines.push(metadata === undefined ? { level, message } : { level, message, metadata });
};

const recorder = {
	error: write('error'),
	warn: write('warn'),
	info: write('info'),
	debug: write('debug'),
	scoped: () => recorder,
};

// n8n's logger has private members, so no object of another class has its type.
Container.set(Logger, recorder as unknown as Logger);
LoggerProxy.init(recorder);

/** How many lines there are, to read only later ones with {@link logLinesSince}. */
export const logPosition = (): number => lines.length;

/** The lines written since a position; all of this test file without one. */
export const logLinesSince = (position = 0): LogLine[] => lines.slice(position);
