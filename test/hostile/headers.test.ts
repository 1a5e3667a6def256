import { HEADERS } from './families';
import { judge } from './judge';

judge(HEADERS);
