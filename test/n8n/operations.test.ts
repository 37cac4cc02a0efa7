/** Tests the operations in the newest n8n. */
import { testOperations } from './operations';

testOperations('n8n');
