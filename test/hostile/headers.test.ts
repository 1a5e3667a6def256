import { HEADERS } from './families';
import { testReading } from './support/testReading';

testReading(HEADERS);
