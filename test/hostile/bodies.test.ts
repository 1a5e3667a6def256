import { BODIES } from './families';
import { testReading } from './support/testReading';

testReading(BODIES);
