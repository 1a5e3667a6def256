import { HEADERS } from './families';
import { judge } from './support/judge';

judge(HEADERS);
