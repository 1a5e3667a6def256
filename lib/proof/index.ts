export { notCheckedBecause, type Authentication } from './authentication';
export { checkSender, type SenderCheck } from './checkSender';
