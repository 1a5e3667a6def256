import { BODIES } from './families';
import { judge } from './judge';

judge(BODIES);
