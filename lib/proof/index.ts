export { asSigned } from './asSigned';
export { checkSender, type Authentication, type SenderCheck } from './checkSender';
