import { BODIES } from './families';
import { judge } from './support/judge';

judge(BODIES);
