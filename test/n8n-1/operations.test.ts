/** Tests the operations in the last n8n 1.x. */
import { testOperations } from '../n8n/operations';

testOperations('n8n-1');
